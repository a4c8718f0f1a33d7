import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type UseFormReturn, useController, useForm, useWatch } from "react-hook-form";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { getConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { findKey, type KeyFinding } from "#connection/key-in-text.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { SHARED_BALANCE } from "../ledger/ledger-words.ts";
import { useSpendLimits } from "../ledger/use-ledger.ts";
import { type BatchItem, MOST_AT_ONCE, MOST_ITEMS } from "../stored-batches.ts";
import { addBatch, onePerLine, priceRuns, repeated } from "./batch-edits.ts";
import { useBatches } from "./use-batches.ts";

interface BatchForm {
  way: "repeat" | "list";
  times: string;
  lines: string;
  atOnce: string;
}

const WAYS = [
  { value: "repeat", label: "The same again" },
  { value: "list", label: "One per line" },
] as const;

/**
 * Makes a batch of one form: the same run again, or one run per line of a list of prompts. First the exact total is
 * asked for and shown with the day's limit; only then is there a button that sends.
 */
export function NewBatchDialog({
  open,
  onOpenChange,
  request,
  promptKey,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  request: JobRequest;
  /** The parameter that a list of prompts fills; undefined where the model takes none. */
  promptKey: string | undefined;
}) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { runner, where } = useBatches();
  const [finding, setFinding] = useState<KeyFinding>();
  const form = useForm<BatchForm>({
    defaultValues: { way: "repeat", times: "4", lines: "", atOnce: "2" },
    mode: "onChange",
  });
  const { control, register } = form;
  const { field: way } = useController({ control, name: "way" });
  const { times, lines, atOnce } = useWatch({ control });

  const isList = way.value === "list" && promptKey !== undefined;
  const requests = isList
    ? onePerLine(request, promptKey, lines ?? "")
    : repeated(request, readWhole(times, MOST_ITEMS) ?? 0);
  const concurrency = readWhole(atOnce, MOST_AT_ONCE);
  const isReady = requests.length > 0 && requests.length <= MOST_ITEMS && concurrency !== undefined;

  const pricing = useMutation({ mutationFn: () => priceRuns(api, queryClient, requests) });
  const sending = useMutation({
    mutationFn: async (items: BatchItem[]) => {
      const id = randomId();
      await addBatch(where, { id, createdAtMs: Date.now(), concurrency: concurrency ?? 1, items });
      return id;
    },
    onSuccess: (id) => {
      onOpenChange(false);
      void runner.start(id);
    },
  });
  const priced = pricing.data;
  const error = sending.error ?? pricing.error;
  // A total belongs to the runs it was asked for.
  const forgetTotal = () => {
    setFinding(undefined);
    pricing.reset();
    sending.reset();
  };
  const askTotal = () => {
    forgetTotal();
    const inIt = findKey(
      requests.map(({ payload }) => payload),
      getConnection()?.keyShape,
    );
    setFinding(inIt);
    if (inIt) return;
    pricing.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Line up several runs"
      description={`${visibleLine(request.model)}, with the form as it is now. They are sent one after the other and can be paused.`}
      footer={
        priced ? (
          <Button variant="primary" busy={sending.isPending} onClick={() => sending.mutate(priced)}>
            Send {priced.length} for {formatMicroUsd(sumOf(priced))}
          </Button>
        ) : (
          <Button variant="primary" busy={pricing.isPending} disabled={!isReady} onClick={askTotal}>
            Show the total
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {finding && <KeyNotice finding={finding} what={isList ? "list" : "form"} onSendAnyway={askTotal} />}
        {promptKey !== undefined && (
          <Segmented
            label="What to line up"
            options={WAYS}
            value={way.value}
            onChange={(value) => {
              forgetTotal();
              way.onChange(value);
            }}
            className="mb-1"
          />
        )}
        {isList ? (
          <Field label="Prompts" note={`one per line, at most ${MOST_ITEMS}`} hint={`${requests.length} so far`}>
            {({ id, describedBy }) => (
              <TextArea
                {...register("lines", { onChange: forgetTotal })}
                id={id}
                aria-describedby={describedBy}
                rows={6}
              />
            )}
          </Field>
        ) : (
          <WholeField
            form={form}
            name="times"
            label="How many"
            most={MOST_ITEMS}
            hint="Without a seed in the form each one comes out differently."
            onChange={forgetTotal}
          />
        )}
        <WholeField
          form={form}
          name="atOnce"
          label="Jobs at once"
          most={MOST_AT_ONCE}
          hint="The next one is sent when fewer than this many are running."
        />
        {priced && <Total items={priced} />}
        {error && <ErrorNotice error={error} operation="estimate" onRetry={askTotal} />}
      </div>
    </Dialog>
  );
}

function WholeField({
  form: { register, formState },
  name,
  label,
  most,
  hint,
  onChange,
}: {
  form: UseFormReturn<BatchForm>;
  name: "times" | "atOnce";
  label: string;
  most: number;
  hint: string;
  onChange?: () => void;
}) {
  const problem = `A whole number from 1 to ${most}`;
  return (
    <Field label={label} note={`1 to ${most}`} hint={hint} error={formState.errors[name]?.message}>
      {({ id, describedBy, invalid }) => (
        <TextInput
          {...register(name, {
            validate: (text) => readWhole(text, most) !== undefined || problem,
            ...(onChange ? { onChange } : {}),
          })}
          id={id}
          inputMode="numeric"
          aria-describedby={describedBy}
          aria-invalid={invalid}
        />
      )}
    </Field>
  );
}

/** A whole number from 1 to `most`. */
function readWhole(text: string | undefined, most: number): number | undefined {
  const value = /^\d{1,4}$/.test(text?.trim() ?? "") ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : undefined;
}

function sumOf(items: readonly BatchItem[]): number {
  return items.reduce((total, item) => total + item.priceMicroUsd, 0);
}

/** The exact sum before the first is sent, and whether the day's limit has room for it. */
function Total({ items }: { items: readonly BatchItem[] }) {
  const { limits, todayMicroUsd } = useSpendLimits();
  const total = sumOf(items);
  const room = limits.perDayMicroUsd === undefined ? undefined : limits.perDayMicroUsd - todayMicroUsd;
  return (
    <p role="status" className="m-0 text-ink-2 tabular-nums">
      {items.length} {items.length === 1 ? "run" : "runs"}, {formatMicroUsd(total)} together. Spent today:{" "}
      {formatMicroUsd(todayMicroUsd)}
      {limits.perDayMicroUsd !== undefined && ` of ${formatMicroUsd(limits.perDayMicroUsd)}`}. {SHARED_BALANCE}
      {room !== undefined && total > room && " The line will pause where the day’s limit is reached."}
    </p>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type UseFormReturn, useController, useForm, useWatch } from "react-hook-form";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { getConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { findKey } from "#connection/key-in-text.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { SHARED_BALANCE } from "#ledger/limit-words.ts";
import { useSpendLimits } from "#ledger/use-ledger.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { payloadKey } from "../price/estimate-queries.ts";
import { DEFAULT_RULES, MOST_AT_ONCE, MOST_ITEMS } from "../stored-batches.ts";
import { addBatch, newBatch } from "./batch-edits.ts";
import { batchItems, onePerLine, type PricedRun, priceRuns, repeated } from "./new-batch-runs.ts";
import { useBatches } from "./use-batches.ts";

interface BatchForm {
  way: "repeat" | "list";
  times: string;
  lines: string;
  atOnce: string;
}

const WAYS = [
  { value: "repeat", label: "Repeat" },
  { value: "list", label: "One prompt per line" },
] as const;

/** The total is asked for once the list rests this long. */
const REST_MS = 400;

/**
 * Makes a batch of one form: the same run again, or one run per line of a list of prompts. The exact total is shown as it
 * is written, with the day's limit; the button that submits carries it.
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
  const { runner, where } = useBatches();
  const form = useForm<BatchForm>({
    defaultValues: { way: "repeat", times: "4", lines: "", atOnce: "2" },
    mode: "onChange",
  });
  const { control, register } = form;
  const { field: way } = useController({ control, name: "way" });
  const { times, lines = "", atOnce } = useWatch({ control });

  const isList = way.value === "list" && promptKey !== undefined;
  const requests = isList
    ? onePerLine(request, promptKey, lines)
    : repeated(request, readWhole(times, MOST_ITEMS) ?? 0);
  const concurrency = readWhole(atOnce, MOST_AT_ONCE);
  const isReady = requests.length > 0 && requests.length <= MOST_ITEMS && concurrency !== undefined;
  const { finding, priced, error, retry, allow } = useTotal(isReady ? requests : []);
  const sending = useMutation({
    mutationFn: async (runs: readonly PricedRun[]) => {
      const groupId = randomId();
      const batch = newBatch("", {
        groups: [{ id: groupId, name: "Runs", kind: "runs" }],
        items: batchItems(runs, groupId),
        rules: { ...DEFAULT_RULES, parallel: concurrency ?? 1 },
      });
      await addBatch(where, batch);
      return batch.id;
    },
    onSuccess: (id) => {
      onOpenChange(false);
      void runner.start(id);
    },
  });
  const problem = sending.error ?? error;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Run a batch"
      description={`${visibleLine(request.model)} with the current settings. The runs are submitted one after the other, and you can pause them.`}
      footer={
        <Button
          variant="primary"
          busy={sending.isPending}
          aria-disabled={priced === undefined}
          onClick={() => priced && sending.mutate(priced)}
        >
          {priced ? `Run ${priced.length}` : "Run"}
          {priced && <span className="tabular-nums">{formatMicroUsd(sumOf(priced))}</span>}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {finding && <KeyNotice finding={finding} what={isList ? "list" : "form"} onSendAnyway={allow} />}
        {promptKey !== undefined && (
          <Segmented label="Kind of batch" options={WAYS} value={way.value} onChange={way.onChange} className="mb-1" />
        )}
        {isList ? (
          <Field
            label="Prompts"
            note={`one per line, at most ${MOST_ITEMS}`}
            error={
              requests.length > MOST_ITEMS
                ? `${requests.length} prompts. A batch takes at most ${MOST_ITEMS}.`
                : undefined
            }
          >
            {({ id, describedBy, invalid }) => (
              <TextArea
                {...register("lines")}
                id={id}
                dir="auto"
                aria-describedby={describedBy}
                aria-invalid={invalid}
                rows={6}
              />
            )}
          </Field>
        ) : (
          <WholeField
            form={form}
            name="times"
            label="Runs"
            most={MOST_ITEMS}
            hint="Each result is different if the seed is empty."
          />
        )}
        <WholeField
          form={form}
          name="atOnce"
          label="Run in parallel"
          most={MOST_AT_ONCE}
          hint="The next run is submitted when fewer than this many are running."
        />
        <Total runs={priced} count={isReady ? requests.length : 0} />
        {problem && <ErrorNotice error={problem} operation="estimate" onRetry={retry} />}
      </div>
    </Dialog>
  );
}

/** The exact price of each run, asked for when nothing has changed for a moment. Nothing leaves while a key is in it. */
function useTotal(requests: readonly JobRequest[]) {
  const api = useApi();
  const queryClient = useQueryClient();
  const key = payloadKey(requests);
  const [rested, setRested] = useState("");
  const [, setAllowed] = useState(0);
  useEffect(() => {
    const wait = setTimeout(() => setRested(key), REST_MS);
    return () => clearTimeout(wait);
  }, [key]);
  const isResting = requests.length > 0 && rested === key;
  const finding = isResting
    ? findKey(
        requests.map(({ payload }) => payload),
        getConnection()?.keyShape,
      )
    : undefined;
  const query = useQuery({
    queryKey: ["batch-total", key],
    queryFn: ({ signal }) => priceRuns(api, queryClient, requests, signal),
    enabled: isResting && !finding,
    gcTime: 0,
    retry: false,
  });
  return {
    finding,
    priced: isResting && !finding ? query.data : undefined,
    error: isResting ? query.error : null,
    retry: () => void query.refetch(),
    allow: () => setAllowed((count) => count + 1),
  };
}

function WholeField({
  form: { register, formState },
  name,
  label,
  most,
  hint,
}: {
  form: UseFormReturn<BatchForm>;
  name: "times" | "atOnce";
  label: string;
  most: number;
  hint: string;
}) {
  const problem = `A whole number from 1 to ${most}`;
  return (
    <Field label={label} note={`1 to ${most}`} hint={hint} error={formState.errors[name]?.message}>
      {({ id, describedBy, invalid }) => (
        <TextInput
          {...register(name, {
            validate: (text) => readWhole(text, most) !== undefined || problem,
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

function sumOf(runs: readonly PricedRun[]): number {
  return runs.reduce((total, run) => total + run.priceMicroUsd, 0);
}

/** The exact sum before the first run is submitted, and whether the day's limit has room for it. */
function Total({ runs, count }: { runs: readonly PricedRun[] | undefined; count: number }) {
  const { limits, todayMicroUsd } = useSpendLimits();
  const words = count === 1 ? "1 run" : `${count} runs`;
  const total = runs && sumOf(runs);
  const { perDayMicroUsd } = limits;
  const isOver = total !== undefined && perDayMicroUsd !== undefined && todayMicroUsd + total > perDayMicroUsd;
  return (
    <div role="status" className="min-h-[42px] text-ink-2 tabular-nums">
      <p className="m-0 flex flex-wrap justify-between gap-x-4">
        <span className="text-ink">
          {count === 0
            ? "No runs yet"
            : total === undefined
              ? `${words}, loading the price`
              : `${words}, ${formatMicroUsd(total)}`}
        </span>
        <span className="text-ink-3">
          Today {formatMicroUsd(todayMicroUsd)}
          {perDayMicroUsd !== undefined && ` of ${formatMicroUsd(perDayMicroUsd)}`}
        </span>
      </p>
      <p className="m-0 text-[12.5px] text-ink-3">
        {isOver ? "The batch pauses when your limit per day is reached." : SHARED_BALANCE}
      </p>
    </div>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { useSpendLimits } from "../ledger/use-spend-limits.ts";
import { addBatch } from "./batch-edits.ts";
import { type BatchItem, MOST_AT_ONCE, MOST_ITEMS } from "./batch-row.ts";
import { onePerLine, priceRuns, repeated } from "./price-runs.ts";
import { useBatches } from "./use-batches.ts";

type Way = "repeat" | "list";

const WAYS = [
  { value: "repeat", label: "The same again" },
  { value: "list", label: "One per line" },
] as const;

/** A whole number from 1 to `most`. */
const whole = (text: string, most: number): number | undefined => {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : undefined;
};

/**
 * Lines up several runs of one form: the same again, or one per line of a list of prompts. First the exact total is
 * asked for and shown with the day's limit; only then is there a button that sends.
 */
export function LineUpDialog({
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
  const [way, setWay] = useState<Way>("repeat");
  const [times, setTimes] = useState("4");
  const [lines, setLines] = useState("");
  const [atOnce, setAtOnce] = useState("2");
  const [priced, setPriced] = useState<BatchItem[]>();
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });

  const count = whole(times, MOST_ITEMS);
  const requests =
    way === "list" && promptKey !== undefined ? onePerLine(request, promptKey, lines) : repeated(request, count ?? 0);
  const concurrency = whole(atOnce, MOST_AT_ONCE);
  const isReady = requests.length > 0 && requests.length <= MOST_ITEMS && concurrency !== undefined;
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setPriced(undefined);
      set(value);
    };

  async function askPrice() {
    setState({ busy: true });
    try {
      setPriced(await priceRuns(api, queryClient, requests));
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  }
  async function send(items: BatchItem[]) {
    setState({ busy: true });
    const id = randomId();
    try {
      await addBatch(where, { id, createdAtMs: Date.now(), concurrency: concurrency ?? 1, items });
      setState({ busy: false });
      setPriced(undefined);
      onOpenChange(false);
      void runner.start(id);
    } catch (error) {
      setState({ busy: false, error });
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Line up several runs"
      description={`${request.model}, with the form as it is now. They are sent one after the other and can be paused.`}
      footer={
        priced ? (
          <Button variant="primary" busy={state.busy} onClick={() => void send(priced)}>
            Send {priced.length} for {formatMicroUsd(priced.reduce((total, item) => total + item.priceMicroUsd, 0))}
          </Button>
        ) : (
          <Button variant="primary" busy={state.busy} disabled={!isReady} onClick={() => void askPrice()}>
            Show the total
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {promptKey !== undefined && (
          <Segmented label="What to line up" options={WAYS} value={way} onChange={change(setWay)} className="mb-1" />
        )}
        {way === "list" && promptKey !== undefined ? (
          <Field label="Prompts" note={`one per line, at most ${MOST_ITEMS}`} hint={`${requests.length} so far`}>
            {({ id, describedBy }) => (
              <TextArea
                id={id}
                aria-describedby={describedBy}
                rows={6}
                value={lines}
                onChange={(event) => change(setLines)(event.target.value)}
              />
            )}
          </Field>
        ) : (
          <WholeField
            label="How many"
            most={MOST_ITEMS}
            hint="Without a seed in the form each one comes out differently."
            text={times}
            onText={change(setTimes)}
          />
        )}
        <WholeField
          label="Jobs at once"
          most={MOST_AT_ONCE}
          hint="The next one is sent when fewer than this many are running."
          text={atOnce}
          onText={setAtOnce}
        />
        {priced && <Total items={priced} />}
        {state.error !== undefined && (
          <ErrorNotice error={state.error} doing="estimate" onRetry={() => void askPrice()} />
        )}
      </div>
    </Dialog>
  );
}

function WholeField(props: {
  label: string;
  most: number;
  hint: string;
  text: string;
  onText: (text: string) => void;
}) {
  const error = whole(props.text, props.most) === undefined ? `A whole number from 1 to ${props.most}` : undefined;
  return (
    <Field label={props.label} note={`1 to ${props.most}`} hint={props.hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <TextInput
          id={id}
          inputMode="numeric"
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={props.text}
          onChange={(event) => props.onText(event.target.value)}
        />
      )}
    </Field>
  );
}

/** The exact sum before the first is sent, and whether the day's limit has room for it. */
function Total({ items }: { items: readonly BatchItem[] }) {
  const { limits, todayMicroUsd } = useSpendLimits();
  const total = items.reduce((sum, item) => sum + item.priceMicroUsd, 0);
  const room = limits.perDayMicroUsd === undefined ? undefined : limits.perDayMicroUsd - todayMicroUsd;
  return (
    <p role="status" className="m-0 text-ink-2 tabular-nums">
      {items.length} {items.length === 1 ? "run" : "runs"}, {formatMicroUsd(total)} together. Spent today:{" "}
      {formatMicroUsd(todayMicroUsd)}
      {limits.perDayMicroUsd !== undefined && ` of ${formatMicroUsd(limits.perDayMicroUsd)}`}.
      {room !== undefined && total > room && " The line will pause where the day’s limit is reached."}
    </p>
  );
}

import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Pause, Play, Undo2 } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { chargedWords, pauseReason, waitReason } from "#jobs/batch/batch-words.ts";
import type { PriceProgress } from "#jobs/price/use-row-prices.ts";
import { SHARED_BALANCE } from "#ledger/limit-words.ts";
import { useSpendLimits } from "#ledger/use-ledger.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Notice } from "#ui/notice.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { RunRules } from "./run-rules.tsx";
import { type RunTotal, runTotal } from "./run-total.ts";
import { type RunBatch, useRunBatch } from "./use-run-batch.ts";

/** Beside the table: what the batch costs, how it is run, and the one button that spends it. */
export function RunPanel({
  isSheet = false,
}: {
  /** In a sheet: the buttons stand under the table. */ isSheet?: boolean;
}) {
  const total = useRunTotal();
  const run = useRunBatch();
  return (
    <aside
      aria-label="Price and run"
      className={clsx("flex min-h-0 flex-1 flex-col bg-panel", !isSheet && "border-line border-s")}
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Total total={total} />
        <Today total={total} />
        <RunRules />
      </div>
      {!isSheet && <RunActions total={total} run={run} />}
    </aside>
  );
}

/** The drafts of the batch added up, anew when rows or prices change. */
export function useRunTotal(): RunTotal {
  const { items, problems, unchecked, prices } = useBatchDocument();
  return useMemo(() => runTotal({ items, problems, unchecked }, prices.of), [items, problems, unchecked, prices]);
}

const MOST_LINES = 8;

function Total({ total }: { total: RunTotal }) {
  const document = useBatchDocument();
  const { sums, prices } = document;
  const { ready, lines, totalMicroUsd } = total;
  if (sums.drafts === 0 && document.items.length > 0) return <Charged />;
  return (
    <section aria-label="Price" className="border-line border-b px-[18px] py-4 tabular-nums">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{runsText(ready.length)}</span>
        <span className="font-semibold text-[28px] leading-[1.1] tracking-[-0.025em]">
          {formatMicroUsd(totalMicroUsd)}
        </span>
      </div>
      <dl className="m-0 mt-1.5 text-[12px] text-ink-2">
        {lines.slice(0, MOST_LINES).map(({ model, priceMicroUsd, count }) => (
          <div key={`${model} ${priceMicroUsd}`} className="flex gap-3 pt-[7px]">
            <dt className="min-w-0 flex-1 truncate">{visibleLine(model, 60)}</dt>
            <dd className="m-0 text-ink-3">
              {count} × {formatMicroUsd(priceMicroUsd)}
            </dd>
            <dd className="m-0 min-w-[58px] text-end text-ink">{formatMicroUsd(count * priceMicroUsd)}</dd>
          </div>
        ))}
        {lines.length > MOST_LINES && (
          <div className="pt-[7px] text-ink-3">{lines.length - MOST_LINES} more prices</div>
        )}
      </dl>
      <p className="m-0 mt-3 text-[12px] text-ink-3">{priceWords(prices.progress, ready.length)}</p>
      {prices.progress.trouble && (
        <p className="m-0 mt-1 text-[12px] text-ink-3">
          The service is busy. The prices are asked for again by themselves.
        </p>
      )}
      <LeftOut total={total} />
      {sums.drafts < document.items.length && (
        <p className="m-0 mt-2 text-[12px] text-ink-2">{chargedWords(document)}</p>
      )}
    </section>
  );
}

/** Where nothing is left to run: what it came to. It is the sum of its lines in the ledger. */
function Charged() {
  const document = useBatchDocument();
  const { sums, items } = document;
  return (
    <section aria-label="Price" className="border-line border-b px-[18px] py-4 tabular-nums">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{runsText(items.length)}</span>
        <span className="font-semibold text-[28px] leading-[1.1] tracking-[-0.025em]">
          {formatMicroUsd(sums.chargedMicroUsd - sums.refundedMicroUsd)}
        </span>
      </div>
      <p className="m-0 mt-2 text-[12px] text-ink-2">{chargedWords(document)}</p>
      <p className="m-0 mt-1 text-[12px] text-ink-3">
        The same amounts are in{" "}
        <Link to="/spend" className="text-ink-2 underline underline-offset-2">
          Spend
        </Link>
        .
      </p>
    </section>
  );
}

/** What Run does not submit, with the way to those rows. */
function LeftOut({ total: { pricing, unpriced, troubled } }: { total: RunTotal }) {
  const { batch } = useBatchDocument();
  const count = pricing + unpriced + troubled;
  if (count === 0) return null;
  const needing = unpriced + troubled;
  return (
    <p className="m-0 mt-2 flex items-baseline gap-2 text-[12px] text-ink-2">
      <span aria-hidden="true" className="size-[7px] shrink-0 rounded-full bg-unconfirmed" />
      <span>
        {count === 1 ? "1 run is" : `${count} runs are`} not included:{" "}
        {[pricing > 0 && (pricing === 1 ? "1 is being priced" : `${pricing} are being priced`)].filter(Boolean)}
        {pricing > 0 && needing > 0 && ", "}
        {needing > 0 && (
          <Link
            to="/batch/$batchId"
            params={{ batchId: batch.id }}
            search={(old) => ({ ...old, view: "table" as const, show: "attention" })}
            className="font-medium text-ink underline decoration-line-strong underline-offset-[3px]"
          >
            {needing === 1 ? "1 needs attention" : `${needing} need attention`}
          </Link>
        )}
        .
      </span>
    </p>
  );
}

const runsText = (count: number) => (count === 1 ? "1 run" : `${count.toLocaleString("en-US")} runs`);

/** How the prices are known: "Exact. Priced with 4 estimates." or how long the rest takes. */
function priceWords({ priced, total, estimates, secondsLeft }: PriceProgress, ready: number): string {
  if (total === 0) return "Add runs to see what they cost. Estimates are free.";
  if (priced < total) {
    const left = secondsLeft === undefined ? "" : `, ${roughTime(secondsLeft)} left`;
    return `${priced.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} priced${left}. Estimates are free.`;
  }
  if (ready === 0) return "No price yet.";
  return `Exact. Priced with ${estimates === 1 ? "1 estimate" : `${estimates.toLocaleString("en-US")} estimates`}.`;
}

function roughTime(seconds: number): string {
  return seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / 60)} min`;
}

function Today({ total: { totalMicroUsd } }: { total: RunTotal }) {
  const { sums } = useBatchDocument();
  const { limits, todayMicroUsd } = useSpendLimits();
  const day = limits.perDayMicroUsd;
  const after = todayMicroUsd + totalMicroUsd + sums.waitingMicroUsd;
  const share = (amount: MicroUsd) => `${day ? Math.min(100, (amount / day) * 100) : 0}%`;
  return (
    <section aria-label="Today" className="border-line border-b px-[18px] py-4 tabular-nums">
      <div className="flex justify-between gap-3">
        <h2 className="m-0 font-semibold text-[13px]">Today</h2>
        <span className="text-[12px] text-ink-2">
          {formatMicroUsd(todayMicroUsd)}
          {day !== undefined && ` of ${formatMicroUsd(day)}`}
        </span>
      </div>
      {day !== undefined && (
        <div
          aria-hidden="true"
          className="my-2 flex h-1 gap-[1.5px] overflow-hidden rounded-full bg-line-strong forced-color-adjust-none"
        >
          <span className="bg-ink-3" style={{ width: share(todayMicroUsd) }} />
          <span className="bg-ink" style={{ width: share(after - todayMicroUsd) }} />
        </div>
      )}
      <div className="mt-1 flex justify-between gap-3 text-[12px] text-ink-3">
        <span>After this batch {formatMicroUsd(after)}</span>
        {day !== undefined && (
          <span className={clsx(after > day && "text-failed")}>
            {after > day ? `${formatMicroUsd(after - day)} over` : `${formatMicroUsd(day - after)} left`}
          </span>
        )}
      </div>
      {day !== undefined && after > day && (
        <p className="m-0 mt-1.5 text-[12px] text-ink-2">The batch pauses when your limit per day is reached.</p>
      )}
    </section>
  );
}

/** The buttons at the end of the panel; on a phone, the bar under the table. */
export function RunActions({
  total,
  run,
  extra,
  isBar = false,
}: {
  total: RunTotal;
  run: RunBatch;
  extra?: ReactNode;
  /** Under the table of a narrow window. */
  isBar?: boolean;
}) {
  const view = useBatchDocument();
  const isSandbox = useConnection()?.isSandbox;
  const { sums, batch } = view;
  const { ready, totalMicroUsd } = total;
  const left = sums.waiting + sums.retried;
  const isRunning = view.run.phase === "running";
  const isPaused = view.run.phase === "paused" && left > 0;
  const isElsewhere = view.run.phase === "elsewhere";
  const perModel = Math.max(batch.rules.parallel, ...Object.values(batch.rules.parallelOf));
  const price = formatMicroUsd(totalMicroUsd);
  const hasOthers = isRunning || isPaused;
  const words = hasOthers ? `Run ${ready.length} more for ${price}` : `Run ${ready.length} for ${price}`;
  const why =
    ready.length > 0
      ? isElsewhere
        ? "Another tab is submitting this batch."
        : undefined
      : total.pricing > 0
        ? "The prices are loading."
        : total.troubled + total.unpriced > 0
          ? "Every run needs attention first."
          : "There is no run to submit.";
  return (
    <div
      className={clsx("flex flex-col border-line border-t px-[18px]", isBar ? "gap-2 py-2.5" : "gap-2.5 pt-3.5 pb-4")}
    >
      {run.refusal && <Refusal refusal={run.refusal} onDismiss={run.dismissRefusal} />}
      <PauseLine />
      <div className="flex items-baseline justify-between gap-3 text-[12px] text-ink-2 tabular-nums">
        <span role="status">
          {run.isChecking
            ? "Checking the prices"
            : hasOthers
              ? `${sums.submitted} of ${view.items.length - sums.drafts} submitted, ${sums.done} done`
              : sums.drafts === 0 && sums.isOver
                ? `${sums.done} of ${view.items.length} done`
                : `${ready.length} ready, ${perModel} at a time`}
        </span>
        {extra}
      </div>
      {isPaused && (
        <CommandButton
          command={{ id: "batch.resume", label: "Resume", group: "Batch", icon: Play, run: run.resume }}
          variant="primary"
          size="lg"
          className="w-full tabular-nums"
        >
          Resume, {formatMicroUsd(sums.waitingMicroUsd)}
        </CommandButton>
      )}
      {(!hasOthers || ready.length > 0) && (
        <CommandButton
          command={{
            id: "batch.run",
            label: words,
            group: "Batch",
            keys: "mod+enter",
            icon: Play,
            value: ready.length > 0 ? price : undefined,
            unavailable: why,
            run: () => run.run(total),
          }}
          busy={run.isChecking}
          variant={isPaused ? "outline" : "primary"}
          size="lg"
          className="w-full tabular-nums"
        >
          {ready.length === 0 ? "Run" : words}
        </CommandButton>
      )}
      {hasOthers && (
        <div className="flex gap-2">
          {isRunning && (
            <CommandButton
              command={{ id: "batch.pause", label: "Pause", group: "Batch", icon: Pause, run: run.pause }}
              className="flex-1"
            />
          )}
          {left > 0 && (
            <CommandButton
              command={{
                id: "batch.cancel",
                label: "Cancel remaining",
                group: "Batch",
                icon: Undo2,
                run: run.cancelRemaining,
              }}
              variant="ghost"
              className="flex-1"
            />
          )}
        </div>
      )}
      <p className={clsx("m-0 text-[12px] text-ink-3", isBar && "max-sm:hidden")}>
        {isSandbox
          ? "Prices in the sandbox are examples. You pay nothing."
          : `Failed runs are refunded in full. ${SHARED_BALANCE}`}
      </p>
    </div>
  );
}

/** Why the batch does not go on, or what one of its models waits for. */
function PauseLine() {
  const view = useBatchDocument();
  const words = pauseReason(view) ?? waitReason(view);
  if (words === undefined) return null;
  return (
    <p role="status" className="wrap-anywhere m-0 flex items-baseline gap-2 text-[12.5px] text-ink-2">
      <span aria-hidden="true" className="size-[7px] shrink-0 rounded-full bg-unconfirmed" />
      <span>{words}</span>
    </p>
  );
}

function Refusal({ refusal, onDismiss }: { refusal: NonNullable<RunBatch["refusal"]>; onDismiss: () => void }) {
  if (refusal.kind === "failed") {
    return (
      <Notice tone="error" title="Not submitted" onDismiss={onDismiss}>
        {refusal.words}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title={refusal.count === 1 ? "1 price has changed" : `${refusal.count} prices have changed`}
      actions={<Button onClick={onDismiss}>OK</Button>}
    >
      Nothing was submitted. The new total is above. Press Run to agree to it.
    </Notice>
  );
}

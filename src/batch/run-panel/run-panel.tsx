import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Pause, Play, Undo2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { REFUND_RULE } from "#api/charge-words.ts";
import { explainError } from "#api/explain-error.ts";
import { agreeToRun, cancelWaiting } from "#batch/runner/batch-edits.ts";
import { chargedWords, pauseReason, waitReason } from "#batch/runner/batch-words.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { useConnection } from "#connection/connection-store.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useNow } from "#results/waiting/use-now.ts";
import { roundTime, useUsualTimes } from "#results/waiting/usual-time.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { useSpendLimits } from "#runs/ledger/use-ledger.ts";
import type { PriceProgress } from "#runs/prices/row-prices.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import { StorageError } from "#storage/rows.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { rem } from "#ui/rem.ts";
import { type RunTotal, runTotal, useBatchDocument, usualDuration } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { RunRules } from "./run-rules.tsx";

/** The panel beside the table: what the batch costs, how it is run, and the button that runs it. */
export function RunPanel({
  isSheet = false,
}: {
  /** It is shown in a side sheet. The buttons then stand under the table: see `RunActions`. */
  isSheet?: boolean;
}) {
  const total = useRunTotal();
  const run = useRunBatch();
  return (
    <aside
      aria-label={batchCommands.rules.label}
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

/** The total of the drafts, computed again when rows or prices change. */
export function useRunTotal(): RunTotal {
  const { items, problems, unchecked, prices } = useBatchDocument();
  return useMemo(() => runTotal({ items, problems, unchecked }, prices.of), [items, problems, unchecked, prices]);
}

/** Models and prices that the total lists one by one. */
const MAX_LINES = 8;

function Total({ total }: { total: RunTotal }) {
  const document = useBatchDocument();
  const { sums, prices } = document;
  const { ready, lines, totalMicroUsd } = total;
  if (sums.drafts === 0 && document.items.length > 0) return <Charged />;
  const drafts = document.items.filter(({ state }) => state.kind === "draft");
  const models = new Set(drafts.map(({ item }) => item.request.model)).size;
  return (
    <section aria-label="Price" className="border-line border-b px-4.5 py-4 tabular-nums">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{counted(ready.length, "run")}</span>
        <span className="font-semibold text-xl leading-tight tracking-tighter">{formatMicroUsd(totalMicroUsd)}</span>
      </div>
      {/* Has room for a line per model from the start, so that nothing below moves when another price is known. */}
      <dl className="m-0 mt-1.5 text-xs text-ink-2" style={{ minHeight: rem(Math.min(models, MAX_LINES) * 25) }}>
        {lines.slice(0, MAX_LINES).map(({ model, priceMicroUsd, count }) => (
          <div key={`${model} ${priceMicroUsd}`} className="flex gap-3 pt-1.75">
            <dt className="min-w-0 flex-1 truncate">{visibleLine(model, 60)}</dt>
            <dd className="m-0 text-ink-3">
              {formatNumber(count)} × {formatMicroUsd(priceMicroUsd)}
            </dd>
            <dd className="m-0 min-w-14.5 text-end text-ink">{formatMicroUsd(count * priceMicroUsd)}</dd>
          </div>
        ))}
        {lines.length > MAX_LINES && (
          <div className="pt-1.75 text-ink-3">+{counted(lines.length - MAX_LINES, "more price")}</div>
        )}
      </dl>
      {/* Has room for both texts, the second on two lines, so that nothing below moves when they come and go. */}
      <div className="mt-3 flex min-h-15.5 flex-col gap-2 text-xs">
        <p className="m-0 text-ink-3">
          <span>{priceWords(prices.progress, total)}</span>
          {ready.length > 0 && <PriceAge atMs={prices.progress.askedAtMs} />}
          {prices.progress.trouble && " The service is busy. Prices will reload automatically."}
        </p>
        <LeftOut total={total} />
      </div>
      {sums.drafts < document.items.length && <p className="m-0 mt-2 text-xs text-ink-2">{chargedWords(document)}</p>}
    </section>
  );
}

/** What the batch cost, once nothing is left to run: the sum of its lines in the ledger. */
function Charged() {
  const document = useBatchDocument();
  const { sums, items } = document;
  return (
    <section aria-label="Price" className="border-line border-b px-4.5 py-4 tabular-nums">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{counted(items.length, "run")}</span>
        <span className="font-semibold text-xl leading-tight tracking-tighter">
          {formatMicroUsd(sums.chargedMicroUsd - sums.refundedMicroUsd)}
        </span>
      </div>
      {/* Has room for two lines, because a refund or an unconfirmed run may be added. */}
      <p className="m-0 mt-2 min-h-9 text-xs text-ink-2">{chargedWords(document)}</p>
      <p className="m-0 mt-1 text-xs text-ink-3">
        These amounts are also in{" "}
        <Link to="/spend" className="text-ink-2 underline underline-offset-2">
          Spend
        </Link>
        .
      </p>
    </section>
  );
}

/** How many drafts Run does not submit, with a link to them. */
function LeftOut({ total: { pricing, unpriced, troubled, leftOutGroups } }: { total: RunTotal }) {
  const { batch } = useBatchDocument();
  const count = pricing + unpriced + troubled;
  const needing = unpriced + troubled;
  // Rows that are only being priced are counted above already.
  if (needing === 0) return null;
  const [only, ...others] = leftOutGroups;
  const name =
    others.length === 0 && batch.groups.length > 1 ? batch.groups.find(({ id }) => id === only)?.name : undefined;
  const from = name === undefined ? undefined : visibleLine(name, 60);
  return (
    <p className="m-0 flex items-baseline gap-2 text-ink-2">
      <span aria-hidden="true" className="size-1.75 shrink-0 rounded-full bg-unconfirmed" />
      <span>
        {counted(count, "run")}
        {from !== undefined && ` from ${from}`} excluded: {pricing > 0 && `${counted(pricing, "price")} loading, `}
        <Link
          to="/batch/$batchId"
          params={{ batchId: batch.id }}
          search={(old) => ({ ...old, view: "table" as const, show: "attention" })}
          className="font-medium text-ink underline decoration-line-strong underline-offset-[3px]"
        >
          {needing === 1 ? "1 needs attention" : `${formatNumber(needing)} need attention`}
        </Link>
      </span>
    </p>
  );
}

/** How far pricing is: "4 of 20 priced, about 8 s left." or "Exact prices." */
function priceWords(
  { priced, total, secondsLeft }: PriceProgress,
  { ready, isExact, unpriced, pricing, troubled }: RunTotal,
): string {
  if (total === 0 && pricing === 0)
    return troubled > 0 ? "No runs are ready." : "Add runs to see what they cost. Estimates are free.";
  if (priced + unpriced < total) {
    const left = secondsLeft === undefined ? "" : `, ${roughTime(secondsLeft)} left`;
    return `${formatNumber(priced)} of ${formatNumber(total)} priced${left}. Estimates are free.`;
  }
  if (ready.length === 0) return "No price yet.";
  return isExact ? "Exact prices." : "Estimated prices. Confirmed before the run.";
}

/** The age of the oldest price, shown from five seconds on. */
function PriceAge({ atMs }: { atMs: number | undefined }) {
  const now = useNow(5000, atMs !== undefined);
  if (atMs === undefined || now - atMs < 5000) return null;
  const seconds = Math.round((now - atMs) / 1000);
  return (
    <span className="whitespace-nowrap">
      {" "}
      Updated {seconds < 60 ? `${seconds} s ago` : formatAge(atMs / 1000, now)}.
    </span>
  );
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
    <section aria-label="Today" className="border-line border-b px-4.5 py-4 tabular-nums">
      <div className="flex justify-between gap-3">
        <h2 className="m-0 font-semibold text-sm">Today</h2>
        <span className="text-xs text-ink-2">
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
      <div className="mt-1 flex justify-between gap-3 text-xs text-ink-3">
        <span>After this batch {formatMicroUsd(after)}</span>
        {day !== undefined && (
          <span className={clsx(after > day && "text-failed")}>
            {after > day ? `${formatMicroUsd(after - day)} over` : `${formatMicroUsd(day - after)} left`}
          </span>
        )}
      </div>
      {day !== undefined && after > day && (
        <p className="m-0 mt-1.5 text-xs text-ink-2">The batch pauses when your limit per day is reached.</p>
      )}
    </section>
  );
}

/** Run, Pause, Resume and Cancel: at the end of the panel, or as a bar under the table (`isBar`). */
export function RunActions({
  total,
  run,
  extra,
  isBar = false,
}: {
  total: RunTotal;
  run: RunBatch;
  /** Shown at the right of the status, in place of the usual duration. */
  extra?: ReactNode;
  /** It is the bar under the table of a narrow window. */
  isBar?: boolean;
}) {
  const view = useBatchDocument();
  const [isAsking, setIsAsking] = useState(false);
  const { confirmAboveMicroUsd } = useSpendLimits().limits;
  const isSandbox = useConnection()?.isSandbox;
  const { sums, batch } = view;
  const { ready, totalMicroUsd } = total;
  const unsubmitted = sums.waiting + sums.retried;
  const isRunning = view.run.phase === "running";
  const isPaused = view.run.phase === "paused" && unsubmitted > 0;
  const isElsewhere = view.run.phase === "elsewhere";
  const perModel = Math.max(batch.rules.parallel, ...Object.values(batch.rules.parallelOf));
  const price = formatMicroUsd(totalMicroUsd);
  const hasAgreedRuns = isRunning || isPaused;
  const runLabel = hasAgreedRuns
    ? `Run ${formatNumber(ready.length)} more for ${price}`
    : `Run ${formatNumber(ready.length)} for ${price}`;
  const asksAbove =
    confirmAboveMicroUsd !== undefined && totalMicroUsd > confirmAboveMicroUsd ? confirmAboveMicroUsd : undefined;
  const unavailable =
    ready.length > 0
      ? isElsewhere
        ? "Pause the batch in the other tab first"
        : undefined
      : total.pricing > 0
        ? "Wait for prices to load"
        : total.troubled + total.unpriced > 0
          ? "Fix the runs that need attention first"
          : "Add runs first";
  return (
    <div className={clsx("flex flex-col border-line border-t px-4.5", isBar ? "gap-2 py-2.5" : "gap-2.5 pt-3.5 pb-4")}>
      {run.refusal && <Refusal refusal={run.refusal} onDismiss={run.dismissRefusal} />}
      <PauseLine />
      <div className="flex items-baseline justify-between gap-3 text-xs text-ink-2 tabular-nums">
        <span>
          {run.isChecking
            ? "Checking prices…"
            : hasAgreedRuns
              ? `${formatNumber(sums.submitted)} of ${formatNumber(view.items.length - sums.drafts)} submitted, ${formatNumber(sums.done)} done`
              : sums.drafts === 0 && sums.isOver
                ? `${formatNumber(sums.done)} of ${formatNumber(view.items.length)} done`
                : `${formatNumber(ready.length)} ready, ${perModel} in parallel`}
        </span>
        {extra ?? (!hasAgreedRuns && !run.isChecking && <UsualDuration total={total} />)}
      </div>
      {isPaused && (
        <CommandButton
          command={{ ...batchCommands.resume, icon: Play, run: run.resume }}
          variant="primary"
          size="lg"
          className="w-full tabular-nums"
        >
          Resume, {formatMicroUsd(sums.waitingMicroUsd)}
        </CommandButton>
      )}
      {(!hasAgreedRuns || ready.length > 0) && (
        <CommandButton
          command={{
            ...batchCommands.run,
            label: runLabel,
            icon: Play,
            value: ready.length > 0 ? price : undefined,
            unavailable,
            run: () => (asksAbove !== undefined ? setIsAsking(true) : run.run(total)),
          }}
          busy={run.isChecking}
          variant={isPaused ? "outline" : "primary"}
          size="lg"
          className={clsx(
            "w-full tabular-nums [&>.lucide-play]:hidden",
            // A longer label leaves no room for the shortcut.
            runLabel.length > 21 && "[&>span[aria-hidden]]:hidden",
          )}
        >
          {ready.length === 0 ? "Run" : runLabel}
        </CommandButton>
      )}
      {hasAgreedRuns && (
        <div className="flex gap-2">
          {isRunning && (
            <CommandButton command={{ ...batchCommands.pause, icon: Pause, run: run.pause }} className="flex-1" />
          )}
          {unsubmitted > 0 && (
            <CommandButton
              command={{
                ...batchCommands.cancel,
                icon: Undo2,
                run: run.cancelRemaining,
              }}
              variant="ghost"
              className="flex-1"
            />
          )}
        </div>
      )}
      <p className={clsx("m-0 text-xs text-ink-3", isBar && "max-sm:hidden")}>
        {isSandbox ? "Prices in the sandbox are examples. You pay nothing." : `${REFUND_RULE}. ${SHARED_BALANCE}`}
      </p>
      {isAsking && asksAbove !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={setIsAsking}
          title="Above your confirmation limit"
          description={`${counted(ready.length, "run costs", "runs cost")} ${price}. Your confirmation limit is ${formatMicroUsd(asksAbove)}.`}
          confirmLabel={runLabel}
          onConfirm={() => {
            setIsAsking(false);
            run.run(total);
          }}
        />
      )}
    </div>
  );
}

/** How long the ready runs usually take, judged by the person's own jobs of these models. */
function UsualDuration({ total }: { total: RunTotal }) {
  const { batch } = useBatchDocument();
  const times = useUsualTimes();
  const ms = usualDuration(total, batch.rules, (model) => times.of(model)?.medianMs);
  return ms === undefined ? null : <span className="text-ink-3">usually about {roundTime(ms)}</span>;
}

/** Why the batch is paused, or what one of its models waits for. */
function PauseLine() {
  const view = useBatchDocument();
  const words = pauseReason(view) ?? waitReason(view);
  // The space stays empty while the batch runs, so that nothing moves when a model has to wait.
  if (words === undefined)
    return view.run.phase === "running" ? <div aria-hidden="true" className="min-h-9.5" /> : null;
  return (
    <p role="status" className="wrap-anywhere m-0 flex min-h-9.5 items-baseline gap-2 text-sm text-ink-2">
      <span aria-hidden="true" className="size-1.75 shrink-0 rounded-full bg-unconfirmed" />
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
      title={`${counted(refusal.count, "price")} changed`}
      actions={<Button onClick={onDismiss}>OK</Button>}
    >
      Nothing was submitted. Press Run to accept the new total.
    </Notice>
  );
}

/** Why a press of Run submitted nothing. */
type RunRefusal = { kind: "changed"; count: number } | { kind: "failed"; words: string };

interface RunBatch {
  /** Checks the prices, records the consent and starts the runner. Submits nothing if a price has changed. */
  run: (total: RunTotal) => void;
  isChecking: boolean;
  refusal: RunRefusal | undefined;
  dismissRefusal: () => void;
  resume: () => void;
  pause: () => void;
  /** Runs that were not submitted become drafts again. */
  cancelRemaining: () => void;
}

/** The acts on the batch as a whole. Only `run` and `resume` spend money. */
export function useRunBatch(): RunBatch {
  const { batch, prices } = useBatchDocument();
  const { runner, storage } = useBatches();
  const running = useMutation({
    mutationFn: async (total: RunTotal): Promise<RunRefusal | undefined> => {
      const { changed } = await prices.check(total.ready.map(({ request }) => request));
      if (changed > 0) return { kind: "changed", count: changed };
      await agreeToRun(storage, batch.id, total.prices, total.ready);
      for (const { request } of total.ready.slice(0, MAX_REMEMBERED)) rememberPrompt(jobPrompt(request.payload) ?? "");
      void runner.start(batch.id);
      return undefined;
    },
  });
  const cancelling = useMutation({
    mutationFn: async () => {
      runner.pause(batch.id);
      await cancelWaiting(storage, batch.id, runner.sendingNow(batch.id));
    },
  });
  const error = running.error ?? cancelling.error;
  return {
    run: (total) => running.mutate(total),
    isChecking: running.isPending,
    refusal: running.data ?? (error ? { kind: "failed", words: failureWords(error) } : undefined),
    dismissRefusal: () => {
      running.reset();
      cancelling.reset();
    },
    resume: () => void runner.start(batch.id),
    pause: () => runner.pause(batch.id),
    cancelRemaining: () => cancelling.mutate(),
  };
}

/** More prompts of one batch would push all others out of the prompt history. */
const MAX_REMEMBERED = 10;

function failureWords(error: Error): string {
  if (error instanceof StorageError) return `${error.message} Nothing was submitted.`;
  const { body, nextStep } = explainError(error, "estimate");
  return `Couldn’t check prices, so nothing was submitted. ${body} ${nextStep}`;
}

import { clsx } from "clsx";
import { Pause, Play, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { REFUND_RULE } from "#api/charge-words.ts";
import { pauseReason, waitReason } from "#batch/runner/batch-words.ts";
import { useConnection } from "#connection/connection-store.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { useUsualTimes } from "#results/waiting/past-times.ts";
import { roundTime } from "#results/waiting/usual-time.ts";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { type RunTotal, usualDuration } from "./run-total.ts";
import type { RunBatch } from "./use-run-batch.ts";

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
  const [isAsking, setIsAsking] = useState(false);
  const { confirmAboveMicroUsd } = useSpendLimits().limits;
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
  const asksAbove =
    confirmAboveMicroUsd !== undefined && totalMicroUsd > confirmAboveMicroUsd ? confirmAboveMicroUsd : undefined;
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
        <span>
          {run.isChecking
            ? "Checking the prices"
            : hasOthers
              ? `${sums.submitted} of ${view.items.length - sums.drafts} submitted, ${sums.done} done`
              : sums.drafts === 0 && sums.isOver
                ? `${sums.done} of ${view.items.length} done`
                : `${ready.length} ready, ${perModel} at a time`}
        </span>
        {extra ?? (!hasOthers && !run.isChecking && <UsualDuration total={total} />)}
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
      {(!hasOthers || ready.length > 0) && (
        <CommandButton
          command={{
            ...batchCommands.run,
            label: words,
            icon: Play,
            value: ready.length > 0 ? price : undefined,
            unavailable: why,
            run: () => (asksAbove !== undefined ? setIsAsking(true) : run.run(total)),
          }}
          busy={run.isChecking}
          variant={isPaused ? "outline" : "primary"}
          size="lg"
          className={clsx(
            "w-full tabular-nums [&>.lucide-play]:hidden",
            words.length > 21 && "[&>span[aria-hidden]]:hidden",
          )}
        >
          {ready.length === 0 ? "Run" : words}
        </CommandButton>
      )}
      {hasOthers && (
        <div className="flex gap-2">
          {isRunning && (
            <CommandButton command={{ ...batchCommands.pause, icon: Pause, run: run.pause }} className="flex-1" />
          )}
          {left > 0 && (
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
      <p className={clsx("m-0 text-[12px] text-ink-3", isBar && "max-sm:hidden")}>
        {isSandbox ? "Prices in the sandbox are examples. You pay nothing." : `${REFUND_RULE}. ${SHARED_BALANCE}`}
      </p>
      {isAsking && asksAbove !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={setIsAsking}
          title="Above your confirmation limit"
          description={`${ready.length === 1 ? "1 run costs" : `${ready.length.toLocaleString("en-US")} runs cost`} ${price}. You asked to confirm above ${formatMicroUsd(asksAbove)}.`}
          confirmLabel={words}
          onConfirm={() => {
            setIsAsking(false);
            run.run(total);
          }}
        />
      )}
    </div>
  );
}

/** How long it usually takes, from the person's own jobs of these models. */
function UsualDuration({ total }: { total: RunTotal }) {
  const { batch } = useBatchDocument();
  const times = useUsualTimes();
  const ms = usualDuration(total, batch.rules, (model) => times.of(model)?.medianMs);
  return ms === undefined ? null : <span className="text-ink-3">usually about {roundTime(ms)}</span>;
}

/** Why the batch does not go on, or what one of its models waits for. */
function PauseLine() {
  const view = useBatchDocument();
  const words = pauseReason(view) ?? waitReason(view);
  // What a model waits for comes and goes: its space stays while the batch runs.
  if (words === undefined)
    return view.run.phase === "running" ? <div aria-hidden="true" className="min-h-[38px]" /> : null;
  return (
    <p role="status" className="wrap-anywhere m-0 flex min-h-[38px] items-baseline gap-2 text-[12.5px] text-ink-2">
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

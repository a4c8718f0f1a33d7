import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { SHARED_BALANCE } from "#ledger/limit-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { jobPrompt } from "../job-prompt.ts";
import { cancelWaiting, moveItem, removeItem } from "./batch-edits.ts";
import { itemTone } from "./batch-runner.ts";
import { itemWord, pauseReason } from "./batch-words.ts";
import type { Batches, BatchView } from "./use-batches.ts";

/** One batch: its runs in their order. Those that are not submitted can be moved and removed. */
export function BatchDialog({ view, batches, onClose }: { view: BatchView; batches: Batches; onClose: () => void }) {
  const { batch, items, run, sums } = view;
  const { where, runner } = batches;
  const isRunning = run.phase === "running";
  const firstWaiting = items.findIndex(({ state }) => state.kind === "waiting");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${sums.submitted} of ${items.length} submitted`}
      description={
        sums.waiting > 0
          ? `The remaining ${sums.waiting === 1 ? "run costs" : `${sums.waiting} runs cost`} ${formatMicroUsd(sums.waitingMicroUsd)}. ${pauseReason(view) ?? ""} ${SHARED_BALANCE}`
          : "All runs of this batch were submitted or removed."
      }
      footer={
        // Whoever submits it decides what becomes of it.
        run.phase === "elsewhere" ? undefined : (
          <>
            <Button
              onClick={() => {
                runner.pause(batch.id);
                void cancelWaiting(where, batch.id, runner.sendingNow(batch.id));
                onClose();
              }}
            >
              {sums.waiting > 0 ? "Cancel remaining" : "Remove from queue"}
            </Button>
            {sums.waiting > 0 && (
              <Button
                variant="primary"
                onClick={() => (isRunning ? runner.pause(batch.id) : void runner.start(batch.id))}
              >
                {isRunning ? "Pause" : `Resume, ${formatMicroUsd(sums.waitingMicroUsd)}`}
              </Button>
            )}
          </>
        )
      }
    >
      <ol className="m-0 flex max-h-[50dvh] list-none flex-col overflow-y-auto p-0">
        {items.map(({ item, state }, index) => {
          const name = jobPrompt(item.request.payload) ?? `Run ${index + 1}`;
          return (
            <li
              key={item.intentId}
              className="flex min-h-10 items-center gap-2.5 border-line border-t py-1 first:border-t-0"
            >
              <span className="w-6 text-right text-[12px] text-ink-3 tabular-nums">{index + 1}</span>
              <span className="min-w-0 flex-1 truncate" title={name} dir="auto">
                {state.kind === "sent" ? (
                  <Link
                    to="/jobs/$requestId"
                    params={{ requestId: state.requestId }}
                    className="text-ink underline decoration-line-strong underline-offset-2"
                    onClick={onClose}
                  >
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
              <span className="flex items-center gap-1.5 whitespace-nowrap text-[12.5px] text-ink-2">
                <StatusDot tone={itemTone(state)} />
                {itemWord(state)}
              </span>
              {(state.kind === "waiting" || state.kind === "input-deleted") && (
                <span className="flex">
                  {state.kind === "waiting" && (
                    <>
                      <IconButton
                        size="sm"
                        label={`Move up: ${name}`}
                        disabled={index <= firstWaiting}
                        onClick={() => void moveItem(where, batch.id, item.intentId, -1)}
                      >
                        <ArrowUp aria-hidden="true" className="size-4" />
                      </IconButton>
                      <IconButton
                        size="sm"
                        label={`Move down: ${name}`}
                        disabled={index === items.length - 1}
                        onClick={() => void moveItem(where, batch.id, item.intentId, 1)}
                      >
                        <ArrowDown aria-hidden="true" className="size-4" />
                      </IconButton>
                    </>
                  )}
                  <IconButton
                    size="sm"
                    label={`Remove: ${name}`}
                    onClick={() => void removeItem(where, batch.id, item.intentId)}
                  >
                    <X aria-hidden="true" className="size-4" />
                  </IconButton>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

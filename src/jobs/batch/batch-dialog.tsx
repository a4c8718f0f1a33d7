import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { formatMicroUsd } from "#lib/money.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { jobPrompt } from "../job-prompt.ts";
import { SHARED_BALANCE } from "../ledger/ledger-words.ts";
import type { NotSentReason, SubmitState } from "../submit/submit-state.ts";
import { moveItem, removeBatch, removeItem } from "./batch-edits.ts";
import type { ItemState, RunState } from "./batch-runner.ts";
import type { Batches, BatchView } from "./use-batches.ts";

/** Why a batch stopped, by the reason why its next run was not sent. */
const NOT_SENT: Partial<Record<NotSentReason, string>> = {
  offline: "Paused: the browser is offline.",
  "price-unknown": "Paused: the price of the next run could not be read.",
  "list-unread": "Paused: the job list could not be read.",
  "other-tab": "Another tab is sending this line.",
  storage: "Paused: this browser could not write the record.",
  "never-left": "Paused: the connection to this studio's host broke before the next run left it.",
  "host-unavailable": "Paused: this studio's host does not answer or cannot record what it sends.",
  "newer-version": "Paused: a newer version of Safelight has an open run of this model. Reload the page.",
  "storage-memory": "Paused: nothing can be kept in this window.",
};

function reasonText(reason: SubmitState): string {
  if (reason.phase === "rejected")
    return `Paused: the service refused with ${reason.refusal.status}. ${reason.refusal.message}`;
  if (reason.phase !== "not-sent") return "Paused.";
  if (reason.reason === "over-cap") {
    return `Paused: the next run would be ${formatMicroUsd(reason.overByMicroUsd ?? 0)} over your limit.`;
  }
  if (reason.reason === "price-rose") {
    return `Paused: the price rose to ${formatMicroUsd(reason.priceMicroUsd ?? 0)} since it was lined up.`;
  }
  return NOT_SENT[reason.reason] ?? "Paused.";
}

/** The state of a batch in a sentence. After a reload it is paused until the person starts it again. */
function pauseReason(run: RunState, waiting: number): string {
  if (run.phase === "running") return "Sending.";
  if (waiting === 0) return "Nothing waits.";
  return run.reason ? reasonText(run.reason) : "Paused. Nothing is sent until you say so.";
}

const STATE_WORDS: Record<ItemState["kind"], { word: string; tone: StatusTone }> = {
  waiting: { word: "Waiting", tone: "cancelled" },
  "input-deleted": { word: "Not sent, its file was deleted", tone: "failed" },
  sending: { word: "Sending", tone: "queued" },
  sent: { word: "Sent", tone: "success" },
  unconfirmed: { word: "Unconfirmed, looking", tone: "unconfirmed" },
  absent: { word: "No job found", tone: "unconfirmed" },
  refused: { word: "Refused, not charged", tone: "failed" },
};

/** One batch: what was sent, what waits, in which order. What waits can be moved and taken out. */
export function BatchDialog({ view, batches, onClose }: { view: BatchView; batches: Batches; onClose: () => void }) {
  const { batch, items, run, sums } = view;
  const { where, runner } = batches;
  const isRunning = run.phase === "running";
  const firstWaiting = items.findIndex(({ state }) => state.kind === "waiting");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${sums.sent} of ${items.length} sent`}
      description={`${sums.waiting} waiting, ${formatMicroUsd(sums.waitingMicroUsd)} together. ${pauseReason(run, sums.waiting)} ${SHARED_BALANCE}`}
      footer={
        <>
          {!isRunning && (
            <Button
              onClick={() => {
                void removeBatch(where, batch.id);
                onClose();
              }}
            >
              {sums.waiting > 0 ? "Drop what waits" : "Clear"}
            </Button>
          )}
          {sums.waiting > 0 && (
            <Button
              variant="primary"
              onClick={() => (isRunning ? runner.pause(batch.id) : void runner.start(batch.id))}
            >
              {isRunning ? "Pause" : `Go on, ${formatMicroUsd(sums.waitingMicroUsd)}`}
            </Button>
          )}
        </>
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
              <span className="min-w-0 flex-1 truncate" title={name}>
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
                <StatusDot tone={STATE_WORDS[state.kind].tone} />
                {STATE_WORDS[state.kind].word}
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
                    label={`Take out: ${name}`}
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

import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { formatMicroUsd } from "#lib/money.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { StatusDot, type StatusTone } from "#ui/status-dot.tsx";
import { jobPrompt } from "../job-prompt.ts";
import { moveItem, removeBatch, removeItem } from "./batch-edits.ts";
import type { ItemState } from "./batch-states.ts";
import { pauseReason } from "./batch-words.ts";
import type { Batches, BatchView } from "./use-batches.ts";

const LOOKS: Record<ItemState["kind"], { word: string; tone: StatusTone }> = {
  waiting: { word: "Waiting", tone: "cancelled" },
  sending: { word: "Sending", tone: "queued" },
  sent: { word: "Sent", tone: "success" },
  unconfirmed: { word: "Unconfirmed, looking", tone: "unconfirmed" },
  absent: { word: "No job found", tone: "unconfirmed" },
  refused: { word: "Refused, not charged", tone: "failed" },
};

/** One line of runs: what was sent, what waits, in which order. What waits can be moved and taken out. */
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
      description={`${sums.waiting} waiting, ${formatMicroUsd(sums.waitingMicroUsd)} together. ${pauseReason(run, sums.waiting)}`}
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
                <StatusDot tone={LOOKS[state.kind].tone} />
                {LOOKS[state.kind].word}
              </span>
              {state.kind === "waiting" && (
                <span className="flex">
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

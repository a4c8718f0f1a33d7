import { ChevronUp, ListVideo } from "lucide-react";
import { useState } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { NotifyButton } from "#results/alerts/notify-button.tsx";
import { Button } from "#ui/button.tsx";
import { runCommand, useCommands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { queueCommands } from "./commands.ts";
import { type Queue, QueueBadge, QueueList, WithQueue } from "./queue-list.tsx";

/** Opens the queue on a phone, beside the parts of Create. Its number has a place of its own, so that nothing moves. */
export function QueueButton() {
  return (
    <Button
      size="lg"
      data-command={queueCommands.open.id}
      aria-haspopup="dialog"
      className="px-3"
      onClick={() => runCommand(queueCommands.open.id)}
    >
      Queue
      {/* A faint 0 fills the place of the number while nothing runs; it is not read out. */}
      <span className="min-h-5 min-w-5 rounded-full text-center text-xs leading-relaxed empty:bg-raised empty:text-ink-3 empty:before:content-['0'/'']">
        <QueueBadge />
      </span>
    </Button>
  );
}

/**
 * The queue of a phone, which has no rail: a sheet from the bottom, and above the tabs a line that opens it while
 * something is in the queue. On Create a button beside its parts opens it.
 */
export function PhoneQueue({ isOnCreate }: { isOnCreate: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  useCommands([{ ...queueCommands.open, icon: ListVideo, run: () => setIsOpen(true) }]);
  return (
    <>
      {!isOnCreate && <QueueLine />}
      <WithQueue>
        {(queue) => (
          <Dialog
            open={isOpen}
            onOpenChange={setIsOpen}
            size="sm"
            title={queue.unfinished > 0 ? `Queue ${formatNumber(queue.unfinished)}` : "Queue"}
            footer={
              queue.unfinished > 0 && (
                <div className="flex w-full flex-col items-stretch gap-3">
                  <p className="m-0 text-ink-2 empty:hidden">{leaveText(queue)}</p>
                  <div className="flex flex-wrap gap-1.5">
                    <NotifyButton className="w-full" />
                  </div>
                </div>
              )
            }
          >
            <QueueList size="sheet" onOpen={() => setIsOpen(false)} />
          </Dialog>
        )}
      </WithQueue>
    </>
  );
}

/** Whether the page can be closed, and what goes on without it; empty where nothing is under way. */
function leaveText({ isUploading, isSubmitting, isRunning }: Queue): string {
  const ends = isUploading ? "the upload is done" : isSubmitting ? "all runs of the batch are submitted" : undefined;
  if (ends !== undefined)
    return `Keep this page open until ${ends}.${isRunning ? " Jobs keep running without it." : ""}`;
  return isRunning ? "You can close this page. Jobs keep running and will be here when you return." : "";
}

/** One line above the tabs: what is under way, in a few words. */
function QueueLine() {
  return (
    <WithQueue>
      {({ unfinished, entries }) =>
        entries.length > 0 && (
          <button
            type="button"
            data-command={queueCommands.open.id}
            aria-haspopup="dialog"
            onClick={() => runCommand(queueCommands.open.id)}
            className="flex min-h-11 w-full cursor-pointer items-center gap-2 border-0 border-line border-t bg-panel px-4 text-start font-medium text-ink short:hidden"
          >
            <StatusDot tone={unfinished > 0 ? "queued" : "success"} />
            <span>{unfinished > 0 ? `${formatNumber(unfinished)} in queue` : "Queue: all done"}</span>
            <ChevronUp aria-hidden="true" className="ms-auto size-4 text-ink-3" />
          </button>
        )
      }
    </WithQueue>
  );
}

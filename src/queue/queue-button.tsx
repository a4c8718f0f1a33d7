import { create } from "zustand";
import { Button } from "#ui/button.tsx";
import { queueCommands } from "./commands.ts";
import { QueueBadge } from "./use-queue.tsx";

/** Whether the sheet with the queue is open, on a phone. */
export const useQueueSheet = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function setQueueOpen(isOpen: boolean): void {
  useQueueSheet.setState({ isOpen });
}

/** Opens the queue on a phone, beside the parts of Create. Its number has a place of its own, so that nothing moves. */
export function QueueButton() {
  return (
    <Button
      size="lg"
      data-command={queueCommands.open.id}
      aria-haspopup="dialog"
      className="px-3"
      onClick={() => setQueueOpen(true)}
    >
      Queue
      {/* A faint 0 fills the place of the number while nothing runs; it is not read out. */}
      <span className="min-h-5 min-w-5 rounded-full text-center text-[12px] leading-5 empty:bg-raised empty:text-ink-3 empty:before:content-['0'/'']">
        <QueueBadge />
      </span>
    </Button>
  );
}

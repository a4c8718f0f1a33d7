import { create } from "zustand";
import { Button } from "#ui/button.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";

const QueueBadge = lazyNamed(() => import("./use-queue.tsx"), "QueueBadge");

/** Whether the sheet with the queue is open, on a phone. */
export const useQueueSheet = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function setQueueOpen(isOpen: boolean): void {
  useQueueSheet.setState({ isOpen });
}

/** Opens the queue on a phone, beside the parts of Create. Its number has a place of its own, so that nothing moves. */
export function QueueButton({ hasQueue }: { hasQueue: boolean }) {
  return (
    <Button size="lg" aria-haspopup="dialog" className="px-3" onClick={() => setQueueOpen(true)}>
      Queue
      <span className="min-w-5">{hasQueue && <QueueBadge />}</span>
    </Button>
  );
}

import { X } from "lucide-react";
import type { QueuedAsk } from "#chat/chat-shelf.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { useDesk } from "./chat-context.ts";

/** Messages that wait for the answer before them. After a stop or an error they wait for a word. */
export function WaitingList({ waiting, isBusy }: { waiting: readonly QueuedAsk[]; isBusy: boolean }) {
  const { answers } = useDesk();
  if (waiting.length === 0) return null;
  return (
    <ul aria-label="Waiting to be sent" className="m-0 mb-2 flex list-none flex-col gap-1 p-0">
      {waiting.map(({ id, conversationId, text }) => (
        <li key={id} className="flex items-center gap-2 text-[12.5px] text-ink-2">
          <span className="min-w-0 flex-1 truncate">Next: {text}</span>
          {!isBusy && (
            <Button size="sm" onClick={() => answers.sendWaiting(conversationId)}>
              Send now
            </Button>
          )}
          <IconButton label="Do not send" size="sm" onClick={() => answers.unqueue(id)}>
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

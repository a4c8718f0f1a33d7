import { X } from "lucide-react";
import { visibleLine } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import type { QueuedMessage } from "#text/conversations/unsent-messages.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { commandFor, useCommands } from "#ui/commands.ts";
import { playgroundCommands } from "../commands.ts";

/** Messages that wait for the answer before them. After a stop or an error they are sent only by hand. */
export function WaitingList({ waiting, isBusy }: { waiting: readonly QueuedMessage[]; isBusy: boolean }) {
  const { answers } = useChat();
  const [first] = waiting;
  const send = {
    ...playgroundCommands.sendQueued,
    run: () => first && answers.sendWaiting(first.conversationId),
  };
  const cancels = waiting.map(({ id, text }) => ({
    ...commandFor(playgroundCommands.cancelQueued, id),
    label: `Cancel message: ${visibleLine(text)}`,
    run: () => answers.unqueue(id),
  }));
  useCommands([...(first && !isBusy ? [send] : []), ...cancels]);
  if (!first) return null;
  return (
    <ul aria-label="Queued messages" className="m-0 mb-2 flex list-none flex-col gap-1 p-0">
      {waiting.map(({ id, text, pictures }, place) => (
        <li key={id} className="flex items-center gap-2 text-[12.5px] text-ink-2">
          <span className="min-w-0 flex-1 truncate">
            Next: <bdi>{text}</bdi>
            {pictures.length > 0 && ` (${pictures.length === 1 ? "1 image" : `${pictures.length} images`})`}
          </span>
          {!isBusy && (
            <Button size="sm" data-command={send.id} onClick={send.run}>
              Send now
            </Button>
          )}
          <IconButton
            label="Cancel message"
            size="sm"
            data-command={cancels[place]?.id}
            onClick={() => answers.unqueue(id)}
          >
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

import { clsx } from "clsx";
import { Pin } from "lucide-react";
import type { Column } from "#chat/conversation.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { Pill } from "#ui/pill.tsx";
import { useDesk } from "./chat-context.ts";
import { Who } from "./who.tsx";

/** The system prompt above the messages; with pins, whether it is to be kept in the service's cache. */
export function SystemLine({ conversationId, column }: { conversationId: string; column: Column }) {
  const { shelf } = useDesk();
  const { id, system, endpoint, cacheMode, isSystemPinned } = column;
  const canPin = endpoint === "messages" && cacheMode === "pins";
  const isCached = endpoint === "messages" && (cacheMode === "auto" || (canPin && isSystemPinned));
  const pin = () =>
    shelf.act(conversationId, {
      kind: "column-changed",
      columnId: id,
      patch: { isSystemPinned: !isSystemPinned },
    });
  return (
    <div>
      <Who
        aside={
          canPin && (
            <IconButton
              label="Keep the system prompt in the cache"
              size="sm"
              aria-pressed={isSystemPinned}
              onClick={pin}
            >
              <Pin aria-hidden className={clsx("size-3.5", isSystemPinned && "fill-current text-accent-text")} />
            </IconButton>
          )
        }
      >
        System
      </Who>
      <div className="wrap-anywhere max-w-[66ch] whitespace-pre-wrap text-[14px] leading-[1.62]">
        {system} {isCached && <Pill className="ml-1.5">cached</Pill>}
      </div>
    </div>
  );
}

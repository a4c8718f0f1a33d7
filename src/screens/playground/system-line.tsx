import type { Column } from "#chat/conversation.ts";
import { Pill } from "#ui/pill.tsx";
import { Who } from "./who.tsx";

/** The system prompt above the messages. */
export function SystemLine({ column }: { column: Column }) {
  const { system, endpoint, cacheMode, isSystemPinned } = column;
  const isCached = endpoint === "messages" && (cacheMode === "auto" || (cacheMode === "pins" && isSystemPinned));
  return (
    <div>
      <Who>System</Who>
      <div className="wrap-anywhere max-w-[66ch] whitespace-pre-wrap text-[14px] leading-[1.62]">
        {system} {isCached && <Pill className="ml-1.5">cached</Pill>}
      </div>
    </div>
  );
}

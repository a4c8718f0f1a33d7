import { useEffect, useState } from "react";
import { useChat } from "#chat/chat.ts";
import { replayCode } from "#chat/replay-code.ts";
import { loadRequestLog, MOST_STORED_LOGS, type RequestLog, requestLogOf } from "#chat/request-log.ts";
import { WirePanel as Panel } from "#connection/wire/wire-panel.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import type { DialogBodyProps } from "./use-dialog.ts";

const KEPT = `The last ${MOST_STORED_LOGS} are kept in this browser, without the key, until their conversation is deleted.`;
const TEMPORARY = "Kept in memory until this page is closed or loaded again, as the conversation is temporary.";

/** What exactly went over the wire for one answer, and code that asks the same again with the official clients. */
export function RequestLogPanel({ conversation, dialog }: DialogBodyProps<"requests">) {
  const { accountId } = useChat();
  const { turnId } = dialog;
  const inMemory = turnId === undefined ? undefined : requestLogOf(turnId);
  const [stored, setStored] = useState<RequestLog>();
  const [isLooking, setIsLooking] = useState(inMemory === undefined && turnId !== undefined);
  useEffect(() => {
    if (!isLooking || turnId === undefined) return;
    void loadRequestLog(accountId, turnId)
      .then(setStored, () => {})
      .finally(() => setIsLooking(false));
  }, [isLooking, accountId, turnId]);
  const log = inMemory ?? stored;
  const last = log?.exchanges.at(-1);
  if (isLooking) return <Skeleton className="h-40 w-full" />;
  return (
    <Panel
      exchanges={log?.exchanges ?? []}
      startTab={dialog.tab}
      note={log && (conversation.isTemporary ? TEMPORARY : KEPT)}
      missing={`${conversation.isTemporary ? TEMPORARY : KEPT} Ask something, then look again.`}
      replay={
        log && last
          ? (language) =>
              replayCode(language, { endpoint: log.endpoint, url: last.request.url, body: last.request.body })
          : undefined
      }
    />
  );
}

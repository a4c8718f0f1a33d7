import { useEffect, useState } from "react";
import { replayCode } from "#chat/replay-code.ts";
import { type WireLog, wireOf } from "#chat/wire-log.ts";
import { loadWire, MOST_KEPT } from "#chat/wire-rows.ts";
import { WirePanel as Panel } from "#connection/wire/wire-panel.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { useDesk } from "./chat-context.ts";
import type { DialogBodyProps } from "./playground-dialogs.tsx";

const KEPT = `The last ${MOST_KEPT} are kept in this browser, without the key, until their conversation is deleted.`;
const TEMPORARY = "Kept in memory until this page is closed or loaded again, as the conversation is temporary.";

/** What exactly went over the wire for one answer, and code that asks the same again with the official clients. */
export function AnswerWire({ conversation, dialog }: DialogBodyProps<"wire">) {
  const { accountId } = useDesk();
  const { turnId } = dialog;
  const inMemory = turnId === undefined ? undefined : wireOf(turnId);
  const [stored, setStored] = useState<WireLog>();
  const [isLooking, setIsLooking] = useState(inMemory === undefined && turnId !== undefined);
  useEffect(() => {
    if (!isLooking || turnId === undefined) return;
    void loadWire(accountId, turnId)
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

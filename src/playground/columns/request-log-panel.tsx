import { skipToken, useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { RequestLogView } from "#connection/request-log-view.tsx";
import { useChat } from "#text/chat.ts";
import { getRequestLog, loadRequestLog, MAX_STORED_LOGS } from "#text/request-log.ts";
import { Skeleton } from "#ui/indicators.tsx";
import type { DialogBodyProps } from "../use-dialog.ts";
import { replayCode } from "./replay-code.ts";

const STORED = `The last ${MAX_STORED_LOGS} requests are stored in this browser, without the key, until their conversation is deleted.`;
const TEMPORARY = "The chat is temporary, so its requests are stored only until you close or reload this page.";

/** The requests and events of one answer, and code that sends the same request with the official clients. */
export function RequestLogPanel({ conversation, dialog }: DialogBodyProps<"requests">) {
  const { accountId } = useChat();
  const usesApiKeyHeader = useConnection()?.usesApiKeyHeader;
  const { turnId } = dialog;
  const inMemory = turnId === undefined ? undefined : getRequestLog(turnId);
  const isStored = inMemory === undefined && turnId !== undefined;
  const { data: stored, isLoading } = useQuery({
    queryKey: ["request-log", accountId, turnId],
    queryFn: isStored ? async () => (await loadRequestLog(accountId, turnId)) ?? null : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const log = inMemory ?? stored ?? undefined;
  const last = log?.exchanges.at(-1);
  if (isLoading) return <Skeleton className="h-40 w-full" />;
  return (
    <RequestLogView
      exchanges={log?.exchanges ?? []}
      startTab={dialog.tab}
      note={log && (conversation.isTemporary ? TEMPORARY : STORED)}
      missing={`${conversation.isTemporary ? TEMPORARY : STORED} Send a message to see its request here.`}
      replay={
        log && last
          ? (language) => replayCode(language, { ...last.request, endpoint: log.endpoint, usesApiKeyHeader })
          : undefined
      }
    />
  );
}

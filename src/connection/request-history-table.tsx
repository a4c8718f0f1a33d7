import { formatNumber } from "#lib/numbers.ts";
import { formatElapsed, formatExactTime } from "#lib/time.ts";
import { Table, type TableColumn } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import type { RequestFacts, StoredRequest } from "./request-history.ts";

/** Stored requests, also of earlier page loads, latest first. `requests` come oldest first. */
export function RequestHistoryTable({ requests }: { requests: readonly StoredRequest[] }) {
  return (
    <Table
      caption="Requests, latest first"
      columns={COLUMNS}
      rows={requests.toReversed()}
      keyOf={({ atMs }, index) => `${atMs} ${index}`}
    />
  );
}

const COLUMNS: readonly TableColumn<StoredRequest>[] = [
  {
    name: "Sent",
    className: "whitespace-nowrap max-sm:whitespace-normal tabular-nums",
    cellClass: () => "text-ink-3",
    cell: ({ atMs }) => <Time seconds={atMs / 1000} format={(seconds) => formatExactTime(seconds, Date.now())} />,
  },
  {
    name: "Request",
    cellClass: () => "wrap-anywhere font-mono text-xs",
    cell: ({ method, path }) => `${method} ${path}`,
  },
  {
    name: "Status",
    cellClass: (request) => (isRefused(request) ? "text-failed" : "text-ink-2"),
    cell: answerWords,
  },
  {
    name: "Response time",
    isNumeric: true,
    className: "whitespace-nowrap",
    cellClass: () => "text-ink-2",
    cell: ({ tookMs }) => (tookMs < 1000 ? `${formatNumber(tookMs)} ms` : formatElapsed(tookMs)),
  },
];

function isRefused({ status, error }: RequestFacts): boolean {
  return (status ?? 0) >= 400 || (error ?? "AbortError") !== "AbortError";
}

const ERROR_WORDS: Partial<Record<NonNullable<RequestFacts["error"]>, string>> = {
  AbortError: "cancelled",
  TimeoutError: "no response in time",
  UnreadableAnswerError: "unreadable",
  StreamedError: "error in the body",
};

function answerWords({ status, error, hostReason }: RequestFacts): string {
  if (hostReason !== undefined) return `${status ?? ""} from the Safelight server: ${hostReason}`.trim();
  const words = error && (ERROR_WORDS[error] ?? (status === undefined ? "no response" : undefined));
  return [status, words].filter((part) => part !== undefined).join(", ") || "no response";
}

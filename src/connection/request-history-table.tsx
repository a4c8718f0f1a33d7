import { formatElapsed, formatExactTime } from "#lib/time.ts";
import { Time } from "#ui/time.tsx";
import type { RequestFacts } from "./request-facts.ts";
import type { KeptRequest } from "./request-history.ts";

/** Requests of this page load and of those before it: what was asked, when, and how it ended. The newest comes first. */
export function RequestHistoryTable({ requests }: { requests: readonly KeptRequest[] }) {
  return (
    <table className="w-full border-collapse text-left text-[12.5px] tabular-nums">
      <caption className="sr-only">Requests, newest first</caption>
      <thead className="text-ink-3">
        <tr>
          <th scope="col" className="py-1.5 pr-3 font-normal">
            Sent
          </th>
          <th scope="col" className="py-1.5 pr-3 font-normal">
            Request
          </th>
          <th scope="col" className="py-1.5 pr-3 font-normal">
            Status
          </th>
          <th scope="col" className="py-1.5 text-right font-normal">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.toReversed().map((request, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two requests of one moment differ in nothing else.
          <tr key={`${request.atMs} ${index}`} className="border-line border-t align-top">
            <td className="whitespace-nowrap py-1.5 pr-3 text-ink-3 max-sm:whitespace-normal">
              <Time seconds={request.atMs / 1000} format={(seconds) => formatExactTime(seconds, Date.now())} />
            </td>
            <td className="wrap-anywhere py-1.5 pr-3 font-mono text-[12px]">
              {request.method} {request.path}
            </td>
            <td className={`py-1.5 pr-3 ${isRefused(request) ? "text-failed" : "text-ink-2"}`}>
              {answerWords(request)}
            </td>
            <td className="whitespace-nowrap py-1.5 text-right text-ink-2">
              {request.tookMs < 1000 ? `${request.tookMs} ms` : formatElapsed(request.tookMs)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isRefused = ({ status, error }: RequestFacts) => (status ?? 0) >= 400 || (error ?? "AbortError") !== "AbortError";

const ERROR_WORDS: Partial<Record<NonNullable<RequestFacts["error"]>, string>> = {
  AbortError: "cancelled",
  TimeoutError: "no response in time",
  UnreadableAnswerError: "unreadable",
  StreamedError: "error in the body",
};

function answerWords({ status, error, hostReason }: RequestFacts): string {
  if (hostReason !== undefined) return `${status ?? ""} from the studio’s server: ${hostReason}`.trim();
  const words = error && (ERROR_WORDS[error] ?? (status === undefined ? "no response" : undefined));
  return [status, words].filter((part) => part !== undefined).join(", ") || "no response";
}

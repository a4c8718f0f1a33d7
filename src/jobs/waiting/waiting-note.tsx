import { useQueryClient } from "@tanstack/react-query";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { formatElapsed } from "#lib/time.ts";
import { jobKey, nextPollMs } from "../job-queries.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import type { PollPace } from "../poll/poll-interval.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import { useNow } from "./use-now.ts";
import { roundTime, usualTime } from "./usual-time.ts";

interface PollTimes {
  lastMs: number | undefined;
  /** Undefined where another tab or a list call polls. */
  nextMs: number | undefined;
  /** Why it is polled less often than every ten seconds, in words; undefined where it is not. */
  slowText: string | undefined;
}

/** When a job was last polled, and when it will be again, in ms. */
function usePollTimes(requestId: string): PollTimes {
  const api = useApi();
  const control = pollControlOf(api);
  const query = useQueryClient()
    .getQueryCache()
    .find({ queryKey: jobKey(requestId) });
  const createdAtSeconds = (query?.state.data as Job | undefined)?.createdAtSeconds;
  const isPolled = control.isPolled(requestId);
  const pace = (isPolled ? undefined : control.currentListPace()) ?? control.pace({ requestId, createdAtSeconds });
  const slowText = slowWords(pace);
  const lastMs = Math.max(query?.state.dataUpdatedAt ?? 0, query?.state.errorUpdatedAt ?? 0);
  if (!query || lastMs === 0) return { lastMs: undefined, nextMs: undefined, slowText };
  const everyMs = nextPollMs(api, requestId, query);
  return { lastMs, nextMs: everyMs === false ? undefined : lastMs + everyMs, slowText };
}

/** Spec 8 recommends 5 to 10 s: whatever is slower is said. */
function slowWords({ mostMs, slowBecause }: PollPace): string | undefined {
  const every = mostMs < 60_000 ? `every ${Math.round(mostMs / 1000)} s` : "once a minute";
  if (slowBecause === "old") return `Asked ${every}, because this job has run for so long.`;
  if (slowBecause === "limited") return `Asked ${every} for a while, because the service limits our requests.`;
  return slowBecause && `The last checks failed. Asked ${every} until one is answered.`;
}

const seconds = (ms: number) => `${Math.max(0, Math.round(ms / 1000))} s`;

/**
 * What is known while a job runs: how long it has been, how long this model usually took this person, when it was last
 * polled, and past the usual time that nothing is lost. The service reports no progress, so none is shown.
 */
export function WaitingNote({
  requestId,
  model,
  sinceMs,
}: {
  requestId: string;
  model: string | undefined;
  /** When it was submitted; undefined where nobody knows. */
  sinceMs: number | undefined;
}) {
  const nowMs = useNow();
  const usual = usualTime(useTrackedJobs(), model);
  const { lastMs, nextMs, slowText } = usePollTimes(requestId);
  const elapsedMs = sinceMs === undefined ? undefined : nowMs - sinceMs;
  const isLong = usual !== undefined && elapsedMs !== undefined && elapsedMs > usual.ninetiethMs;
  return (
    <div className="flex max-w-[40ch] flex-col items-center gap-1 text-center text-[12.5px] text-ink-3">
      {elapsedMs !== undefined && (
        <p className="m-0 text-[13.5px] text-ink-2 tabular-nums">
          <span className="sr-only">Elapsed </span>
          {formatElapsed(elapsedMs)}
          {usual && ` · usually ${usualText(usual)}`}
        </p>
      )}
      {lastMs !== undefined && (
        <p className="m-0 tabular-nums">
          Checked {seconds(nowMs - lastMs)} ago
          {nextMs !== undefined && `, next look in ${seconds(nextMs - nowMs)}`}
        </p>
      )}
      {slowText !== undefined && <p className="m-0">{slowText}</p>}
      <p className="m-0">
        {isLong
          ? "Longer than nine of ten of your jobs with this model. It is still charged, refunded exactly if it fails, and safe to close."
          : "It is safe to leave or close this page: the job goes on at the service and is found again here."}
      </p>
    </div>
  );
}

function usualText({ medianMs, ninetiethMs }: { medianMs: number; ninetiethMs: number }): string {
  const usual = roundTime(medianMs);
  const most = roundTime(ninetiethMs);
  return usual === most ? usual : `${usual} to ${most}`;
}

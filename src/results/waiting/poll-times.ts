import { useQueryClient } from "@tanstack/react-query";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { jobKey } from "#runs/poll/job-queries.ts";
import { getPollControl, type PollPace } from "#runs/poll/poll-control.ts";

interface PollTimes {
  /** When the job's status was last read, Unix ms; undefined before the first time. */
  lastMs: number | undefined;
  /** Why it is read less often than every ten seconds, as a sentence; undefined where it is not. */
  slowText: string | undefined;
}

/** When the status of a job was last read, and why not more often. */
export function usePollTimes(requestId: string): PollTimes {
  const control = getPollControl(useApi());
  const query = useQueryClient()
    .getQueryCache()
    .find({ queryKey: jobKey(requestId) });
  const createdAtSeconds = (query?.state.data as Job | undefined)?.createdAtSeconds;
  const listPace = control.isPolled(requestId) ? undefined : control.currentListPace();
  // Where another tab polls, this one learns of changes only, and not of polls that brought nothing new.
  if (!control.isPolled(requestId) && listPace === undefined) return { lastMs: undefined, slowText: undefined };
  const slowText = slowWords(listPace ?? control.pace({ requestId, createdAtSeconds }));
  const lastMs = Math.max(query?.state.dataUpdatedAt ?? 0, query?.state.errorUpdatedAt ?? 0);
  return { lastMs: lastMs === 0 ? undefined : lastMs, slowText };
}

/** Explains a pace that is slower than the 5 to 10 s of spec 8; undefined for any other. */
function slowWords({ maxMs, slowBecause }: PollPace): string | undefined {
  const every = maxMs < 60_000 ? `every ${Math.round(maxMs / 1000)} s` : "once a minute";
  if (slowBecause === "old") return `Updates ${every} because this job has run for a long time.`;
  if (slowBecause === "limited") return `Updates ${every} for now because the service limits requests.`;
  return slowBecause && `The latest updates failed. Trying again ${every}.`;
}

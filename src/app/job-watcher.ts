import { type Query, type QueryClient, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useDuplicateAlerts, useFinishAlerts, useStorageAlerts } from "#results/alerts/use-alerts.ts";
import { useArchiving } from "#results/archive/archive-finished.ts";
import {
  isActive,
  jobQueries,
  MAX_SINGLE,
  nextMissing,
  recordFromCache,
  watchListQuery,
} from "#runs/poll/job-queries.ts";
import { useTabRole } from "#runs/poll/leadership.ts";
import { getPollControl, LIST, SHORTEST_POLL_MS, usePolling } from "#runs/poll/poll-control.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { useImportedPrices } from "#runs/prices/imported-prices.ts";
import { isIntentKey } from "#runs/submit/outbox.ts";
import { type Submissions, useSubmissions } from "#runs/submit/submissions.ts";
import { onChange } from "#storage/changes.ts";

/**
 * Watches every job that is not final, whatever screen is open, and resumes the submits that earlier pages left open. One
 * tab of the browser polls, job by job or with one list call for many, and writes what was reported for the others.
 * Renders nothing: the shell mounts it.
 */
export function JobWatcher() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const queryClient = useQueryClient();
  const control = getPollControl(api);
  usePolling(api);
  const submissions = useSubmissions();
  useEffect(() => followWaking(api, submissions, queryClient), [api, submissions, queryClient]);
  const role = useTabRole(accountId);
  // Writes what was reported into the rows, where the other tabs read it.
  useEffect(() => recordFromCache({ api, accountId, queryClient }), [api, accountId, queryClient]);
  const tracked = useTrackedJobs();
  useFinishAlerts(tracked, role === "leader");
  useDuplicateAlerts();
  useStorageAlerts();
  useArchiving(api, tracked, role === "leader");
  useImportedPrices(api, accountId, tracked, role === "leader");
  const active = tracked.filter((job) => isActive(job, Date.now()));

  const leads = role === "leader";
  const hasMany = active.length > MAX_SINGLE;
  const list = useQuery({
    ...watchListQuery({ api, accountId, queryClient, active }),
    enabled: leads && hasMany,
  });
  const singles = hasMany ? nextMissing(list.data, list.dataUpdatedAt) : active.map(({ requestId }) => requestId);
  const polled = leads ? singles : [];
  usePolledHere({ control, watched: active.map(({ requestId }) => requestId), polled });
  useQueries({ queries: polled.map((requestId) => jobQueries(api).detail(requestId)) });
  return null;
}

/** Which of the watched jobs are polled here: those of `polled`. A job that is not watched is its screen's own. */
function usePolledHere({
  control,
  watched,
  polled,
}: {
  control: ReturnType<typeof getPollControl>;
  watched: string[];
  polled: string[];
}) {
  const watchedIds = watched.join(" ");
  const polledIds = polled.join(" ");
  useEffect(() => {
    const watchedSet = new Set(watchedIds.split(" "));
    const polledSet = new Set(polledIds.split(" "));
    control.setPolled((requestId) => polledSet.has(requestId) || !watchedSet.has(requestId));
  }, [control, watchedIds, polledIds]);
}

const RESUME_EVERY_MS = 20_000;
/** How long a click may be on its way to a submit: intents of another tab are read no sooner. */
const SEEN_AFTER_MS = 1_500;
const CATCH_UP_AT_MOST_EVERY_MS = 2_000;

/**
 * Whether a query was answered so long ago that its next poll is due. It compares times, since the cache's timers stood
 * still while the page slept; after a clock was set back it is due as well.
 */
function isOld({ state }: Query, nowMs: number): boolean {
  return Math.abs(nowMs - Math.max(state.dataUpdatedAt, state.errorUpdatedAt)) >= SHORTEST_POLL_MS;
}

function isOver({ state }: Query): boolean {
  const job = state.data as Job | undefined;
  return job !== undefined && isFinal(job.status);
}

/**
 * Resumes open submits when the page starts, every 20 s (another tab may have died), and at once, with the polls that are
 * due, when the page wakes up, comes back to the front, or the network returns. Nothing is submitted from here. Returns the
 * way to stop.
 */
export function followWaking(api: Api, submissions: Submissions, queryClient: QueryClient): () => void {
  const control = getPollControl(api);
  let caughtUpAtMs = 0;
  const resume = () => void submissions.resume().catch(() => {});
  const catchUp = () => {
    const nowMs = Date.now();
    if (document.visibilityState === "hidden" || nowMs - caughtUpAtMs < CATCH_UP_AT_MOST_EVERY_MS) return;
    caughtUpAtMs = nowMs;
    submissions.wake();
    resume();
    // A poll that began before the page slept is given up; one that began just now is the poll at waking itself.
    const isDue = (query: Query, name: string) => isOld(query, nowMs) && !control.isAsking(name);
    void queryClient.refetchQueries({
      queryKey: ["jobs", "detail"],
      type: "active",
      predicate: (query) => !isOver(query) && isDue(query, String(query.queryKey[2])),
    });
    void queryClient.refetchQueries({
      queryKey: ["jobs", "watch"],
      type: "active",
      predicate: (query) => isDue(query, LIST),
    });
  };
  resume();
  const timer = setInterval(resume, RESUME_EVERY_MS);
  const stopOutbox = onChange("outbox", () => void submissions.refresh().catch(() => {}));
  // A click that was on its way when another tab sent the same draft must still meet the spent intent.
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  const refreshLater = () => {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(() => void submissions.refreshIntents().catch(() => {}), SEEN_AFTER_MS);
  };
  // Another tab may have sent something before this one listened.
  refreshLater();
  const stopSettings = onChange("settings", (keys) => {
    if (keys === "all" || keys.some(isIntentKey)) refreshLater();
  });
  document.addEventListener("visibilitychange", catchUp);
  document.addEventListener("resume", catchUp);
  window.addEventListener("pageshow", catchUp);
  window.addEventListener("online", catchUp);
  window.addEventListener("focus", catchUp);
  return () => {
    clearInterval(timer);
    clearTimeout(refreshTimer);
    stopOutbox();
    stopSettings();
    document.removeEventListener("visibilitychange", catchUp);
    document.removeEventListener("resume", catchUp);
    window.removeEventListener("pageshow", catchUp);
    window.removeEventListener("online", catchUp);
    window.removeEventListener("focus", catchUp);
  };
}

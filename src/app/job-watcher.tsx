import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useDuplicateAlerts, useFinishAlerts, useStorageAlerts } from "#results/alerts/use-alerts.ts";
import { useArchiving } from "#results/archive/archive-finished.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { usePolling } from "#runs/poll/use-polling.ts";
import { useTabWatch } from "#runs/poll/use-tab-watch.ts";
import { MAX_SINGLE, nextMissing, watchListQuery } from "#runs/poll/watch-list-query.ts";
import { useImportedPrices } from "#runs/prices/imported-prices.ts";
import { useSubmissions } from "#runs/submit/submissions.ts";
import { isActive } from "#runs/track-job.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { useWake } from "./use-wake.ts";

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
  useWake(api, useSubmissions(), queryClient);
  const role = useTabWatch({ api, accountId, queryClient });
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

/** Of the watched jobs, only those of `polled` are polled by themselves; a job that is not watched is its screen's own. */
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
    const watchedHere = new Set(watchedIds.split(" "));
    const polledHere = new Set(polledIds.split(" "));
    control.setPolled((requestId) => polledHere.has(requestId) || !watchedHere.has(requestId));
  }, [control, watchedIds, polledIds]);
}

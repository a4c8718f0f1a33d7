import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { useDuplicateAlerts } from "./alerts/use-duplicate-alerts.ts";
import { useFinishAlerts } from "./alerts/use-finish-alerts.ts";
import { useStorageAlerts } from "./alerts/use-storage-alerts.ts";
import { useArchiving } from "./archive/use-archiving.ts";
import { jobQueries } from "./job-queries.ts";
import { useDesk } from "./use-desk.ts";
import { useTrackedJobs } from "./use-tracked-jobs.ts";
import { useWatchVersion } from "./use-watch-version.ts";
import { isActive } from "./watch/is-active.ts";
import { useTabWatch } from "./watch/use-tab-watch.ts";
import { useWake } from "./watch/use-wake.ts";
import { watchControlOf } from "./watch/watch-control.ts";
import { MOST_SINGLE, nextMissing, watchListQuery } from "./watch/watch-list-query.ts";

/**
 * Watches every job that is not final, whatever screen is open, and settles what earlier pages left open. One tab of
 * the browser asks, one by one or with one list call for many; the others are told. `JobWatcher` loads it. Shows
 * nothing.
 */
export function JobWatching() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const queryClient = useQueryClient();
  const control = watchControlOf(api);
  useWatchVersion(api);
  useWake(useDesk(), queryClient);
  const { role, tell } = useTabWatch({ api, accountId, queryClient });
  const tracked = useTrackedJobs();
  useFinishAlerts(tracked, role === "leader");
  useDuplicateAlerts();
  useStorageAlerts();
  useArchiving(tracked, role === "leader");
  const active = tracked.filter((job) => isActive(job, Date.now()));
  for (const { requestId, submittedAtMs } of active) control.noteSubmitted(requestId, submittedAtMs);

  const leads = role === "leader";
  const hasMany = active.length > MOST_SINGLE;
  const list = useQuery({
    ...watchListQuery({ api, accountId, queryClient, active, onLearned: tell }),
    enabled: leads && hasMany,
  });
  const singles = hasMany ? nextMissing(list.data, list.dataUpdatedAt) : active.map(({ requestId }) => requestId);
  const asked = leads ? singles : [];
  useAsking({ control, watched: active.map(({ requestId }) => requestId), asked });
  useQueries({ queries: asked.map((requestId) => jobQueries(api).detail(requestId)) });
  return null;
}

/** Of the watched jobs, only those of `asked` are asked after here; any other job on a screen is that screen's own. */
function useAsking({
  control,
  watched,
  asked,
}: {
  control: ReturnType<typeof watchControlOf>;
  watched: string[];
  asked: string[];
}) {
  const watchedIds = watched.join(" ");
  const askedIds = asked.join(" ");
  useEffect(() => {
    const watchedHere = new Set(watchedIds.split(" "));
    const askedHere = new Set(askedIds.split(" "));
    control.setAsking((requestId) => askedHere.has(requestId) || !watchedHere.has(requestId));
  }, [control, watchedIds, askedIds]);
}

import type { QueryClient } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import { recordGone, recordTold } from "./record-told.ts";
import { watchControlOf } from "./watch-control.ts";

/** The job id of a detail query's key, or undefined for any other key. */
function detailId(queryKey: readonly unknown[]): string | undefined {
  const [family, kind, id] = queryKey;
  return family === "jobs" && kind === "detail" && typeof id === "string" ? id : undefined;
}

/**
 * Writes whatever any screen of this tab learns of a tracked job into the record of this browser, as it arrives in the
 * cache, and calls back for the other tabs. Returns the way to stop.
 */
export function recordFromCache({
  api,
  accountId,
  queryClient,
  onLearned,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
  onLearned: (job: Job) => void;
}): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const requestId = detailId(event.query.queryKey);
    if (requestId === undefined) return;
    // Set by hand: it came from another tab, or from a list call that tells of it itself.
    if (event.action.type === "success" && !event.action.manual) {
      const job = event.query.state.data as Job;
      void recordTold(accountId, [job]);
      onLearned(job);
    }
    const { error } = event.query.state;
    const isGone = error instanceof RefusedError && error.status === 404 && watchControlOf(api).isGone(requestId);
    if (event.action.type === "error" && isGone) void recordGone(accountId, requestId);
  });
}

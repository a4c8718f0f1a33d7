import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { jobKey, nextLookMs } from "./job-queries.ts";

/** When a job was last looked at, and when it will be again, in ms. Undefined where another tab or a list call looks. */
export function useLookTimes(requestId: string): { lastMs: number | undefined; nextMs: number | undefined } {
  const api = useApi();
  const query = useQueryClient()
    .getQueryCache()
    .find({ queryKey: jobKey(requestId) });
  const lastMs = Math.max(query?.state.dataUpdatedAt ?? 0, query?.state.errorUpdatedAt ?? 0);
  if (!query || lastMs === 0) return { lastMs: undefined, nextMs: undefined };
  const everyMs = nextLookMs(api, requestId, query);
  return { lastMs, nextMs: everyMs === false ? undefined : lastMs + everyMs };
}

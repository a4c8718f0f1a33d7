import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { modelQueries } from "./model-queries.ts";
import type { ModelEntry } from "./search-models.ts";

/** Every model id with the detail the cache holds for it, which grows while rows are seen. */
export function useModelEntries() {
  const queries = modelQueries(useApi());
  const ids = useQuery(queries.ids());
  const detailsVersion = useDetailsVersion();
  const client = useQueryClient();
  const entries = useMemo<ModelEntry[]>(() => {
    // Read for its change alone: the details live in the cache.
    void detailsVersion;
    return (ids.data ?? []).map((id) => ({ id, detail: client.getQueryData<ModelDetail>(["models", "detail", id]) }));
  }, [ids.data, client, detailsVersion]);
  return { entries, isPending: ids.isPending, error: ids.error, refetch: ids.refetch };
}

/** A number that changes when another detail arrives. */
function useDetailsVersion(): number {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((notify: () => void) => cache.subscribe(notify), [cache]);
  const version = () =>
    cache.findAll({ queryKey: ["models", "detail"] }).reduce((sum, query) => sum + query.state.dataUpdateCount, 0);
  return useSyncExternalStore(subscribe, version);
}

import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";

const MINUTE_MS = 60_000;

/**
 * The list of generation models. There may be hundreds of models and each detail is its own request (spec 4.1), so details
 * are requested one by one, where they are shown, and cached for an hour.
 */
export function modelQueries(api: Api) {
  return {
    ids: () =>
      queryOptions({
        queryKey: ["models", "ids"],
        queryFn: ({ signal }) => api.listModelIds(signal),
        staleTime: 5 * MINUTE_MS,
        gcTime: 60 * MINUTE_MS,
      }),
    detail: (id: string) =>
      queryOptions({
        queryKey: ["models", "detail", id],
        queryFn: ({ signal }) => api.getModel(id, signal),
        staleTime: 15 * MINUTE_MS,
        gcTime: 60 * MINUTE_MS,
      }),
  };
}

import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";

// Not in `text-model-facts.ts`: the router and Create load early, and they need the catalogue but not its facts.

const MINUTE_MS = 60_000;

/** The text catalogue (spec 4.2): separate from the generation models, and read with one request. */
export function textModelQueries(api: Api) {
  return {
    all: () =>
      queryOptions({
        queryKey: ["text-models"],
        queryFn: ({ signal }) => api.listTextModels(signal),
        staleTime: 5 * MINUTE_MS,
        gcTime: 60 * MINUTE_MS,
      }),
  };
}

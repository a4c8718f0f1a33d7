import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#connection/client.ts";
import { useFavourites } from "#models/favourites-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";

/** Each model's parameters are a request of their own (spec 4.1), so that many are read, and more when asked for. */
const MODELS_AT_ONCE = 40;

export interface StepModels {
  /** Those whose parameters are read: the wanted ones and favourites first, then as the catalogue has them. */
  ids: readonly string[];
  schemas: ModelSchemas;
  /** What the service says of their prices, such as "$0.40 per second". */
  priceTexts: ReadonlyMap<string, string>;
  isLoading: boolean;
  /** How many more can be loaded at once; 0: all are. */
  more: number;
  loadMore: () => void;
  /** Why the catalogue could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The models of the catalogue with their parameters, so many at once. `wanted`: models that are read and offered first. */
export function useStepModels(wanted: readonly string[]): StepModels {
  const queries = modelQueries(useApi());
  const list = useQuery(queries.ids());
  const favourites = useFavourites();
  const [limit, setLimit] = useState(MODELS_AT_ONCE);
  const listed = new Set(list.data);
  const ordered = [...new Set([...wanted, ...favourites, ...(list.data ?? [])])].filter((id) => listed.has(id));
  const asked = ordered.slice(0, limit);
  const schemas = useModelSchemas(asked);
  const priceTexts = useQueries({ queries: asked.map((id) => queries.detail(id)), combine: textsOf });
  // Only up to the first that is still read: none comes between two that are there already.
  const loading = asked.findIndex((id) => schemas.get(id)?.state === "loading");
  return {
    ids: loading < 0 ? asked : asked.slice(0, loading),
    schemas,
    priceTexts,
    isLoading: list.isPending || loading >= 0,
    more: Math.min(MODELS_AT_ONCE, ordered.length - asked.length),
    loadMore: () => setLimit(limit + MODELS_AT_ONCE),
    error: list.error,
    retry: () => void list.refetch(),
  };
}

function textsOf(details: readonly { data?: { id: string; priceText: string | undefined } | undefined }[]) {
  return new Map(details.flatMap(({ data }) => (data?.priceText === undefined ? [] : [[data.id, data.priceText]])));
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { type ModelSchemas, useModelSchemas } from "#jobs/use-model-schemas.ts";
import { useFavourites } from "#models/favourites-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import { type StepKind, stepModels } from "./step-kinds.ts";

/** Each model's parameters are a request of their own (spec 4.1), so that many are read, and more when asked for. */
const MODELS_AT_ONCE = 40;

interface StepModels {
  /** Those that can do the step: the wanted ones and favourites first, then as the catalogue has them. */
  models: string[];
  schemas: ModelSchemas;
  isLoading: boolean;
  /** How many of the catalogue were not read. */
  unread: number;
  loadMore: () => void;
  /** Why the catalogue could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The models of the catalogue that can do a step. `wanted`: models that are read and offered first. */
export function useStepModels(kind: StepKind | undefined, wanted: readonly string[]): StepModels {
  const ids = useQuery(modelQueries(useApi()).ids());
  const favourites = useFavourites();
  const [most, setMost] = useState(MODELS_AT_ONCE);
  const listed = new Set(ids.data);
  const ordered = [...new Set([...wanted, ...favourites, ...(ids.data ?? [])])].filter((id) => listed.has(id));
  const read = ordered.slice(0, most);
  const schemas = useModelSchemas(read);
  return {
    models: kind ? stepModels(read, schemas, kind) : [],
    schemas,
    isLoading: ids.isPending || read.some((id) => schemas.get(id)?.state === "loading"),
    unread: ordered.length - read.length,
    loadMore: () => setMost(most + MODELS_AT_ONCE),
    error: ids.error,
    retry: () => void ids.refetch(),
  };
}

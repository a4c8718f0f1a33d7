import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { RefusedError } from "#api/api-error.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { modelQueries } from "#models/model-queries.ts";
import type { FormSchema } from "./read/field.ts";
import { readSchema } from "./read/read-schema.ts";
import { getCorrectedRoles, getSchemaPlace } from "./read/reading-hints.ts";

/** What is known of a model's parameters. `failed`: its response could not be read; `retry` asks again. */
export type ModelSchema =
  | { state: "loading" }
  | { state: "failed"; error: Error; retry: () => void }
  | { state: "ready"; schema: FormSchema; type: string | undefined };

export type ModelSchemas = ReadonlyMap<string, ModelSchema>;

/**
 * The parameters of several models at once, each read as its form on Create reads it. One request for each model of the
 * model list that is not in the cache (spec 4.1). The map stays the same while nothing changes.
 */
export function useModelSchemas(modelIds: readonly string[]): ModelSchemas {
  const api = useApi();
  const service = useConnection()?.queueBaseUrl;
  const { data: listed, isError: isUnlisted } = useQuery(modelQueries(api).ids());
  const wanted = useStable([...new Set(modelIds)]);
  const ids = useMemo(() => {
    if (isUnlisted) return wanted.slice(0, MAX_UNLISTED);
    const known = new Set(listed);
    return wanted.filter((id) => known.has(id));
  }, [wanted, listed, isUnlisted]);
  const details = useQueries({
    queries: ids.map((id) => modelQueries(api).detail(id)),
    combine: (results) => results.map(({ data, error, refetch }) => ({ data, error, refetch })),
  });
  return useMemo(() => {
    const entries = ids.map((id, at): [string, ModelSchema] => {
      const { data, error, refetch } = details[at] ?? {};
      if (data) {
        const schema = readSchema(data.raw, { roles: getCorrectedRoles(id), place: getSchemaPlace(service) });
        return [id, { state: "ready", schema, type: data.type }];
      }
      if (!error) return [id, { state: "loading" }];
      return [id, { state: "failed", error, retry: () => void refetch?.() }];
    });
    // A model is known to be gone only once the model list is there.
    const other: ModelSchema = listed ? GONE : { state: "loading" };
    const asked = new Set(ids);
    const others = wanted.filter((id) => !asked.has(id)).map((id): [string, ModelSchema] => [id, other]);
    return new Map([...entries, ...others]);
  }, [ids, wanted, listed, details, service]);
}

/**
 * A file may name thousands of models that nobody has heard of, so only those in the model list are asked for. Where
 * it cannot be read, the first few are.
 */
const MAX_UNLISTED = 10;

const GONE: ModelSchema = {
  state: "failed",
  error: new RefusedError({ status: 404, message: "The service doesn’t list this model." }),
  retry: () => {},
};

/** Returns the same array as long as its ids are the same. */
function useStable(ids: readonly string[]): readonly string[] {
  const text = JSON.stringify(ids);
  return useMemo(() => JSON.parse(text) as readonly string[], [text]);
}

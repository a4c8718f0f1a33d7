import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#connection/client.ts";
import type { JsonRecord } from "#lib/read.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { useFormSchema } from "#schema-form/form/use-schema-form.ts";
import { useReadingHints } from "#schema-form/read/place-store.ts";
import { type ExpectedResult, expectedResult, type UsedFact, usedFacts } from "./expected-result.ts";

const NOTHING: JsonRecord = {};

/**
 * What a run will make, as far as it is known before: from its payload, the model's defaults where they were read, and
 * earlier results. Nothing is asked for it.
 */
export function useExpectedResult(
  model: string | undefined,
  payload: JsonRecord = NOTHING,
): ExpectedResult & {
  usualAspect: number;
  facts: readonly UsedFact[];
  /** The job or its model is being read: what it makes, and in which shape, is known in a moment. */
  isLoading: boolean;
} {
  const queries = modelQueries(useApi());
  const { data: detail, fetchStatus } = useQuery({ ...queries.detail(model ?? ""), enabled: false });
  const schema = useFormSchema(detail, useReadingHints(model ?? ""));
  const isLoading = model === undefined || (detail === undefined && fetchStatus === "fetching");
  const tracked = useTrackedJobs();
  return useMemo(() => {
    const asked = { model, payload, schema, type: detail?.type, tracked };
    const expected = expectedResult(asked);
    const usualAspect = mediaAspect({ kind: expected.kind });
    return { ...expected, usualAspect, facts: usedFacts(asked), isLoading };
  }, [model, payload, schema, detail?.type, tracked, isLoading]);
}

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { jobQueries } from "#jobs/job-queries.ts";
import type { JsonRecord } from "#lib/json.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import type { CreateSearch, Keep } from "./create-search.ts";
import { dropLateDraft, lateDraft } from "./late-draft.ts";

/**
 * What the form starts with: the draft of this model, over it what is kept of the job in `?from=`.
 * Undefined while either is still being read. A job that cannot be read leaves the draft alone.
 */
export function useStartingPayload(modelId: string, { from, keep = "all" }: CreateSearch): JsonRecord | undefined {
  const draft = useDraft(modelId);
  const api = useApi();
  const job = useQuery({ ...jobQueries(api).detail(from ?? ""), enabled: from !== undefined });
  const [starting, setStarting] = useState<JsonRecord>();

  const ready = draft !== undefined && (from === undefined || job.isSuccess || job.isError);
  // Fixed once: a later poll of the source job must not reset what the person has typed since.
  if (ready && starting === undefined) setStarting(withKept(draft, job.data, keep));
  return starting;
}

const SEED = /seed/i;
const PROMPT = /^(prompt|text|instruction|lyrics)$/i;

function withKept(draft: JsonRecord, job: Job | undefined, keep: Keep): JsonRecord {
  const payload = job?.payload;
  if (payload === undefined) return draft;
  const kept = (wanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(payload).filter(([key]) => wanted(key)));
  switch (keep) {
    case "all":
      return payload;
    case "noseed":
      return kept((key) => !SEED.test(key));
    case "prompt":
      return { ...draft, ...kept((key) => PROMPT.test(key)) };
    case "seed":
      return { ...draft, ...kept((key) => SEED.test(key)) };
  }
}

function useDraft(modelId: string): JsonRecord | undefined {
  const scope = useConnection()?.keyFingerprint ?? "";
  const [payload, setPayload] = useState<JsonRecord>();
  useEffect(() => {
    let current = true;
    const late = lateDraft(scope, modelId);
    if (late) void saveDraft(scope, modelId, late).then(dropLateDraft);
    void loadDraft(scope, modelId).then((draft) => current && setPayload(late ?? draft?.payload ?? {}));
    return () => {
      current = false;
    };
  }, [scope, modelId]);
  return payload;
}

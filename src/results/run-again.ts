import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { isFinal } from "#api/jobs.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { findKey } from "#connection/find-key.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { hasDeletedInput } from "#runs/job-inputs.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { IDLE } from "#runs/rules/intent.ts";
import { useShownRun, useSubmissions } from "#runs/submit/submissions.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { randomSeed } from "#schema-form/controls/seed.ts";
import type { FormSchema, NumberField } from "#schema-form/read/field.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useJobSchema, withoutNulls } from "./settings/used-facts.ts";

export interface RunAgain {
  /**
   * Whether the run gets another seed, or may get one while the model's listing still loads: a model without a seed can only
   * run the same settings again.
   */
  hasNewSeed: boolean;
  /** The exact price of the very request that a press sends; undefined until the service has reported it. */
  priceMicroUsd: MicroUsd | undefined;
  /** No price yet, and nothing stands in its way. True also before it is asked for, while the result is only just in view. */
  isAsking: boolean;
  /** Why it cannot run now, as a sentence; undefined where it can, or where the price is still asked for. */
  obstacle: string | undefined;
  /** A run of this model is on its way to the service. */
  isSending: boolean;
  askAgain: () => void;
  /** Opens Create beside this job, where the outcome of every run is shown, and sends the request once. */
  run: () => void;
}

/** Results are flicked through, so the price is asked for only after one stayed in view this long. */
const REST_MS = 350;

/**
 * One more run of a job, with the same settings or with another seed. The price is the service's own for exactly what
 * will be sent, and the run goes through the same machine as the Run button. Undefined where the settings are not known.
 */
export function useRunAgain(job: JobRecord, seed: "new" | "same"): RunAgain | undefined {
  const navigate = useNavigate();
  const api = useApi();
  const submissions = useSubmissions();
  const model = job.model;
  const { schema, isLoading } = useJobSchema(isFinal(job.status) ? model : undefined);
  // A text, so that the memo below outlives a new object with the same settings.
  const payloadText = JSON.stringify(withoutNulls(job.payload ?? {}));
  const again = useMemo(() => {
    const payload: JsonRecord = JSON.parse(payloadText);
    return seed === "new" ? withNewSeeds(payload, schema) : { payload, hasNewSeed: false };
  }, [payloadText, schema, seed]);
  const request: JobRequest | undefined =
    model !== undefined && payloadText !== "{}" && isFinal(job.status) ? { model, payload: again.payload } : undefined;
  const state = useShownRun(model)?.state ?? IDLE;
  const obstacleBefore = request && findObstacle(request);
  const isRested = useRest(`${job.requestId} ${payloadText}`);
  const price = useQuery({
    // The empty request is never sent: without a request the query is disabled.
    ...estimateQueries(api).price(request ?? { model: "", payload: {} }),
    enabled: request !== undefined && obstacleBefore === undefined && isRested && !isLoading,
    refetchOnWindowFocus: false,
    retry: false,
  });
  if (request === undefined) return undefined;

  const isUnconfirmed = state.phase === "retrying" || (state.phase === "unconfirmed" && !state.canSendAgain);
  // What would be sent is known once the schema is: until then nothing has a price.
  const priceMicroUsd = price.isError || isLoading ? undefined : price.data?.priceMicroUsd;
  return {
    // Most models have a seed. Another label would be of another width, and move what stands beside it.
    hasNewSeed: again.hasNewSeed || (seed === "new" && isLoading),
    priceMicroUsd,
    isAsking: obstacleBefore === undefined && priceMicroUsd === undefined && !price.isError,
    obstacle: obstacleBefore ?? (price.isError ? priceTrouble(price.error) : isUnconfirmed ? EARLIER_RUN : undefined),
    isSending: state.phase === "sending",
    askAgain: () => void price.refetch(),
    run: () => {
      if (priceMicroUsd === undefined || isUnconfirmed || state.phase === "sending") return;
      // Read anew: a file of it may have been deleted since, and the price that was reported before is still there.
      if (findObstacle(request) !== undefined) return;
      void navigate({
        to: "/create/$modelId",
        params: { modelId: request.model },
        search: { job: job.requestId },
      });
      void submissions.submit(request, priceMicroUsd);
    },
  };
}

const EARLIER_RUN = "An earlier run of this model is unconfirmed. Wait until its job is found.";

/** Why a request cannot be sent at all, whatever its price, as a sentence. */
function findObstacle({ payload }: JobRequest): string | undefined {
  if (hasDeletedInput(payload)) return "An input of this job was deleted. Choose another in the form.";
  if (findKey(payload)?.kind === "own") return "This job’s settings contain your API key. Remove it in the form.";
  return undefined;
}

function priceTrouble(error: unknown): string {
  const { title, nextStep } = explainError(error, "estimate");
  return `No price: ${title}. ${nextStep}`.trim();
}

/**
 * The same settings with every seed new: in each seed field of the schema, and wherever else a seed was sent, under any
 * spelling and also as a text. `vary-runs.ts` changes one seed only, so that the variations of a sheet differ in nothing else.
 */
function withNewSeeds(
  payload: JsonRecord,
  schema: FormSchema | undefined,
): { payload: JsonRecord; hasNewSeed: boolean } {
  const fields = (schema?.fields ?? []).filter(
    (field): field is NumberField => field.kind === "number" && field.role === "seed",
  );
  const schemaSeeds = fields.map((field) => [field.key, numberFromText(field, String(randomSeed(field)))] as const);
  const known = new Set(fields.map(({ key }) => key));
  const otherSeeds = Object.entries(payload)
    .filter(([key, value]) => !known.has(key) && /^seed$/i.test(key) && Number.isFinite(Number(value)))
    .map(([key, value]) => {
      const next = randomSeed(ANY_SEED);
      return [key, typeof value === "string" ? String(next) : next] as const;
    });
  const seeds = [...schemaSeeds, ...otherSeeds];
  return { payload: { ...payload, ...Object.fromEntries(seeds) }, hasNewSeed: seeds.length > 0 };
}

const ANY_SEED = { min: undefined, max: undefined } as NumberField;

/** Whether what is looked at has stayed the same for a moment. */
function useRest(subject: string): boolean {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(subject), REST_MS);
    return () => clearTimeout(timer);
  }, [subject]);
  return rested === subject;
}

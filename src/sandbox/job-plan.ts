import type { JsonRecord } from "#lib/json.ts";
import type { ModelDefinition } from "./catalogue/model-definition.ts";
import { FAIL_REASONS, textsWithin } from "./documented-inputs.ts";
import type { JobEnding } from "./sandbox-job.ts";
import { seededFraction } from "./seeded-ids.ts";

export interface JobPlan {
  ending: JobEnding;
  /** Seconds of sandbox time until the ending; 0 means within the submit. */
  durationSeconds: number;
}

/** Decides at submit how and when a job ends. `missingInput` is an address on the service's storage with nothing behind it. */
export function planJob(
  model: ModelDefinition,
  payload: JsonRecord,
  requestId: string,
  missingInput: string | undefined,
): JobPlan {
  const words = textsWithin(payload);
  if (words.includes("stuck:hour")) return { ending: { status: "success" }, durationSeconds: 3600 };
  const durationSeconds = modelSeconds(model, requestId);
  if (words.includes("cancel:operator")) return { ending: { status: "cancelled" }, durationSeconds };
  const reason = model.alwaysFails ?? failReason(words) ?? fetchFailure(words, missingInput);
  return { ending: reason === undefined ? { status: "success" } : { status: "failed", reason }, durationSeconds };
}

function modelSeconds(model: ModelDefinition, requestId: string): number {
  if (model.timing === "sync") return 0;
  const { minSeconds, maxSeconds } = model.timing;
  return minSeconds + Math.round((maxSeconds - minSeconds) * seededFraction("duration", requestId));
}

function failReason(words: string): string | undefined {
  return Object.entries(FAIL_REASONS).find(([word]) => words.includes(word))?.[1];
}

/** Spec 4.1 rule 4: some hosts block fetches from data centers, and the job fails on that address. */
function fetchFailure(words: string, missingInput: string | undefined): string | undefined {
  const refused = /https?:\/\/\S*host-refused\S*/.exec(words)?.[0];
  const address = refused ?? missingInput;
  return address === undefined ? undefined : `Could not fetch the input ${address}: the host refused the request.`;
}

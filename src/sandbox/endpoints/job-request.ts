import { isRecord, type JsonRecord } from "#lib/json.ts";
import type { ModelDefinition } from "#sandbox/catalogue/model-definition.ts";
import { payloadProblem, withDefaults } from "#sandbox/catalogue/payload-check.ts";
import type { SandboxContext } from "#sandbox/sandbox-context.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";
import { generationModel } from "./model-endpoints.ts";

export interface CheckedRequest {
  model: ModelDefinition;
  payload: JsonRecord;
  /** The payload with defaults: estimate and submit price the same thing (spec 2). */
  full: JsonRecord;
  priceMicroUsd: number;
}

/** Reads the body of an estimate or a submit. Throws 400 that names the wrong key, 404 for a model that is not there. */
export function checkJobRequest(context: SandboxContext, body: JsonRecord): CheckedRequest {
  if (body.model === undefined) throw badRequest("model is required");
  if (typeof body.model !== "string" || body.model === "") throw badRequest("model must be a string");
  const model = generationModel(context, body.model);
  if (body.payload === undefined) throw badRequest("payload is required");
  if (!isRecord(body.payload)) throw badRequest("payload must be an object");
  const problem = payloadProblem(model, body.payload);
  if (problem !== undefined) throw badRequest(`payload: ${problem}`);
  const full = withDefaults(model, body.payload);
  return { model, payload: body.payload, full, priceMicroUsd: model.pricing.of(full) };
}

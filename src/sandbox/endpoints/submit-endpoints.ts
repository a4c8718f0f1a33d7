import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { Exchange, Route } from "../authenticate.ts";
import type { ModelDefinition } from "../catalogue/model-definition.ts";
import { payloadProblem, withDefaults } from "../catalogue/payload-check.ts";
import { textsWithin } from "../documented-inputs.ts";
import { planJob, type SandboxJob, submitRecord } from "../jobs/sandbox-job.ts";
import type { EndpointGroup, SandboxContext } from "../sandbox-context.ts";
import { badRequest, LostReply, SandboxError } from "../sandbox-error.ts";
import { generationModel, QUEUE_PATH } from "./model-endpoints.ts";

/** Spec 4.1: the estimate, which charges nothing, and the submit, which charges before anything else happens. */
export function submitEndpoints(context: SandboxContext): EndpointGroup {
  const estimate: Route = {
    name: "estimate",
    family: "queue",
    method: "POST",
    path: `${QUEUE_PATH}/requests/estimate`,
    readsJson: true,
    handle({ body }) {
      const { model, priceMicroUsd } = checkJobRequest(context, body);
      return Response.json({ model: model.id, price: priceMicroUsd, currency: "micro_usd" });
    },
  };
  const submit: Route = {
    name: "submit",
    family: "queue",
    method: "POST",
    path: `${QUEUE_PATH}/requests`,
    readsJson: true,
    handle: (exchange) => submitJob(context, exchange),
  };
  return { routes: [estimate, submit] };
}

function submitJob(context: SandboxContext, exchange: Exchange): Response {
  const { body, caller, base } = exchange;
  const words = textsWithin(body.payload);
  if (words.includes("lose:request")) throw new LostReply();
  if (words.includes("gateway:before")) throw badGateway();
  const checked = checkJobRequest(context, body);
  // Spec 3: an inactive model makes no job and no charge; the message names it.
  if (checked.model.state === "inactive") throw new SandboxError(404, `Model ${checked.model.id} is inactive`);
  context.ledger.requireRoom();
  const payloadCharacters = JSON.stringify(checked.payload).length;
  context.jobs.requireRoom(payloadCharacters, context.capacity.payloadCharacters);
  const requestId = context.nextId();
  const nowMs = context.clock.now();
  context.ledger.charge(caller, requestId, checked.priceMicroUsd, nowMs);
  if (words.includes("reject:moderation")) {
    // Spec 3: a rejected job reaches no final state; its charge comes back exactly.
    context.ledger.refund(requestId, nowMs);
    throw badRequest("Generation rejected; please review the prompt and parameters");
  }
  const job = makeJob(context, exchange, checked, requestId, nowMs);
  context.jobs.add(job, payloadCharacters);
  context.settle();
  if (words.includes("lose:reply")) throw new LostReply();
  if (words.includes("gateway:after")) throw badGateway();
  return Response.json(submitRecord(job, nowMs, base));
}

/** The answer of a gateway between page and service, which is not in the error shape of spec 7. */
function badGateway(): SandboxError {
  return new SandboxError(502, "", undefined, { error: "Bad Gateway" });
}

function makeJob(
  context: SandboxContext,
  { caller }: Exchange,
  { model, payload, full, priceMicroUsd }: CheckedRequest,
  requestId: string,
  nowMs: number,
): SandboxJob {
  const inputIds = context.uploads.idsWithin(textsWithin(payload));
  const missingId = inputIds.find((id) => context.uploads.find(id)?.size === undefined);
  const plan = planJob(
    model,
    payload,
    requestId,
    missingId === undefined ? undefined : `/sandbox/storage/inputs/${missingId}`,
  );
  return {
    requestId,
    user: caller.user,
    organisation: caller.organisation,
    model,
    payload: structuredClone(payload),
    priceMicroUsd,
    createdAtMs: nowMs,
    finishesAtMs: context.clock.endOfWork(nowMs, plan.durationSeconds),
    ending: plan.ending,
    files: model.files(full),
    inputIds,
    fetchedFiles: new Set(),
  };
}

interface CheckedRequest {
  model: ModelDefinition;
  payload: JsonRecord;
  /** The payload with defaults: estimate and submit price the same thing (spec 2). */
  full: JsonRecord;
  priceMicroUsd: number;
}

/** Reads the body of an estimate or a submit. Throws 400 that names the wrong key, 404 for a model that is not there. */
function checkJobRequest(context: SandboxContext, body: JsonRecord): CheckedRequest {
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

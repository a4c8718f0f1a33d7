import { textsWithin } from "#sandbox/documented-inputs.ts";
import { planJob } from "#sandbox/job-plan.ts";
import { submitRecord } from "#sandbox/job-record.ts";
import type { EndpointGroup, SandboxContext } from "#sandbox/sandbox-context.ts";
import { badRequest, LostReply, SandboxError } from "#sandbox/sandbox-error.ts";
import type { SandboxJob } from "#sandbox/sandbox-job.ts";
import type { Exchange, Route } from "../authenticate.ts";
import { type CheckedRequest, checkJobRequest } from "./job-request.ts";
import { QUEUE_PATH } from "./model-endpoints.ts";

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
  const checked = checkJobRequest(context, body);
  // Spec 3: an inactive model makes no job and no charge; the message names it.
  if (checked.model.state === "inactive") throw new SandboxError(404, `Model ${checked.model.id} is inactive`);
  const requestId = context.nextId();
  const nowMs = context.clock.now();
  context.ledger.charge(caller, requestId, checked.priceMicroUsd, nowMs);
  if (words.includes("reject:moderation")) {
    // Spec 3: a rejected job reaches no final state; its charge comes back exactly.
    context.ledger.refund(requestId, nowMs);
    throw badRequest("Generation rejected; please review the prompt and parameters");
  }
  const job = makeJob(context, exchange, checked, requestId, nowMs);
  context.jobs.add(job);
  context.settle();
  if (words.includes("lose:reply")) throw new LostReply();
  return Response.json(submitRecord(job, nowMs, base));
}

function makeJob(
  context: SandboxContext,
  { caller }: Exchange,
  { model, payload, full, priceMicroUsd }: CheckedRequest,
  requestId: string,
  nowMs: number,
): SandboxJob {
  const inputIds = context.uploads.idsWithin(textsWithin(payload));
  const missingId = inputIds.find((id) => context.uploads.find(id)?.bytes === undefined);
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
    finishesAtMs: nowMs + plan.durationSeconds * 1000,
    ending: plan.ending,
    files: model.files(full),
    inputIds,
    fetchedFiles: new Set(),
  };
}

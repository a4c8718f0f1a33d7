import type { JsonRecord } from "#lib/read.ts";
import type { Exchange, Route } from "./authenticate.ts";
import { type AskedError, readAskedError, textsWithin } from "./documented-inputs.ts";
import { SandboxError } from "./sandbox-error.ts";
import { seededHex } from "./seeded-ids.ts";

/** A fault set for one endpoint by settings: `times` undefined means until it is taken away. */
export interface Fault {
  /** Name of a route, such as `list`, or `*` for all of the queue and inference routes. */
  endpoint: string;
  status: number;
  times?: number;
}

/** Counts how often each asked error was given, so that "twice, then it works" holds. */
export interface FaultCounter {
  /** Whether the error is still due; counts it when it is. `source` is the text that asked for it. */
  isDue(asked: { word: string; times: number | undefined }, source: string): boolean;
}

const MAX_COUNTED = 10_000;

export function createFaultCounter(): FaultCounter {
  const given = new Map<string, number>();
  return {
    isDue(asked, source) {
      if (asked.times === undefined) return true;
      // A digest, because a source may be a whole body.
      const key = seededHex(32, asked.word, source);
      const count = given.get(key) ?? 0;
      if (count >= asked.times) return false;
      if (given.size >= MAX_COUNTED) given.clear();
      given.set(key, count + 1);
      return true;
    },
  };
}

/** Throws the error that the request asks for: by settings, in its address, or in its body. */
export function raiseAskedFaults(
  exchange: Exchange,
  route: Route,
  faults: readonly Fault[],
  counter: FaultCounter,
): void {
  const model =
    typeof exchange.body.model === "string" ? exchange.body.model : (exchange.params.model_id ?? "the model");
  for (const fault of faults) {
    if (fault.endpoint !== route.name && fault.endpoint !== "*") continue;
    if (counter.isDue({ word: JSON.stringify(fault), times: fault.times }, "")) throw statusError(fault.status, model);
  }
  const address = [...Object.values(exchange.params), ...exchange.url.searchParams.values()].join("\n");
  const body = askingText(exchange.body, route);
  const prefix = route.name === "estimate" ? "estimate-error" : "error";
  const asked = readAskedError("error", address) ?? readAskedError(prefix, body);
  if (asked !== undefined) raiseAsked(asked, `${route.name} ${exchange.caller.key} ${address} ${body}`, model, counter);
}

/** The text that is searched for words: of a conversation the newest message only, so it can go on after an error. */
function askingText(body: JsonRecord, route: Route): string {
  if (route.family !== "inference") return textsWithin(body);
  const conversation = body.messages ?? body.input ?? body.prompt ?? body;
  return textsWithin(Array.isArray(conversation) ? conversation.at(-1) : conversation);
}

/** Throws the asked error as long as it is due. */
export function raiseAsked(asked: AskedError, source: string, model: string, counter: FaultCounter): void {
  if (counter.isDue(asked, source))
    throw asked.status === "provider" ? providerError() : statusError(asked.status, model);
}

/** The error of spec 7 for a status. */
export function statusError(status: number, model: string): SandboxError {
  const entry = STATUS_ERRORS[status];
  if (entry === undefined) return new SandboxError(status, `The service responded with ${status}.`);
  return new SandboxError(status, entry.message.replace("<model>", model), entry.type);
}

/** Spec 7, last row: a provider's error, with its own status and body. */
function providerError(): SandboxError {
  const detail = { error: { type: "invalid_request_error", message: "The prompt is malformed." } };
  return new SandboxError(400, "", undefined, {
    error: {
      message: "Backend request failed with status 400",
      type: "backend_error",
      code: 400,
      details: JSON.stringify(detail),
    },
  });
}

const STATUS_ERRORS: Readonly<Record<number, { message: string; type?: string }>> = {
  400: { message: "The request is malformed.", type: "invalid_request_error" },
  401: { message: "Invalid API key." },
  402: { message: "Insufficient credits. Add credits to the organization to continue." },
  403: { message: "The resource group requires VIP access." },
  404: { message: "No endpoints for model <model>", type: "endpoint_error" },
  429: { message: "Rate limit exceeded for this organization or key.", type: "rate_limit_exceeded" },
  500: { message: "Internal error." },
  502: { message: "All endpoints failed for <model> after retries.", type: "endpoint_error" },
  503: { message: "Model routing is temporarily unavailable. Try again." },
};

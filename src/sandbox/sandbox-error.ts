import type { JsonRecord } from "#lib/read.ts";

/**
 * A refusal of the service: thrown by an endpoint, answered as the error body of spec 7.
 * `type` is left out where the specification shows only a message. A `body` replaces the error body as a whole:
 * a provider's error passed through (spec 7, last row).
 */
export class SandboxError extends Error {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: JsonRecord | undefined;

  constructor(status: number, message: string, type?: string, body?: JsonRecord) {
    super(message);
    this.name = "SandboxError";
    this.status = status;
    this.type = type;
    this.body = body;
  }
}

/** The error body of spec 7: `{ error: { message, type? } }`. */
export function errorResponse(error: SandboxError): Response {
  const { message, type, status, body } = error;
  return Response.json(body ?? { error: type === undefined ? { message } : { message, type } }, { status });
}

/** 400 that names the wrong key (spec 7: fix the body; do not retry unchanged). */
export function badRequest(message: string): SandboxError {
  return new SandboxError(400, message, "invalid_request_error");
}

/** Spec 7: unknown model, or no serving endpoint. The service words it differently from `otherCatalogue`. */
export function unknownModel(id: string): SandboxError {
  return new SandboxError(404, `No endpoints for model ${id}`, "endpoint_error");
}

/** Spec 1 and 7: an id of the other catalogue, worded as the service does. */
export function otherCatalogue(id: string): SandboxError {
  return new SandboxError(404, `no endpoint for model ${id}`, "endpoint_error");
}

/** The connection breaks before an answer: `fetch` then answers a network error instead of a status. */
export class LostReply extends Error {}

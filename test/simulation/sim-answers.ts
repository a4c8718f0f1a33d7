import { NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import { readJob, readSubmitted } from "#api/jobs.ts";
import { readJson } from "#api/read-body.ts";
import { readError } from "#api/read-error.ts";
import type { Job } from "#api/types.ts";
import type { OWN_NOES } from "./sim-settings.ts";

/** An answer on the wire. */
export interface WireAnswer {
  status: number;
  text: string;
  /** The host's header: why it answered itself. */
  hostReason?: string;
  /** Too large for the host's memory. */
  isLarge?: boolean;
}

/** What the near end of a connection sees: an answer, no answer within its patience, or a connection that broke. */
export type Reply = WireAnswer | "broken" | "timed-out";

const json = (status: number, body: unknown): WireAnswer => ({ status, text: JSON.stringify(body) });
const html = (status: number, title: string): WireAnswer => ({
  status,
  text: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body><center><h1>${status} ${title}</h1></center></body>\r\n</html>`,
});

/** Answers of what stands in between. Each of them may come before or after a job was made. */
export const GATEWAY_ANSWERS: readonly WireAnswer[] = [
  json(502, { error: "Bad Gateway" }),
  json(502, { error: { message: "Bad Gateway" } }),
  json(502, { error: { message: "Bad Gateway", type: "bad_gateway" } }),
  json(503, { error: { message: "Service Temporarily Unavailable" } }),
  json(500, { error: { message: "Internal server error", type: "server_error" } }),
  json(500, { detail: "Internal Server Error" }),
  json(504, { message: "Endpoint request timed out" }),
  html(502, "Bad Gateway"),
  html(503, "Service Temporarily Unavailable"),
  html(504, "Gateway Time-out"),
  html(401, "Unauthorized"),
  html(403, "Forbidden"),
  html(413, "Request Entity Too Large"),
  html(429, "Too Many Requests"),
  { status: 403, text: "Request blocked." },
  { status: 429, text: "" },
  json(429, { message: "Too Many Requests" }),
  json(200, { error: { message: "Upstream error" }, request_id: "trace-1" }),
  json(200, { success: false, id: "err_19" }),
  json(200, { code: 1001, message: "Not now", request_id: "trace-2" }),
  json(200, { status: "ok", id: "portal-1" }),
  json(200, { status: "success", message: "Sign in first", id: "portal-2" }),
  json(200, { code: 1001, message: "Not now", request_id: "trace-3", model: "model-0" }),
];

const error = (status: number, message: string, type?: string) =>
  json(status, { error: { message, ...(type === undefined ? {} : { type }) } });

/** The service's own words for a no. They never follow a job. */
export function ownNo(status: (typeof OWN_NOES)[number], model: string): WireAnswer {
  switch (status) {
    case "429":
      return error(429, "Rate limit exceeded. Try again later.", "rate_limit_exceeded");
    case "502":
      return error(502, `All endpoints failed for ${model} after retries.`, "endpoint_error");
    case "503":
      return error(503, "Model routing is temporarily unavailable. Try again.");
    case "400":
      return error(400, "Field 'prompt' is not valid.");
    case "404":
      return error(404, `No endpoints for model ${model}.`);
    default:
      return error(401, "Invalid API key.");
  }
}

/** Every fifth job is answered with its id alone. */
const ID_ALONE = /[05]$/;

/** A service answers a submit with what it says of a job then, or with its id alone; the payload is not repeated. */
export function jobAnswer({ requestId, model, status, createdAtSeconds }: Job): WireAnswer {
  if (ID_ALONE.test(requestId)) return json(200, { request_id: requestId });
  return json(200, { request_id: requestId, model, status, created_at: createdAtSeconds });
}

/** A service's record of one job. */
export function jobRecord(job: Job | undefined): WireAnswer {
  if (!job) return error(404, "There is no such request.");
  const { requestId, model, status, payload, createdAtSeconds } = job;
  return json(200, { request_id: requestId, model, status, payload, created_at: createdAtSeconds });
}

/**
 * A job as the page's client reads it, or its error. Throws as `submit` of the client rejects; with an id as `getJob` does.
 */
export function readReply(reply: Reply, requestId?: string): Job {
  if (reply === "broken") throw new NoAnswerError({ cause: new TypeError("Failed to fetch") });
  if (reply === "timed-out") throw new NoAnswerError({ timedOut: true });
  const { status, text, hostReason } = reply;
  if (status >= 200 && status < 300) {
    try {
      const raw = readJson(text, status);
      return requestId === undefined ? readSubmitted(raw) : readJob(raw, requestId);
    } catch (error) {
      if (error instanceof UnreadableAnswerError) error.hostReason = hostReason;
      throw error;
    }
  }
  throw readError(status, text, new Headers(hostReason === undefined ? {} : { "x-safelight-relay": hostReason }));
}

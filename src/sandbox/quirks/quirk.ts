import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { Exchange, Route } from "../authenticate.ts";

/** What a quirk may know of the exchange it changes. */
export interface Passage {
  exchange: Exchange;
  /** The route that was meant, also for a preflight; undefined for an unknown path. */
  route: Route | undefined;
  /** The time of the sandbox, milliseconds. */
  nowMs: number;
  /** How many times as fast as the clock jobs are worked on. */
  speed: number;
  wait(ms: number): Promise<void>;
  /** Reads a file of the sandbox's own storage. */
  readFile(url: string): Promise<Response>;
}

/**
 * A way in which real servers differ where the specification is silent. Each changes the request on its way in or the
 * answer on its way out; the faithful sandbox has no part in it.
 */
export interface Quirk {
  name: string;
  /** One line for the sandbox help in Settings. */
  explanation: string;
  /** Changes the request's address and headers before it is routed, or answers it in the sandbox's place. */
  request?(url: URL, headers: Headers, method: string): Response | undefined;
  /** Refuses a request that passed every other check, before anything is done or charged: throws a `SandboxError`. */
  refuse?(exchange: Exchange, route: Route): void;
  /** Changes a JSON answer of status 200 on the named routes. */
  json?: { routes: readonly string[]; change(body: JsonRecord, passage: Passage): unknown };
  /** Changes the answer as a whole, after `json`. */
  response?(response: Response, passage: Passage): Response | Promise<Response>;
}

/** The request as the chosen quirks let the sandbox see it, and an answer where one of them gives it. */
export function applyToRequest(
  request: Request,
  chosen: readonly Quirk[],
): { request: Request; url: URL; answered: Response | undefined } {
  const url = new URL(request.url);
  if (!chosen.some((quirk) => quirk.request !== undefined)) return { request, url, answered: undefined };
  const headers = new Headers(request.headers);
  let answered: Response | undefined;
  for (const quirk of chosen) answered = quirk.request?.(url, headers, request.method) ?? answered;
  return { request: new Request(request, { headers }), url, answered };
}

/** Leads an answer through the chosen quirks, in the order of their list. */
export async function applyQuirks(response: Response, chosen: readonly Quirk[], passage: Passage): Promise<Response> {
  let answer = response;
  for (const { json, response: change } of chosen) {
    if (json !== undefined && answer.status === 200 && json.routes.includes(passage.route?.name ?? "")) {
      answer = await changeJson(answer, (body) => (isRecord(body) ? json.change(body, passage) : body));
    }
    if (change !== undefined) answer = await change(answer, passage);
  }
  return answer;
}

async function changeJson(response: Response, change: (body: unknown) => unknown): Promise<Response> {
  const body: unknown = await response.json();
  return withBody(response, JSON.stringify(await change(body)));
}

/** The same status and headers with another body. */
export function withBody(response: Response, body: BodyInit | null, contentType?: string): Response {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  if (contentType !== undefined) headers.set("content-type", contentType);
  return new Response(body, { status: response.status, headers });
}

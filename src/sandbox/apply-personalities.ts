import { isRecord } from "#lib/json.ts";
import type { Passage, Personality } from "./personality.ts";

/** The request as the chosen personalities let the sandbox see it, and an answer where one of them gives it. */
export function applyToRequest(
  request: Request,
  chosen: readonly Personality[],
): { request: Request; url: URL; answered: Response | undefined } {
  const url = new URL(request.url);
  if (!chosen.some((personality) => personality.request !== undefined)) return { request, url, answered: undefined };
  const headers = new Headers(request.headers);
  let answered: Response | undefined;
  for (const personality of chosen) answered = personality.request?.(url, headers, request.method) ?? answered;
  return { request: new Request(request, { headers }), url, answered };
}

/** Leads an answer through the chosen personalities, in the order of their list. */
export async function applyPersonalities(
  response: Response,
  chosen: readonly Personality[],
  passage: Passage,
): Promise<Response> {
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

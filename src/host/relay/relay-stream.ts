import { pipeline } from "node:stream/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { dropConnection } from "../start-server.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayTarget } from "./relay-target.ts";
import {
  type BodyFraming,
  type OpenUpstream,
  pageHeaders,
  type UpstreamAnswer,
  upstreamHeaders,
} from "./upstream-request.ts";

/** One relayed request, past all checks. */
export interface Relayed {
  connection: HttpBindings | Http2Bindings;
  target: RelayTarget;
  /** Reaches what this target may reach. */
  open: OpenUpstream;
}

/**
 * Streams a request up and its answer down; neither is held in memory. When the page goes away the request upstream is
 * aborted. An answer that breaks off breaks off for the page too. Throws a RelayRefusal when the relay itself must
 * answer.
 */
export async function relayStream({ connection, target, open }: Relayed): Promise<void> {
  const { incoming, outgoing } = connection;
  const leaving = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) leaving.abort();
  });
  let isConnected = false;
  let answer: UpstreamAnswer;
  const framing = bodyFraming(connection);
  try {
    answer = await open({
      target,
      method: incoming.method ?? "GET",
      headers: upstreamHeaders(incoming.headers, target.use, framing),
      body: framing === "none" ? undefined : incoming,
      signal: leaving.signal,
      onConnected: () => {
        isConnected = true;
      },
    });
  } catch (error) {
    if (!isConnected) throw asRefusal(error, target);
    // A browser sends a broken POST again by itself, and it may cost something: so it gets an answer.
    if (incoming.method === "POST") throw answerLost();
    dropConnection(connection);
    return;
  }
  refuseRedirect(answer, target);
  // The page takes the service's time from it. The host's own would be another clock's.
  outgoing.sendDate = false;
  outgoing.writeHead(answer.statusCode ?? 502, pageHeaders(answer.headers, target));
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  try {
    await pipeline(answer, outgoing, { end: false });
  } catch {
    dropConnection(connection);
    return;
  }
  // A service may have answered before it had the whole body.
  if (framing !== "none") await drainBody(connection);
  outgoing.end();
}

/** Throws when the service answers with a redirect: where it leads has not been checked, and the key must not follow. */
function refuseRedirect(answer: UpstreamAnswer, { origin }: RelayTarget): void {
  if (!isRedirect(answer)) return;
  answer.destroy();
  throw new RelayRefusal(
    502,
    "redirect",
    `${origin} answered with a redirect (${answer.statusCode}), which the relay never follows.`,
  );
}

/** True for every answer that sends the caller elsewhere; 304 does not. */
export function isRedirect({ statusCode = 0 }: UpstreamAnswer): boolean {
  return statusCode >= 300 && statusCode <= 399 && statusCode !== 304;
}

function answerLost(): RelayRefusal {
  return new RelayRefusal(
    504,
    "outcome_unknown",
    "The request was sent to the service, and the connection broke before its answer. It is not sent again.",
  );
}

/** An error from before the connection stood: nothing was sent. */
export function asRefusal(error: unknown, { origin }: RelayTarget): RelayRefusal {
  if (error instanceof RelayRefusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "no connection";
  return new RelayRefusal(502, "unreachable", `This studio's host cannot reach ${origin} (${code}). Nothing was sent.`);
}

function bodyFraming({ incoming }: HttpBindings | Http2Bindings): BodyFraming {
  if (incoming.method === "GET" || incoming.method === "HEAD") return "none";
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (encoding !== undefined) return "chunked";
  if (length !== undefined) return length === "0" ? "none" : "length";
  // HTTP/2 needs neither: a stream that did not end with its headers has a body.
  return "stream" in incoming && !incoming.stream.endAfterHeaders ? "chunked" : "none";
}

/**
 * Reads and drops what the page still sends, before the answer ends. A connection that closes during an upload is a
 * network error to a browser, which then never shows the answer. Resolves at the end of the body, or when the page
 * leaves.
 */
export function drainBody({ incoming }: HttpBindings | Http2Bindings): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) incoming.once(event, () => resolve());
    incoming.unpipe();
    incoming.resume();
  });
}

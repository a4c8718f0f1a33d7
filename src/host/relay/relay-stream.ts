import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { dropConnection } from "../connections/close-server.ts";
import { drainBody } from "../connections/watch-body.ts";
import { servedFile } from "./file-type.ts";
import { redactAnswer } from "./keyless-answer.ts";
import { type BodyFraming, pageHeaders, upstreamHeaders } from "./passed-headers.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayTarget } from "./relay-target.ts";
import type { OpenUpstream, UpstreamAnswer } from "./upstream-request.ts";

/** One relayed request, past all checks. */
export interface Relayed {
  connection: HttpBindings | Http2Bindings;
  target: RelayTarget;
  /** The headers of the page; for an API, with the key in them. */
  headers: IncomingHttpHeaders;
  /** The key that is sent along, and redacted from the answer. Undefined for storage. */
  key: string | undefined;
  /** Aborted when the session ends. */
  ended: AbortSignal | undefined;
  /** Reaches what this target may reach. */
  open: OpenUpstream;
}

/**
 * Streams a request up and its answer down; neither is in memory as a whole. When the page goes away the request upstream is
 * aborted. An answer that breaks off breaks off for the page too. Throws a RelayRefusal when the relay itself must
 * answer.
 */
export async function relayStream({ connection, target, headers, key, ended, open }: Relayed): Promise<void> {
  const { incoming, outgoing } = connection;
  const method = incoming.method ?? "GET";
  if (ended?.aborted) throw sessionEnded(method, false);
  const upstreamAbort = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) upstreamAbort.abort();
  });
  const stop = () => {
    upstreamAbort.abort();
    // Without an answer yet, the page gets one; within one, it breaks off.
    if (outgoing.headersSent) dropConnection(connection);
  };
  ended?.addEventListener("abort", stop, { once: true });
  outgoing.once("close", () => ended?.removeEventListener("abort", stop));
  let isConnected = false;
  let answer: UpstreamAnswer;
  let body: Readable;
  let fileType: string | undefined;
  const framing = bodyFraming(connection);
  try {
    const opened = await open({
      target,
      method,
      headers: upstreamHeaders(headers, target.use, framing),
      body: framing === "none" ? undefined : incoming,
      signal: upstreamAbort.signal,
      onConnected: () => {
        isConnected = true;
      },
    });
    refuseRedirect(opened, target);
    refuseOddStatus(opened, target);
    answer = redactAnswer(opened, key);
    body = answer;
    if (target.use !== "api") ({ type: fileType, body } = await servedFile(answer, method, headers.range));
  } catch (error) {
    if (ended?.aborted) throw sessionEnded(method, isConnected);
    if (error instanceof RelayRefusal) throw error;
    if (!isConnected) throw asRefusal(error, target);
    // A browser sends a broken POST again by itself, and it may cost something: so it gets an answer.
    if (method === "POST") throw answerLost();
    dropConnection(connection);
    return;
  }
  // The page takes the service's time from it. The host's own would be another clock's.
  outgoing.sendDate = target.use !== "api";
  outgoing.writeHead(answer.statusCode ?? 502, pageHeaders(answer, target.use, fileType));
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  try {
    await pipeline(body, outgoing, { end: false });
  } catch {
    dropConnection(connection);
    return;
  }
  // A service may have answered before it had the whole body.
  if (framing !== "none") await drainBody(connection);
  outgoing.end();
}

/** Throws when the service answers with a redirect, which is followed for stored files alone: the key must not follow. */
function refuseRedirect(answer: UpstreamAnswer, { origin }: RelayTarget): void {
  if (!isRedirect(answer)) return;
  answer.destroy();
  throw new RelayRefusal(
    502,
    "redirect",
    `${origin} responded with a redirect (${answer.statusCode}), which the Safelight server never follows.`,
  );
}

/** Throws for a status that says nothing: what became of the request is unknown. */
function refuseOddStatus(answer: UpstreamAnswer, { origin }: RelayTarget): void {
  if (isFinalStatus(answer.statusCode)) return;
  answer.destroy();
  const message = `${origin} responded with the status ${answer.statusCode}, which means nothing here. The request was sent.`;
  throw new RelayRefusal(502, "outcome_unknown", message);
}

/**
 * Whether a status ends a request and is one of those that HTTP knows the meaning of: 200 to 599. Without 407: only a proxy
 * may say it, and a browser lets no page see it.
 */
export function isFinalStatus(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 599 && status !== 407;
}

/** True for every answer that sends the caller elsewhere; 304 does not. */
export function isRedirect({ statusCode = 0 }: UpstreamAnswer): boolean {
  return statusCode >= 300 && statusCode <= 399 && statusCode !== 304;
}

/** The refusal for a session that ended while the request was under way. A read has changed nothing, however far it came. */
export function sessionEnded(method: string, hasLeft: boolean): RelayRefusal {
  const message = "The key was removed during this request.";
  if (method === "GET") return new RelayRefusal(401, "no_session", `${message} Nothing was changed.`);
  if (!hasLeft) return new RelayRefusal(401, "no_session", `${message} Nothing was sent.`);
  return new RelayRefusal(409, "outcome_unknown", `${message} The request may have reached the service.`);
}

/** Settles as the work does, or with the refusal as soon as the session ends. The work itself goes on. */
export function untilEnded<T>(
  work: Promise<T>,
  ended: AbortSignal | undefined,
  refusal: () => RelayRefusal,
): Promise<T> {
  if (!ended) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(refusal());
    if (ended.aborted) stop();
    ended.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => ended.removeEventListener("abort", stop));
  });
}

function answerLost(): RelayRefusal {
  return new RelayRefusal(
    504,
    "outcome_unknown",
    "The request was sent, but the connection to the service broke before it responded. The request won’t be sent again.",
  );
}

/** The refusal for an error from before the connection stood: nothing was sent. */
export function asRefusal(error: unknown, { origin }: RelayTarget): RelayRefusal {
  if (error instanceof RelayRefusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "no connection";
  return new RelayRefusal(
    502,
    "unreachable",
    `The Safelight server cannot reach ${origin} (${code}). Nothing was sent.`,
  );
}

function bodyFraming({ incoming }: HttpBindings | Http2Bindings): BodyFraming {
  if (incoming.method === "GET" || incoming.method === "HEAD") return "none";
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (encoding !== undefined) return "chunked";
  if (length !== undefined) return length === "0" ? "none" : "length";
  // HTTP/2 needs neither: a stream that did not end with its headers has a body.
  return "stream" in incoming && !incoming.stream.endAfterHeaders ? "chunked" : "none";
}

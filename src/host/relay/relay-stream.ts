import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { dropConnection } from "../drop-connection.ts";
import type { OpenUpstream } from "./open-upstream.ts";
import { pageHeaders, upstreamHeaders } from "./relay-headers.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayTarget } from "./relay-target.ts";

/** One relayed request, past all checks. */
export interface Relayed {
  connection: HttpBindings | Http2Bindings;
  target: RelayTarget;
  mayBePrivate: boolean;
  open: OpenUpstream;
}

/**
 * Streams a request up and its answer down; neither is held. When the page goes away the request upstream is aborted.
 * An answer that breaks off breaks off for the page too. Throws a RelayRefusal when the relay itself must answer.
 */
export async function relayStream({ connection, target, mayBePrivate, open }: Relayed): Promise<void> {
  const { incoming, outgoing } = connection;
  const leaving = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) leaving.abort();
  });
  let isConnected = false;
  let answer: IncomingMessage;
  try {
    answer = await open({
      target,
      method: incoming.method ?? "GET",
      headers: upstreamHeaders(incoming.headers, target.use),
      body: hasBody(connection) ? incoming : undefined,
      mayBePrivate,
      signal: leaving.signal,
      onConnected: () => {
        isConnected = true;
      },
    });
  } catch (error) {
    if (!isConnected) throw asRefusal(error, target);
    dropConnection(connection);
    return;
  }
  refuseRedirect(answer, target);
  outgoing.writeHead(answer.statusCode ?? 502, pageHeaders(answer.headers, target));
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  await pipeline(answer, outgoing).catch(() => dropConnection(connection));
}

/** Throws when the service answers with a redirect: where it leads has not been checked, and the key must not follow. */
export function refuseRedirect(answer: IncomingMessage, { origin }: RelayTarget): void {
  const status = answer.statusCode ?? 0;
  if (status < 300 || status > 399 || status === 304) return;
  answer.destroy();
  throw new RelayRefusal(
    502,
    "redirect",
    `${origin} answered with a redirect (${status}), which the relay never follows.`,
  );
}

/** An error from before the connection stood: nothing was sent. */
export function asRefusal(error: unknown, { origin }: RelayTarget): RelayRefusal {
  if (error instanceof RelayRefusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "no connection";
  return new RelayRefusal(502, "unreachable", `The relay cannot reach ${origin} (${code}). Nothing was sent.`);
}

function hasBody({ incoming }: HttpBindings | Http2Bindings): boolean {
  if (incoming.method === "GET" || incoming.method === "HEAD") return false;
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== "0") || incoming.httpVersionMajor > 1;
}

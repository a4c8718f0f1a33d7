import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { publicLookup, type ResolveAll, refusePrivateLiteral } from "./public-lookup.ts";
import type { RelayTarget } from "./relay-target.ts";

export interface UpstreamRequest {
  target: RelayTarget;
  method: string;
  headers: OutgoingHttpHeaders;
  /** Bytes to send, whole or as they come. */
  body: Buffer | Readable | undefined;
  mayBePrivate: boolean;
  signal?: AbortSignal;
  /** Called when the connection stands and the request is about to leave. */
  onConnected?: () => void;
}

/** Sends one request upstream and never follows where its answer points. */
export type OpenUpstream = (request: UpstreamRequest) => Promise<IncomingMessage>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens connections upstream, each to an address that was checked. Rejects with what the socket says. A kept connection
 * may already be closed at the other end and nobody can tell, so only a read takes one, and it takes a second one if the
 * first turns out to be closed. Whatever may change something gets a connection of its own, once.
 */
export function upstreamOpener(resolveAll: ResolveAll): OpenUpstream {
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  const lookup = publicLookup(resolveAll);
  return async (request) => {
    const { target, mayBePrivate, body, signal } = request;
    if (!mayBePrivate) refusePrivateLiteral(target.hostname);
    const { protocol, port } = new URL(target.origin);
    const options = {
      hostname: target.hostname,
      port,
      path: target.pathAndQuery,
      method: request.method,
      headers: request.headers,
      ...(mayBePrivate ? {} : { lookup }),
      ...(signal ? { signal } : {}),
    };
    const start = (agent: HttpAgent | false) =>
      protocol === "https:" ? httpsRequest({ ...options, agent }) : httpRequest({ ...options, agent });
    if (body !== undefined || !isRead(request.method)) return send(start(false), request);
    const kept = start(agents[protocol === "https:" ? "https:" : "http:"]);
    return send(kept, request).catch((error: NodeJS.ErrnoException) => {
      if (kept.reusedSocket && error.code === "ECONNRESET") return send(start(false), request);
      throw error;
    });
  };
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Sends the body, whole or as it comes. Resolves with the answer's head. */
function send(upstream: ClientRequest, { body, onConnected }: UpstreamRequest): Promise<IncomingMessage> {
  const deadline = setTimeout(() => upstream.destroy(new Error("The connection took too long.")), CONNECT_TIMEOUT_MS);
  const connected = () => {
    clearTimeout(deadline);
    onConnected?.();
  };
  upstream.once("socket", (socket) => {
    if (!socket.connecting) connected();
    else socket.once("encrypted" in socket ? "secureConnect" : "connect", connected);
  });
  upstream.once("close", () => clearTimeout(deadline));
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once("response", resolve);
    upstream.on("error", reject);
    // An answer that switches protocols ends the connection without an answer and without an error.
    upstream.once("close", () => reject(new Error("The connection ended without an answer.")));
  });
  if (body === undefined || Buffer.isBuffer(body)) {
    upstream.end(body);
  } else {
    body.pipe(upstream);
    body.once("error", (error) => upstream.destroy(error));
  }
  return answer;
}

import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Duplex, Readable } from "node:stream";
import { loopbackLookup, publicLookup, type ResolveAll, refusePrivateLiteral } from "./public-address.ts";
import type { Reach, RelayTarget } from "./relay-target.ts";

interface UpstreamRequest {
  target: RelayTarget;
  method: string;
  headers: OutgoingHttpHeaders;
  /** Bytes to send, whole or as they come. */
  body: Buffer | Readable | undefined;
  signal?: AbortSignal;
  /** Called when the connection stands and the request is about to leave. */
  onConnected?: () => void;
}

/** The head of an answer, and its body as it comes. */
export type UpstreamAnswer = Readable & Pick<IncomingMessage, "statusCode" | "headers">;

/** Sends one request upstream and never follows where its answer points. */
export type OpenUpstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens connections upstream, each to an address that was checked for how far it may reach. Rejects with the socket's
 * error. A reused connection may already be closed at the other end, which shows only when it is used. So only a read
 * takes one, and another one if the first turns out to be closed. Whatever may change something gets a connection of its
 * own, once.
 */
export function upstreamOpener(reach: Reach, resolveAll: ResolveAll): OpenUpstream {
  // Each opener has its own agents: a connection that was checked for one reach must serve no other.
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  const lookup = { public: publicLookup(resolveAll), loopback: loopbackLookup(resolveAll), listed: undefined }[reach];
  return async (request) => {
    const { target, body, signal } = request;
    if (reach === "public") refusePrivateLiteral(target.hostname);
    const { protocol, port } = new URL(target.origin);
    const options = {
      hostname: target.hostname,
      port,
      path: target.pathAndQuery,
      method: request.method,
      headers: request.headers,
      ...(lookup ? { lookup } : {}),
      ...(signal ? { signal } : {}),
    };
    const start = (agent: HttpAgent | false) =>
      protocol === "https:" ? httpsRequest({ ...options, agent }) : httpRequest({ ...options, agent });
    if (body !== undefined || !isRead(request.method)) return send(start(false), request);
    const pooled = start(agents[protocol === "https:" ? "https:" : "http:"]);
    return send(pooled, request).catch((error: NodeJS.ErrnoException) => {
      if (pooled.reusedSocket && error.code === "ECONNRESET") return send(start(false), request);
      throw error;
    });
  };
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Sends the body, whole or as it comes. Resolves with the answer's head. */
function send(upstream: ClientRequest, { body, onConnected }: UpstreamRequest): Promise<IncomingMessage> {
  const deadline = setTimeout(() => upstream.destroy(new Error("The connection timed out.")), CONNECT_TIMEOUT_MS);
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
    // Nobody asked for another protocol. Without a listener there would be neither an answer nor an error.
    upstream.once("upgrade", (switched: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      resolve(switched);
    });
    upstream.once("close", () => reject(new Error("The connection ended without a response.")));
  });
  if (body === undefined || Buffer.isBuffer(body)) {
    upstream.end(body);
  } else {
    body.pipe(upstream);
    body.once("error", (error) => upstream.destroy(error));
  }
  return answer;
}

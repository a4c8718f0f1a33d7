import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { PASSED_ON_HEADERS } from "../security-headers.ts";
import { loopbackLookup, publicLookup, type ResolveAll, refusePrivateLiteral } from "./public-address.ts";
import type { Reach, RelayTarget, RelayUse } from "./relay-target.ts";

const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|:.*)$/;

/**
 * Headers about the page and its browser, or for the relay. Also those that make some servers and gateways take a request
 * for another one: the key is for the studio's own requests only.
 */
const NOT_FORWARDED =
  /^(host|cookie|origin|referer|sec-.*|x-forwarded-.*|forwarded|via|x-real-ip|x-safelight-.*|(x-)?http-method.*|x-method.*|x-original-.*|x-rewrite-.*|x-host|x-path|x-url|x-uri|x-request-uri|x-envoy-original-.*|x-amzn-.*path)$/;

/** The only headers for storage and media. They need no key, because their addresses carry the permission. */
const FOR_STORAGE = new Set([
  "accept",
  "accept-encoding",
  "content-type",
  "range",
  "if-range",
  "if-none-match",
  "if-modified-since",
]);

/** Headers that would set something for the studio's own origin, or say who else may read the answer. */
const NOT_RETURNED =
  /^(set-cookie2?|strict-transport-security|content-security-policy.*|clear-site-data|alt-svc|refresh|location|link|service-worker-allowed|access-control-.*|cross-origin-.*|timing-allow-origin|report-to|reporting-endpoints|nel|server-timing|sourcemap|x-safelight-relay)$/;

/** The encodings of an API's answer that this host can read. */
export const READABLE_ENCODINGS = ["gzip", "deflate", "br"] as const;

/** How the body of a request ends: not at all, by its length, or by chunks. */
export type BodyFraming = "none" | "length" | "chunked";

/**
 * The headers that go upstream. They frame the body that is really sent, whatever headers the page sent: a length
 * without a body, or a body without either, would let one request run into the next on the same connection.
 */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  use: RelayUse,
  framing: BodyFraming,
): OutgoingHttpHeaders {
  const hopHeaders = connectionTokens(headers);
  const forwarded = Object.entries(headers).filter(([name]) => {
    if (name === "content-length") return framing === "length";
    if (HOP_BY_HOP.test(name) || NOT_FORWARDED.test(name) || hopHeaders.has(name)) return false;
    return use === "api" || FOR_STORAGE.has(name);
  });
  return {
    ...Object.fromEntries(forwarded),
    // The key is redacted from what an API answers, so that has to be readable here.
    ...(use === "api" ? { "accept-encoding": READABLE_ENCODINGS.join(", ") } : {}),
    ...(framing === "chunked" ? { "transfer-encoding": "chunked" } : {}),
  };
}

/**
 * The headers that go back to the page, with the relay's own, which prevent that the answer runs as a page of the
 * studio. `fileType` is what a stored file is served as.
 */
export function pageHeaders(headers: IncomingHttpHeaders, use: RelayUse, fileType?: string): OutgoingHttpHeaders {
  const hopHeaders = connectionTokens(headers);
  const returned = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.test(name) && !NOT_RETURNED.test(name) && !hopHeaders.has(name),
  );
  return {
    ...Object.fromEntries(returned),
    ...(fileType === undefined ? {} : { "content-type": fileType }),
    ...PASSED_ON_HEADERS,
    ...(use === "api" ? { "cache-control": "no-store" } : {}),
  };
}

function connectionTokens(headers: IncomingHttpHeaders): Set<string> {
  return new Set((headers.connection ?? "").split(",").map((token) => token.trim().toLowerCase()));
}

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
    // An answer that switches protocols ends the connection without an answer and without an error.
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

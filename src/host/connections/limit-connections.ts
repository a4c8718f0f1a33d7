import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { ACCESS_PAGE_HEADERS, headTooLargePage } from "../access/access-page.ts";
import { BODY_LIMITS, type BodyLimits, watchBody } from "./watch-body.ts";

export interface ConnectionLimits {
  /** A connection is closed on which the head of a request takes longer, or none comes. */
  headersMs: number;
  /** How often `headersMs` is checked. */
  checkEveryMs: number;
  /** How long a connection without a request stays open. */
  keepAliveMs: number;
  maxConnections: number;
  body: BodyLimits;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  checkEveryMs: 2000,
  // Longer than the timeout of browsers and proxies: they must close a connection first, or a request may be sent on a
  // closed one.
  keepAliveMs: 75_000,
  maxConnections: 1000,
  body: BODY_LIMITS,
};

/**
 * What a connection takes of headers, in bytes, is more than what the host takes of them: a request above 16 kB then gets
 * an answer that says so and removes cookies. Above this the connection alone answers.
 */
const MAX_TAKEN_BYTES = 65_536;
/** For HTTP/2, where one connection carries many requests. */
export const STREAM_SETTINGS = { maxConcurrentStreams: 128, maxHeaderListSize: MAX_TAKEN_BYTES };
export const HEAD_LIMITS = { maxHeaderSize: MAX_TAKEN_BYTES, maxHeaderListPairs: 4000 };
export const HANDSHAKE_MS = 10_000;

type AnyServer = Server | Http2SecureServer;
type Incoming = IncomingMessage | Http2ServerRequest;

interface Connection {
  socket: Socket;
  /** Requests under way. */
  requests: number;
  /** The socket on which the latest of them is answered. Over TLS it is another one than `socket`. */
  answering?: Pick<Socket, "writableLength">;
}

/**
 * Keeps a server within its limits, also where somebody opens as many connections as they can. When there are too many,
 * the one goes that has been without a request for the longest time, so that whoever comes next gets an answer.
 */
export function limitConnections(server: AnyServer, limits: ConnectionLimits, publicOrigin?: string): void {
  // Of an HTTP/2 server these count for its connections in HTTP/1.1. As options it takes none of them.
  Object.assign(server, {
    connectionsCheckingInterval: limits.checkEveryMs,
    headersTimeout: limits.headersMs,
    keepAliveTimeout: limits.keepAliveMs,
    // A long upload or a slow stream is legal. Those that stand still are `watchBody`'s.
    requestTimeout: 0,
    // Node leaves out what is above this number, also a second name of the host. They are counted by the host.
    maxHeadersCount: 0,
  });
  answerBrokenHeads(server, publicOrigin);
  /** The connections by the far end's address and port. The first was idle for the longest time. */
  const connections = new Map<string, Connection>();
  const moveLast = (name: string, connection: Connection) => {
    connections.delete(name);
    connections.set(name, connection);
  };

  // Of TLS this is the plain connection below, so that handshakes count, too.
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    const connection: Connection = { socket, requests: 0 };
    connections.set(name, connection);
    socket.once("close", () => connections.get(name) === connection && connections.delete(name));
    if (connections.size > limits.maxConnections) makeRoom(connections);
  });
  server.on("session", (session: ServerHttp2Session) => {
    session.setTimeout(limits.keepAliveMs, () => {
      const connection = connections.get(nameOf(session.socket));
      if (!connection || connection.requests === 0) session.destroy();
    });
  });
  server.prependListener("request", (incoming: Incoming, outgoing: ServerResponse | Http2ServerResponse) => {
    watchBody(incoming, outgoing, limits.body);
    const socket = "stream" in incoming ? incoming.stream.session?.socket : incoming.socket;
    const name = socket && nameOf(socket);
    const connection = name && connections.get(name);
    if (!connection) return;
    connection.requests += 1;
    connection.answering = socket;
    moveLast(name, connection);
    outgoing.once("close", () => {
      connection.requests -= 1;
      if (connections.get(name) === connection) moveLast(name, connection);
    });
  });
}

/**
 * Closes the connection that was idle for the longest time. Where each has a request under way, one whose other end does
 * not read its answer; where each does, the newest.
 */
function makeRoom(open: Map<string, Connection>): void {
  const all = [...open];
  const isIdle = ([, { requests }]: [string, Connection]) => requests === 0;
  const isUnread = ([, { socket, answering }]: [string, Connection]) => (answering ?? socket).writableLength > 0;
  const newest = all.pop();
  const [name, connection] = all.find(isIdle) ?? all.find(isUnread) ?? newest ?? [];
  if (name === undefined) return;
  open.delete(name);
  connection?.socket.destroy();
}

type BrokenHead = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** A browser that is still sending its head needs this long to show the answer. */
const LAST_READ_MS = 1000;

/** Answers what is no request that can be read, with a page where its head is too large: of a browser, cookies make it so. */
function answerBrokenHeads(server: AnyServer, publicOrigin: string | undefined): void {
  const answered = new WeakSet<Socket>();
  /** The last answer of each connection of HTTP/1.1. */
  const answers = new WeakMap<Socket, ServerResponse>();
  server.prependListener("request", ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    answers.set(socket, outgoing);
  });
  server.on("clientError", (error: BrokenHead, socket: Socket) => {
    if (answered.has(socket)) return;
    const answer = answers.get(socket);
    const isUnderWay = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || isUnderWay || error.code === "ECONNRESET") return void socket.destroy(error);
    answered.add(socket);
    socket.end(brokenHeadAnswer(error, publicOrigin));
    socket.resume();
    setTimeout(() => socket.destroy(), LAST_READ_MS).unref();
  });
}

function brokenHeadAnswer({ code, rawPacket }: BrokenHead, publicOrigin: string | undefined): string {
  const isTooLarge = code === "HPE_HEADER_OVERFLOW";
  const status = code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
  const named = /\r\nhost:[ \t]*([\w.:[\]-]{1,255})\r\n/i.exec(rawPacket?.toString("latin1") ?? "")?.[1];
  const body = isTooLarge ? headTooLargePage(publicOrigin ?? named) : "";
  const headers = { ...(isTooLarge ? ACCESS_PAGE_HEADERS : {}), "Content-Length": Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${isTooLarge ? "431 Request Header Fields Too Large" : status}\r\n${lines.join("")}Connection: close\r\n\r\n${body}`;
}

function nameOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}

import { Server, type ServerResponse } from "node:http";
import { constants, type Http2SecureServer, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

type AnyServer = Server | Http2SecureServer;
type Outgoing = ServerResponse | Http2ServerResponse;

/** The server waits for these answers before it closes. */
const awaited = new WeakSet<Outgoing>();

/** Has a closing server wait for the answer to this request, as it does for a submit: it may have been charged. */
export function finishBeforeClosing({ outgoing }: HttpBindings | Http2Bindings): void {
  awaited.add(outgoing);
}

/** Destroys the connection of a request without an answer: over HTTP/1.1 its socket, over HTTP/2 its stream. */
export function dropConnection({ outgoing }: Pick<HttpBindings | Http2Bindings, "outgoing">): Response {
  if ("stream" in outgoing) outgoing.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** How long the connections that are left may still send their answers once nothing is waited for any more. */
const LAST_ANSWERS_MS = 1000;

/**
 * The way to close a server. No new connection is taken, and idle ones close at once. What is under way may finish
 * within `graceMs`. Then it is cut, except answers of `finishBeforeClosing`: those may come until `keepUntil` resolves.
 * Resolves when every connection is closed.
 */
export function createServerCloser(server: AnyServer): (graceMs: number, keepUntil: Promise<unknown>) => Promise<void> {
  const sockets = trackOpen<Socket>(server, "connection");
  const sessions = trackOpen<ServerHttp2Session>(server, "session");
  const answers = new Set<Outgoing>();
  const closeIdle = () => server instanceof Server && server.closeIdleConnections();
  let isClosing = false;
  server.on("request", (_incoming, outgoing: Outgoing) => {
    answers.add(outgoing);
    outgoing.once("close", () => {
      answers.delete(outgoing);
      if (isClosing) closeIdle();
    });
  });

  function cutAllButAwaited(): void {
    const others = [...answers].filter((outgoing) => !awaited.has(outgoing));
    if (others.length === answers.size) cutAll();
    else for (const outgoing of others) dropConnection({ outgoing } as HttpBindings);
  }

  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return (graceMs, keepUntil) =>
    new Promise((resolve) => {
      isClosing = true;
      const timers = [setTimeout(cutAllButAwaited, graceMs)];
      void keepUntil.then(() => timers.push(setTimeout(cutAll, graceMs + LAST_ANSWERS_MS)));
      server.close(() => {
        for (const timer of timers) clearTimeout(timer);
        resolve();
      });
      closeIdle();
      for (const session of sessions) session.close();
    });
}

/** What the server opened by this event and has not closed yet. */
function trackOpen<T extends Socket | ServerHttp2Session>(server: AnyServer, event: string): Set<T> {
  const open = new Set<T>();
  server.on(event, (opened: T) => {
    open.add(opened);
    opened.once("close", () => open.delete(opened));
  });
  return open;
}

import type { Server } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { createServerCloser } from "./connections/close-server.ts";
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  HANDSHAKE_MS,
  HEAD_LIMITS,
  limitConnections,
  STREAM_SETTINGS,
} from "./connections/limit-connections.ts";

type Answer = (request: Request, connection: HttpBindings | Http2Bindings) => Response | Promise<Response>;
type AnyServer = Server | Http2SecureServer;

export interface RunningServer {
  /** The address to open, with the port really taken. */
  url: string;
  /**
   * Ends within `graceMs`: what is under way may finish until then, idle connections close at once. Answers of
   * `finishBeforeClosing` may come until `keepUntil` resolves.
   */
  close(graceMs?: number, keepUntil?: Promise<unknown>): Promise<void>;
}

interface Place {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** PEM texts. With them the server speaks HTTP/2 over TLS, and HTTP/1.1 to clients without HTTP/2. */
  tls?: { key: string; cert: string } | undefined;
  /** The address that people open, which a page about its cookies names. */
  publicOrigin?: string | undefined;
}

/** Listens on the address. Rejects with a sentence for a person when the port is in use or may not be taken. */
export async function startServer(
  fetch: Answer,
  { host, port, tls, publicOrigin }: Place,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch, ...serverOptions(tls) }) as AnyServer;
  limitConnections(server, limits, publicOrigin);
  const close = createServerCloser(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(explainListenError(error, host, port))));
    server.listen(port, host, resolve);
  });
  return {
    url: `${tls ? "https" : "http"}://${nameOf(host)}:${getPort(server)}`,
    close: (graceMs = 3000, keepUntil = Promise.resolve()) => close(graceMs, keepUntil),
  };
}

function serverOptions(tls: Place["tls"]) {
  if (!tls) return { serverOptions: HEAD_LIMITS };
  const options = {
    ...HEAD_LIMITS,
    ...tls,
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_MS,
    settings: STREAM_SETTINGS,
  };
  return { createServer: createSecureServer, serverOptions: options };
}

function getPort(server: AnyServer): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** The name under which a browser on this machine reaches a bind address. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  const place = `${host}:${port}`;
  if (error.code === "EADDRINUSE")
    return `${place} is already in use. Stop the program that uses it, or set PORT to another port.`;
  if (error.code === "EACCES") return `This account may not listen on ${place}. Set PORT to a port above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return `This machine has no network interface ${host}. Set HOST to an IP that it has.`;
  return `Cannot listen on ${place} (${error.code ?? error.message}).`;
}

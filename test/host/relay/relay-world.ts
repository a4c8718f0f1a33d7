import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { createHost } from "../../../src/host/create-host.ts";
import { readHostSettings } from "../../../src/host/host-settings.ts";
import { startServer } from "../../../src/host/start-server.ts";

export interface Upstream {
  origin: string;
  /** The path of the relay for an address of this upstream. */
  via(use: string, path: string): string;
  close(): Promise<void>;
}

/** A service upstream: plain HTTP on loopback, which the relay takes only when it is allowed by name. */
export async function startUpstream(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<Upstream> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    via: (use, path) => `/relay/${use}/http/127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A host whose relay may reach these origins, and which remembers attempts in a temporary folder. */
export function startRelay(...origins: string[]) {
  return startRelayWith({ PORT: "0" }, ...origins);
}

/** The same with an environment of its own. It listens at a free port, whatever `PORT` says. */
export async function startRelayWith(environment: Record<string, string>, ...origins: string[]) {
  const settings = readHostSettings({ SAFELIGHT_UPSTREAMS: origins.join(" "), ...environment });
  const host = createHost(settings, tmpdir());
  const server = await startServer(host.fetch, { ...settings, port: 0 });
  return {
    url: server.url,
    close: async (graceMs = 0) => {
      await server.close(graceMs);
      await host.close(graceMs);
    },
  };
}

export const FROM_PAGE = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };

export interface RawAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/**
 * A request that keeps every character of the path and every header, which `fetch` would tidy up. Rejects when the
 * connection ends without a complete answer.
 */
export function ask(
  base: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method: options.method ?? "GET",
        headers: { ...FROM_PAGE, ...options.headers },
        agent: false,
      },
      (incoming) => {
        let body = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          body += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }));
        incoming.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(options.body);
  });
}

/**
 * Writes these characters to a connection of their own. Resolves with everything that comes back until the other side
 * closes, or, with `hangUp`, as soon as they are written and the connection is given up.
 */
export function sendRaw(base: string, characters: string, { hangUp = false } = {}): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(characters, () => {
        if (hangUp) socket.destroy();
      });
    });
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

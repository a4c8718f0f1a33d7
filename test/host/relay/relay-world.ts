import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createHost } from "../../../src/host/create-host.ts";
import { readHostSettings } from "../../../src/host/host-settings.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { startServer } from "../../../src/host/start-server.ts";
import { PAGE_FOLDER } from "../page-folder.ts";

export interface Upstream {
  origin: string;
  /** The path of the relay for an address of this upstream. */
  via(use: string, path: string): string;
  close(): Promise<void>;
}

/**
 * An address at which nothing listens. The port of a server that was closed can be given to another test, which answers
 * then. Port 1 is never given out: it is below those that are chosen for a server that asks for any port.
 */
export const UNREACHABLE: Pick<Upstream, "origin" | "via"> = {
  origin: "http://127.0.0.1:1",
  via: (use, path) => `/relay/${use}/http/127.0.0.1:1${path}`,
};

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

/**
 * The same with an environment of its own. It listens at a free port, whatever `PORT` says. It has a session for the first
 * origin, whose key goes along with any request: which requests it is for is another test's matter.
 */
export async function startRelayWith(environment: Record<string, string>, ...origins: string[]) {
  const settings = readHostSettings({ SAFELIGHT_UPSTREAMS: origins.join(" "), ...environment });
  const host = createHost(settings, PAGE_FOLDER, { isForSession: () => true });
  const server = await startServer(host.fetch, { ...settings, port: 0 });
  await openSession(server.url, origins[0]);
  return {
    url: server.url,
    close: async (graceMs = 0) => {
      await server.close(graceMs);
      await host.close(graceMs);
    },
  };
}

/** Both halves of a session, as request headers. */
export type SessionHalves = { Cookie: string; "X-Safelight-Session": string };

const sessions = new Map<string, SessionHalves>();

/** The session that `ask` uses at this host. */
export function sessionOf(base: string): SessionHalves {
  const halves = sessions.get(base);
  if (!halves) throw new Error("No session was opened at this host.");
  return halves;
}

/** Gives a key away as the page does. Without an origin, for the host's own sandbox. `ask` uses the session from now on. */
export async function openSession(base: string, origin?: string, key = "sandbox-key"): Promise<SessionHalves> {
  const { status, body } = await tryToOpenSession(base, origin, key);
  if (status !== 201) throw new Error(`No session: ${body}`);
  return sessionOf(base);
}

/** The same, with the answer. Where the host refuses, the session of `ask` stays. */
export async function tryToOpenSession(base: string, origin?: string, key = "sandbox-key"): Promise<RawAnswer> {
  const service = origin === undefined ? OWN_SANDBOX : { queueBaseUrl: origin, inferenceBaseUrl: origin };
  const answer = await askForSession(base, { ...service, key });
  if (answer.status === 201) sessions.set(base, halvesOf(answer));
  return answer;
}

/** Both halves, from the answer to `POST /session`. */
export function halvesOf({ headers, body }: RawAnswer): SessionHalves {
  const cookie = headers["set-cookie"]?.at(-1)?.split(";")[0] ?? "";
  return { Cookie: cookie, "X-Safelight-Session": String(JSON.parse(body).ticket) };
}

const OWN_SANDBOX = { queueBaseUrl: "/sandbox/api/v1/queue", inferenceBaseUrl: "/sandbox" };

/** `POST /session` with this body. */
export function askForSession(base: string, body: object, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return ask(base, "/session", {
    method: "POST",
    headers: { Origin: base, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ salt: "device", ...body }),
  });
}

/** The page names a file host of its service. */
export function allow(base: string, origin: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return ask(base, "/relay/allow", {
    method: "POST",
    headers: { Origin: base, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ origin }),
  });
}

/** A session for the service at this address, as the rules of the relay see it. */
export const sessionAt = (address: string): Session => ({
  id: `session for ${address}`,
  key: "sandbox-key",
  queueBaseUrl: address,
  inferenceBaseUrl: address,
  user: undefined,
  member: undefined,
  halfDigest: "",
  openedAtMs: 0,
  usedAtMs: 0,
});

export const FROM_PAGE = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };

export interface RawAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What the page sends of its session: all of it, or for a file, which an element of the page loads, the cookie alone. */
function halvesFor(base: string, path: string): Partial<SessionHalves> {
  const { Cookie, ...ticket } = sessions.get(base) ?? {};
  const cookie = Cookie === undefined ? {} : { Cookie };
  if (path.startsWith("/relay/media/")) return cookie;
  return /^\/relay\/(api\/|upload\/|allow$)/.test(path) ? { ...cookie, ...ticket } : {};
}

/**
 * A request that keeps every character of the path and every header, which `fetch` would tidy up. It is made with the
 * session of the host, where one was opened. Rejects when the connection ends without a complete answer.
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
        headers: { ...FROM_PAGE, ...halvesFor(base, path), ...options.headers },
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

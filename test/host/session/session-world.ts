import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { onTestFinished } from "vitest";
import { createAttemptStore } from "#host/attempts/create-attempt-store.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { type RelayOptions, relayRoutes } from "#host/relay/relay-routes.ts";
import { createSendOnce } from "#host/relay/send-once.ts";
import { openSessions } from "#host/session/open-sessions.ts";
import { startServer } from "#host/start-server.ts";
import { ask, askForSession, type RawAnswer, startUpstream, type Upstream } from "../relay/relay-world.ts";

export const KEY = "sk-canary-5f2e9b7c41d8a603";
export const SECRET = "a secret of more than 32 characters";

export interface Service extends Upstream {
  /** `GET /path key`, one for each request that came. */
  seen: string[];
  behave: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
}

/** A service that notes what came with which key. */
export async function startService(): Promise<Service> {
  const seen: string[] = [];
  const upstream = await startUpstream((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization}`);
    service.behave(incoming, outgoing);
  });
  const service: Service = {
    ...upstream,
    seen,
    behave: (incoming, outgoing) => {
      incoming.resume().on("end", () => outgoing.end('{"model_ids":[]}'));
    },
  };
  onTestFinished(service.close);
  return service;
}

/**
 * The host's sessions and relay, at a free port. `PORT` names the files that it would have at that port, and its realm of
 * cookies stays the same over restarts only with a secret.
 */
export async function startSessionHost(
  service: Service,
  environment: Record<string, string | undefined> = {},
  { nowMs, ...options }: { nowMs?: () => number } & Pick<RelayOptions, "userOf" | "resolveAll"> = {},
) {
  const settings = readHostSettings({ PORT: "0", SAFELIGHT_UPSTREAMS: service.origin, ...environment });
  const attempts = createAttemptStore(settings);
  const sendOnce = createSendOnce(attempts, { sleep: () => setImmediate() });
  const sessions = openSessions(settings, settings.sessionLimits, nowMs && { nowMs });
  const relay = relayRoutes(settings, sendOnce, sessions, options);
  const fetch = async (request: Request, connection: HttpBindings | Http2Bindings) => {
    const answer = await relay.fetch(request, connection);
    return connection.outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
  };
  const server = await startServer(fetch, { host: "127.0.0.1", port: 0 });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await server.close(0);
    await sendOnce.idle();
    await sessions.close();
    await attempts.close();
  };
  onTestFinished(close);
  return { url: server.url, sessions, close };
}

export type SessionHost = Awaited<ReturnType<typeof startSessionHost>>;

/** A browser with its cookies, and the ticket that its page was given last. */
export function openBrowser(service: Service) {
  const cookies = new Map<string, string>();
  const browser = {
    cookies,
    ticket: "",
    header: (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    /** Both halves, and what is added. */
    headers: (more: Record<string, string> = {}): Record<string, string> => ({
      ...(cookies.size > 0 ? { Cookie: browser.header() } : {}),
      "X-Safelight-Session": browser.ticket,
      ...more,
    }),
    keep(answer: RawAnswer): RawAnswer {
      for (const text of answer.headers["set-cookie"] ?? []) {
        const [pair = "", ...attributes] = text.split("; ");
        const [name = "", value = ""] = pair.split("=");
        if (attributes.includes("Max-Age=0")) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    async connect({ url }: { url: string }, key = KEY, more: Record<string, string> = {}): Promise<RawAnswer> {
      const order = { key, queueBaseUrl: `${service.origin}/q`, inferenceBaseUrl: service.origin };
      const headers = cookies.size > 0 ? { Cookie: browser.header() } : {};
      const answer = browser.keep(await askForSession(url, order, { ...headers, ...more }));
      if (answer.status === 201) browser.ticket = JSON.parse(answer.body).ticket;
      return answer;
    },
    async read({ url }: { url: string }, headers: Record<string, string> = browser.headers()): Promise<RawAnswer> {
      return browser.keep(await ask(url, service.via("api", MODELS), { headers }));
    },
    async submit({ url }: { url: string }, intent: string): Promise<RawAnswer> {
      const headers = browser.headers({ "X-Safelight-Intent": intent });
      return ask(url, service.via("api", "/q/apikey/requests"), { method: "POST", body: "{}", headers });
    },
    async forget({ url }: { url: string }): Promise<RawAnswer> {
      const headers = browser.headers({ Origin: url });
      return browser.keep(await ask(url, "/session", { method: "DELETE", headers }));
    },
  };
  return browser;
}

const MODELS = "/q/apikey/models";

/** Status and kind of refusal. */
export function kindOf({ status, headers }: RawAnswer): [number, string | undefined] {
  return [status, headers["x-safelight-relay"] as string | undefined];
}

export const NO_SESSION = [401, "no_session"];

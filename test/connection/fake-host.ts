import { vi } from "vitest";
import { type AboutHost, forgetHost } from "#connection/relay.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";

interface FakeSettings extends Partial<AboutHost> {
  /** An origin that it does not allow when it is typed. */
  refuses?: string;
  /** How it says so. */
  refusal?: string;
  /** Whether it takes the page for its own. */
  knowsPage?: boolean;
  /** What it answers in the place of a service. */
  answers?: (path: string, init: RequestInit) => Response | Promise<Response>;
}

/** No ticket is given twice: the page remembers those that are over. */
let ticketCount = 0;

/** Marks the page as served by its host, and answers in that host's place whatever the page fetches. */
export function fakeHost({
  refuses,
  refusal: refusalWords,
  knowsPage = true,
  answers = () => new Response("answer"),
  ...settings
}: FakeSettings) {
  const about: AboutHost = { mode: "typed", memory: null, hasPassword: false, origins: [], storage: [], ...settings };
  const mark = document.createElement("meta");
  mark.name = "safelight-host";
  mark.content = "here";
  document.head.append(mark);
  forgetHost();
  const typed = new Set<string>();
  /** Tickets and the keys that they stand for. */
  const sessions = new Map<string, string>();
  let isUp = true;
  const host = {
    memory: about.memory as string | null,
    /** Method and path of everything that it was asked. */
    requests: [] as string[],
    /** Method, path and body of what it sent on. */
    relayed: [] as [string, string, string][],
    inits: [] as RequestInit[],
    allowances: [] as unknown[],
    sessions,
    /** What was sent to give a key away. */
    orders: [] as Record<string, string>[],
    /** Comes back without what was typed, and without the keys. */
    restart() {
      typed.clear();
      sessions.clear();
      isUp = true;
    },
    goDown() {
      isUp = false;
    },
  };
  const answer = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(input, location.href);
    const method = init.method ?? "GET";
    host.requests.push(`${method} ${pathname}${pathname === "/session" ? search : ""}`);
    init.signal?.throwIfAborted();
    if (!isUp) throw new TypeError("Failed to fetch");
    if (!knowsPage) return refusal("not_same_origin");
    if (pathname === "/relay") return Response.json({ ...about, memory: host.memory });
    if (pathname === "/relay/allow") {
      const asked = JSON.parse(String(init.body));
      host.allowances.push(asked);
      if (asked.origin === refuses) return refusal("not_allowed");
      typed.add(asked.origin);
      return new Response(null, { status: 204 });
    }
    const ticket = new Headers(init.headers).get("x-safelight-session") ?? "";
    if (pathname === "/session" && method === "POST") {
      const order: Record<string, string> = JSON.parse(String(init.body));
      const { key = "", queueBaseUrl = "", inferenceBaseUrl = "" } = order;
      host.orders.push(order);
      const isRefused =
        refuses !== undefined && [queueBaseUrl, inferenceBaseUrl].some((each) => each.startsWith(refuses));
      if (isRefused) return refusal("not_allowed", 403, refusalWords);
      ticketCount += 1;
      const named = `ticket-${ticketCount}`;
      sessions.set(named, key);
      const accountId = shapeOfKey(queueBaseUrl + key.padEnd(24))
        .whole.toString(16)
        .padStart(32, "0");
      const known = { ticket: named, accountId, keyHint: key.slice(-4), keyShape: shapeOfKey(key) };
      return Response.json({ ...known, idleMs: 3_600_000, endsAtMs: 2_000_000_000_000 }, { status: 201 });
    }
    if (pathname === "/session") {
      const key = sessions.get(ticket);
      for (const [each, held] of sessions)
        if (each === ticket || (search === "" && held === key)) sessions.delete(each);
      return new Response(null, { status: 204 });
    }
    if (pathname.startsWith("/relay/api/") && !sessions.has(ticket)) return refusal("no_session", 401);
    const [, scheme, name] = /^\/relay\/\w+\/(https?)\/([^/]+)/.exec(pathname) ?? [];
    const origin = `${scheme}://${name}`;
    if (
      scheme &&
      !pathname.startsWith("/relay/api/") &&
      !typed.has(origin) &&
      !about.origins.some((entry) => entry === origin)
    )
      return refusal("not_allowed");
    host.relayed.push([method, pathname, String(init.body ?? "")]);
    host.inits.push(init);
    const work = Promise.resolve(answers(pathname, init));
    const { signal } = init;
    if (!signal) return work;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      work.then(resolve, reject);
    });
  };
  vi.stubGlobal("fetch", vi.fn(answer));
  return host;
}

function refusal(kind: string, status = 403, message = "Said so"): Response {
  const body = { error: { message, type: `relay_${kind}` } };
  return Response.json(body, { status, headers: { "X-Safelight-Relay": kind } });
}

/** The page is nobody's again. */
export function leaveHost(): void {
  vi.unstubAllGlobals();
  for (const mark of document.querySelectorAll('meta[name="safelight-host"]')) mark.remove();
  forgetHost();
}

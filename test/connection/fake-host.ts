import { vi } from "vitest";
import { type AboutHost, forgetHost } from "#connection/relay.ts";

interface FakeSettings extends Partial<AboutHost> {
  /** An origin that it does not allow when it is typed. */
  refuses?: string;
  /** Whether it takes the page for its own. */
  knowsPage?: boolean;
}

/** Marks the page as served by its host, and answers in that host's place whatever the page fetches. */
export function fakeHost({ refuses, knowsPage = true, ...settings }: FakeSettings) {
  const about = { mode: "typed", memory: null, origins: [], storage: [], ...settings } satisfies AboutHost;
  const mark = document.createElement("meta");
  mark.name = "safelight-host";
  mark.content = "here";
  document.head.append(mark);
  forgetHost();
  const typed = new Set<string>();
  let isUp = true;
  const host = {
    memory: about.memory as string | null,
    /** Method and path of everything that it was asked. */
    requests: [] as string[],
    /** Method, path and body of what it sent on. */
    relayed: [] as [string, string, string][],
    inits: [] as RequestInit[],
    allowances: [] as unknown[],
    /** Comes back without what was typed. */
    restart() {
      typed.clear();
      isUp = true;
    },
    goDown() {
      isUp = false;
    },
  };
  const answer = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(input, location.href);
    const method = init.method ?? "GET";
    host.requests.push(`${method} ${pathname}`);
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
    const [, scheme, name] = /^\/relay\/\w+\/(https?)\/([^/]+)/.exec(pathname) ?? [];
    const origin = `${scheme}://${name}`;
    if (scheme && !typed.has(origin) && !about.origins.some((entry) => entry === origin)) return refusal("not_allowed");
    host.relayed.push([method, pathname, String(init.body ?? "")]);
    host.inits.push(init);
    return new Response("answer");
  };
  vi.stubGlobal("fetch", vi.fn(answer));
  return host;
}

function refusal(kind: string): Response {
  const body = { error: { message: "Said so", type: `relay_${kind}` } };
  return Response.json(body, { status: 403, headers: { "X-Safelight-Relay": kind } });
}

/** The page is nobody's again. */
export function leaveHost(): void {
  vi.unstubAllGlobals();
  for (const mark of document.querySelectorAll('meta[name="safelight-host"]')) mark.remove();
  forgetHost();
}

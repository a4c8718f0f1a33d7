import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { cookieOf, PASSWORD, signIn } from "./access/access-world.ts";
import { PAGE_FOLDER } from "./page-folder.ts";
import {
  askForSession,
  FROM_PAGE,
  halvesOf,
  type SessionHalves,
  startUpstream,
  type Upstream,
} from "./relay/relay-world.ts";
import { send } from "./send.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Whoever sends a request, by what it says of itself. Ada may use the host. */
const WHO = [
  "page", // Safelight's own page, with Ada's session
  "page without session", // the same before Connect
  "typed by hand", // Ada goes to the URL herself
  "page elsewhere", // of another site in Ada's browser, with all her cookies, and even with the ticket of her session
  "page of a sibling", // the same at another port, or at another name below the same domain
  "program", // with all of that, and names no page
  "other member", // Safelight's own page of Ben, who has both halves of Ada's session
  "signed out", // Safelight's own page with Ada's session, and without what the gate asks for
  "unknown program", // names no page, and has nothing of Ada's
] as const;
type Who = (typeof WHO)[number];

/** Cells that are no refusals. Every cell that is in none must be one. */
interface Passing {
  methods: string[];
  who: Who[];
  status: number;
  /** It arrives at the service. */
  reaches?: true;
  why: string;
}

interface Row {
  path: string;
  /** The routes that it stands for, as the host registers them. */
  routes: string[];
  headers?: Record<string, string>;
  body?: string;
  /** What refusals of this path say: the kind, or the status of one that has none. */
  refusals: string[];
  passes: Passing[];
}

interface Table {
  settings: Record<string, string>;
  /** Those who differ from others here. */
  who: Who[];
  rows: Row[];
}

const tables: Record<string, Table> = JSON.parse(
  readFileSync(new URL("./who-may-ask.json", import.meta.url), "utf8"),
).hosts;

/** Where requests arrive, and what did. */
let service: Upstream;
let arrived: string[];
/** A server that no setting and nobody names. */
let stranger: Upstream;

beforeAll(async () => {
  const start = () =>
    startUpstream(({ method, url }, outgoing) => {
      arrived.push(`${method} ${url}`);
      outgoing.end("{}");
    });
  [service, stranger] = [await start(), await start()];
  return async () => {
    await service.close();
    await stranger.close();
  };
});

const filled = (text: string) =>
  text
    .replaceAll("{service}", service.origin.replace("://", "/"))
    .replaceAll("{stranger}", stranger.origin.replace("://", "/"))
    .replaceAll("{origin}", service.origin)
    .replaceAll("{password}", PASSWORD);

async function startHost({ settings: environment }: Table) {
  const given = Object.entries(environment).map(([name, value]) => [name, filled(value)]);
  const settings = readHostSettings({ ...Object.fromEntries(given), PORT: "0" });
  const host = createHost(settings, PAGE_FOLDER);
  const server = await startServer(host.fetch, settings);
  return {
    url: server.url,
    routes: host.routes,
    close: async () => {
      await server.close(0);
      await host.close();
    },
  };
}

/** What the gate of a host asks of Ada. */
async function passOf(base: string, { settings }: Table): Promise<Record<string, string>> {
  if (settings.SAFELIGHT_ACCESS?.startsWith("header:")) return { "X-Remote-User": "ada" };
  return settings.SAFELIGHT_ACCESS ? { Cookie: cookieOf(await signIn(base, PASSWORD)) } : {};
}

const hasNoSession = (who: Who) => who === "page without session" || who === "unknown program";
const isProgram = (who: Who) => who === "program" || who === "unknown program";

/** The headers of a request by this one. */
function headersOf(
  base: string,
  who: Who,
  method: string,
  pass: Record<string, string>,
  halves: SessionHalves,
): Record<string, string> {
  const isRead = method === "GET" || method === "HEAD";
  // A browser names the origin of a read that goes to another one, too.
  const origin = (value: string): Record<string, string> => (isRead && value === base ? {} : { Origin: value });
  const isIn = who !== "signed out" && who !== "other member" && who !== "unknown program";
  const gate = isIn ? pass : who === "other member" && pass["X-Remote-User"] ? { "X-Remote-User": "ben" } : {};
  const cookies = [isIn ? pass.Cookie : undefined, hasNoSession(who) ? undefined : halves.Cookie];
  const cookie = cookies.filter((text) => text !== undefined).join("; ");
  const hasTicket = !hasNoSession(who) && who !== "typed by hand";
  const ticket = hasTicket ? { "X-Safelight-Session": halves["X-Safelight-Session"] } : {};
  const from: Record<string, string> = isProgram(who)
    ? {}
    : who === "page elsewhere"
      ? { ...FROM_PAGE, "Sec-Fetch-Site": "cross-site", ...origin("https://evil.example") }
      : who === "page of a sibling"
        ? { ...FROM_PAGE, "Sec-Fetch-Site": "same-site", ...origin("http://127.0.0.1:1") }
        : who === "typed by hand"
          ? {
              "Sec-Fetch-Site": "none",
              "Sec-Fetch-Mode": "navigate",
              "Sec-Fetch-Dest": "document",
              Accept: "text/html",
            }
          : { ...FROM_PAGE, ...origin(base) };
  return { ...gate, ...(cookie === "" ? {} : { Cookie: cookie }), ...ticket, ...from };
}

describe.each(Object.entries(tables))("%s: who may ask", (_, table) => {
  let host: Awaited<ReturnType<typeof startHost>>;
  let pass: Record<string, string>;
  beforeAll(async () => {
    arrived = [];
    host = await startHost(table);
    pass = await passOf(host.url, table);
    return () => host.close();
  });

  /** A session of Ada's, new for each request, since one may end it. */
  async function openSession(isForSandbox: boolean) {
    const own = isForSandbox ? "/sandbox/api/v1/queue" : service.origin;
    const order = { key: "sandbox-key", queueBaseUrl: own, inferenceBaseUrl: isForSandbox ? "/sandbox" : own };
    return halvesOf(await askForSession(host.url, order, pass));
  }

  async function expectSession(halves: SessionHalves): Promise<void> {
    const headers = { ...headersOf(host.url, "page", "GET", pass, halves), Authorization: "Bearer [key]" };
    const path = filled("/relay/api/{service}/apikey/models");
    expect((await send(host.url, path, { method: "GET", headers })).status).toBe(200);
    arrived.length = 0;
  }

  it.each(table.rows)("$path", async (row) => {
    const isForSandbox = row.path.includes("/sandbox/");
    const found: string[] = [];
    const expected: string[] = [];
    const refusals = new Set<string>();
    for (const method of METHODS) {
      for (const who of table.who) {
        const halves = await openSession(isForSandbox);
        const headers = { ...headersOf(host.url, who, method, pass, halves), ...row.headers };
        if (isProgram(who)) for (const name of Object.keys(FROM_PAGE)) delete headers[name];
        arrived.length = 0;
        const hasBody = method !== "GET" && method !== "HEAD" && row.body !== undefined;
        const order = hasBody ? { method, headers, body: filled(row.body ?? "") } : { method, headers };
        const answer = await send(host.url, filled(row.path), order);
        const passing = row.passes.find((one) => one.methods.includes(method) && one.who.includes(who));
        const isRefusal = answer.status >= 400 && answer.status < 500 && answer.headers["set-cookie"] === undefined;
        // What is refused has ended no session and signed nobody out.
        if (isRefusal && /^\/(session|access)/.test(row.path)) await expectSession(halves);
        if (passing && row.path === "/access/end") pass = await passOf(host.url, table);
        if (isRefusal) refusals.add(String(answer.headers["x-safelight-relay"] ?? answer.status));
        const reached = arrived.length > 0 ? " reaches" : "";
        found.push(`${method} ${who}: ${isRefusal && !reached ? "refused" : answer.status + reached}`);
        expected.push(
          `${method} ${who}: ${passing ? passing.status + (passing.reaches ? " reaches" : "") : "refused"}`,
        );
      }
    }
    expect(found).toEqual(expected);
    expect([...refusals].toSorted()).toEqual(row.refusals);
  });

  it("has a row for every route of the host, a route for every row, and a reason for all that passes", () => {
    expect(differences(table, host.routes)).toEqual([]);
    expect(differences(table, [...host.routes, "POST /made-up"])).toEqual(["POST /made-up"]);
    expect(differences(table, host.routes.slice(1))).toEqual([host.routes[0]]);
    const uses = table.rows.flatMap(({ path }) => /^\/relay\/(api|media|upload)\//.exec(path)?.[1] ?? []);
    expect([...new Set(uses)].toSorted()).toEqual(["api", "media", "upload"]);
    const reasons = table.rows.flatMap(({ passes }) => passes.map(({ why }) => why));
    expect(reasons.filter((why) => !why.endsWith("."))).toEqual([]);
  });
});

/** Routes that only the table has, or only the host. */
function differences({ rows }: Table, routes: readonly string[]): string[] {
  const named = new Set(rows.flatMap((row) => row.routes));
  const real = new Set(routes);
  return [...[...real].filter((route) => !named.has(route)), ...[...named].filter((route) => !real.has(route))];
}

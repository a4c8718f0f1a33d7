import { setTimeout } from "node:timers/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { createAccessGate } from "./access/access-gate.ts";
import { ACCESS_PAGE_HEADERS, headTooLargePage } from "./access/access-page.ts";
import { accessRoutes, arrivalOf, memberOfConnection } from "./access/access-routes.ts";
import { createAttemptStore } from "./attempts/create-attempt-store.ts";
import { dropConnection } from "./connections/close-server.ts";
import { type HostSettings, isForThisMachine } from "./host-settings.ts";
import { RelayRefusal, refusalAnswer } from "./relay/relay-refusal.ts";
import { type RelayOptions, relayRoutes } from "./relay/relay-routes.ts";
import {
  isHeadTooLarge,
  requireNoOtherSite,
  requireOwnName,
  requireSameOrigin,
  requireWellFormed,
} from "./relay/request-guard.ts";
import { type FetchSandbox, SANDBOX_IS_OFF } from "./relay/sandbox-upstream.ts";
import { createSendOnce } from "./relay/send-once.ts";
import { answerHeaders } from "./security-headers.ts";
import { openEndedSessions } from "./session/ended-sessions.ts";
import { openSessions } from "./session/open-sessions.ts";
import { studioFiles } from "./studio-files.ts";

type SandboxSettings = Pick<HostSettings, Extract<keyof HostSettings, `sandbox${string}`>>;
type Connection = HttpBindings | Http2Bindings;
type Middleware = (request: Request, connection: Connection) => Promise<Response>;

/** The sandbox, loaded and seeded by the first request, so that a host that only serves the studio does not load it. */
function lazySandbox(settings: SandboxSettings) {
  let opening: ReturnType<typeof openSandbox> | undefined;
  return {
    async fetch(request: Request) {
      opening ??= openSandbox(settings);
      return (await opening).fetch(request);
    },
    close: async () => (await opening)?.close(),
  };
}

/** The sandbox over real HTTP. A lost reply of the sandbox (`Response.error()`) destroys the connection. */
export function sandboxMiddleware(
  settings: SandboxSettings,
  sandbox: FetchSandbox = lazySandbox(settings).fetch,
): Middleware {
  return async (request, connection) => {
    const answer = await sandbox(request);
    if (answer.type === "error") return dropConnection(connection);
    // Files that people uploaded share the studio's origin here: nothing in them may run.
    answer.headers.set("X-Content-Type-Options", "nosniff");
    answer.headers.set("Content-Security-Policy", "script-src 'none'; object-src 'none'; frame-ancestors 'none'");
    // An open sandbox is there for pages of other origins, too.
    if (settings.sandbox === "open") answer.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
    return answer;
  };
}

async function openSandbox(settings: SandboxSettings) {
  const [{ createSandbox }, { makeMediaInThread, stopPainting }, { openUploadFile }] = await Promise.all([
    import("#sandbox/create-sandbox.ts"),
    import("./paint-aside.ts"),
    import("./nameless-file.ts"),
  ]);
  const { sandboxTokensPerSecond: tokensPerSecond } = settings;
  const sandbox = createSandbox({
    seed: settings.sandboxSeed,
    speed: settings.sandboxSpeed,
    makeMedia: makeMediaInThread,
    history: settings.sandboxHistory,
    quirks: settings.sandboxQuirks,
    capacity: { charges: settings.sandboxJobs, storedBytes: settings.sandboxBytes },
    openFile: openUploadFile,
    rateLimits: { perKey: settings.sandboxRateLimit },
    ...(tokensPerSecond === null ? {} : { tokensPerSecond }),
  });
  return {
    fetch: sandbox.fetch,
    async close() {
      sandbox.close();
      await stopPainting();
    },
  };
}

/**
 * The whole host as one `fetch`: health, the sandbox, the relay, the studio. Without a folder the studio is left out:
 * the dev server has it.
 */
export function createHost(settings: HostSettings, distFolder: string | undefined, relayOptions: RelayOptions = {}) {
  const host = new Hono<{ Bindings: Connection }>();
  // One memory for both: signed out is signed out, as a removed key is removed.
  const ended = openEndedSessions(settings);
  const gate = createAccessGate(settings, { ended });
  const attempts = createAttemptStore(settings);
  const sendOnce = createSendOnce(attempts, { sleep: setTimeout });
  const sessions = openSessions(settings, settings.sessionLimits, { ended });
  const sandbox = lazySandbox(settings);
  const answerBySandbox = sandboxMiddleware(settings, sandbox.fetch);
  const headers = Object.entries(answerHeaders(settings));
  host.get("/healthz", (c) => c.text("ok", 200, { "Cache-Control": "no-store" }));
  host.use((c, next) => {
    requireOwnName(c.env.incoming.headers, settings.publicOrigin);
    return next();
  });
  if (gate) host.route("/", accessRoutes(gate, settings));
  host.all("/sandbox/*", (c) => {
    if (settings.sandbox === "off") throw SANDBOX_IS_OFF;
    const { headers, method } = c.env.incoming;
    if (settings.sandbox === "on" && isForThisMachine(settings)) requireNoOtherSite(headers, settings.publicOrigin);
    else if (settings.sandbox === "on") requireSameOrigin(headers, "sandbox", settings.publicOrigin, method);
    return answerBySandbox(c.req.raw, c.env);
  });
  const whose: RelayOptions = {
    userOf: (connection) => memberOfConnection(connection)?.name,
    signInOf: (connection) => memberOfConnection(connection)?.signIn,
  };
  const ownSandbox = settings.sandbox === "off" ? {} : { sandbox: sandbox.fetch };
  host.route("/", relayRoutes(settings, sendOnce, sessions, { ...ownSandbox, ...whose, ...relayOptions }));
  if (distFolder !== undefined) host.route("/", studioFiles(distFolder, settings));
  host.onError((error, c) => {
    if (error instanceof RelayRefusal) return refusalAnswer(error);
    // An error's message may quote an address or a key: only its kind is written.
    process.stderr.write(`The server failed during a request: ${error.name}\n`);
    return c.text("The Safelight server failed during this request.", 500);
  });

  /** The cookies to remove with this answer: ours by name, and not set by this host, too many or too old. */
  async function staleCookies(connection: Connection): Promise<string[]> {
    const arrival = arrivalOf(connection);
    const isHttps = arrival.isEncrypted || (settings.publicOrigin?.startsWith("https:") ?? false);
    const ofGate = gate && "staleCookies" in gate ? await gate.staleCookies(arrival) : [];
    return [...ofGate, ...(await sessions.staleCookies({ ...arrival, isHttps, user: undefined }))];
  }

  return {
    /** Every route of the host: a test asks of each who may use it. */
    routes: host.routes.map(({ method, path }) => `${method} ${path}`),
    async fetch(request: Request, connection: Connection): Promise<Response> {
      const { incoming, outgoing } = connection;
      // Set before anything answers, so that refusals and answers that are passed on have them as well.
      for (const [name, value] of headers) outgoing.setHeader(name, value);
      const isTooLarge = isHeadTooLarge(incoming);
      if (isTooLarge || mayHaveStaleCookies(connection)) {
        const stale = await staleCookies(connection);
        // An answer that sets cookies itself takes the place of this.
        if (stale.length > 0) outgoing.setHeader("Set-Cookie", stale);
      }
      if (isTooLarge) return answerLargeHead(connection, settings.publicOrigin);
      const flaw = flawOf(connection, gate?.onlyOnce);
      if (flaw) return refusalAnswer(flaw);
      const answer = await host.fetch(request, connection);
      // Hono copies the answer to a HEAD request, and the copy has lost the mark that the relay has answered itself.
      return outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
    },
    /** Resolves when no submit is under way any more. */
    idle: () => sendOnce.idle(),
    /** Lets submits end that are under way, also those whose page has left, for `graceMs` at most. */
    async close(graceMs = 0): Promise<void> {
      const grace = new AbortController();
      const graceOver = setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => {});
      await Promise.race([sendOnce.idle(), graceOver]);
      grace.abort();
      await sessions.close();
      await attempts.close();
      await sandbox.close();
    },
  };
}

/** The browser's own visits to a page, and what a page asks first: cookies are looked through there, and not with each file. */
function mayHaveStaleCookies({ incoming: { headers, url = "" } }: Connection): boolean {
  if (!(headers.cookie ?? "").includes("safelight-")) return false;
  return (
    headers["sec-fetch-mode"] === "navigate" ||
    /text\/html/.test(headers.accept ?? "") ||
    /^\/(relay|access)$/.test(url)
  );
}

function answerLargeHead({ incoming: { headers } }: Connection, publicOrigin: string | undefined): Response {
  const isPage = /text\/html/.test(headers.accept ?? "");
  const name = publicOrigin ?? headers[":authority"] ?? headers.host;
  const refusal = new RelayRefusal(431, "too_large", "The request has more than 16 kB of headers.");
  const answer = refusalAnswer(refusal);
  return isPage ? new Response(headTooLargePage(String(name)), { status: 431, headers: ACCESS_PAGE_HEADERS }) : answer;
}

/** What is wrong with a request before anything looks at what it is about. */
function flawOf({ incoming }: Connection, onlyOnce: string | undefined): RelayRefusal | undefined {
  try {
    requireWellFormed(incoming, onlyOnce);
    return undefined;
  } catch (error) {
    if (error instanceof RelayRefusal) return error;
    throw error;
  }
}

import { setTimeout } from "node:timers/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { createAccessGate } from "./access/access-gate.ts";
import { accessRoutes, userOfConnection } from "./access/access-routes.ts";
import { createAttemptStore } from "./attempts/create-attempt-store.ts";
import { dropConnection } from "./connections/close-server.ts";
import { type HostSettings, isForThisMachine } from "./host-settings.ts";
import { RelayRefusal, refusalAnswer } from "./relay/relay-refusal.ts";
import { type RelayOptions, relayRoutes } from "./relay/relay-routes.ts";
import { requireNoOtherSite, requireOwnName, requireSameOrigin, requireWellFormed } from "./relay/request-guard.ts";
import { type FetchSandbox, SANDBOX_IS_OFF } from "./relay/sandbox-upstream.ts";
import { createSendOnce } from "./relay/send-once.ts";
import { answerHeaders } from "./security-headers.ts";
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
  const gate = createAccessGate(settings);
  const attempts = createAttemptStore(settings);
  const sendOnce = createSendOnce(attempts, { sleep: setTimeout });
  const sessions = openSessions(settings, settings.sessionLimits);
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
  const userOf = gate && ((connection: Connection) => userOfConnection(gate, connection));
  const ownSandbox = settings.sandbox === "off" ? {} : { sandbox: sandbox.fetch };
  host.route(
    "/",
    relayRoutes(settings, sendOnce, sessions, { ...ownSandbox, ...(userOf && { userOf }), ...relayOptions }),
  );
  if (distFolder !== undefined) host.route("/", studioFiles(distFolder, settings));
  host.onError((error, c) => {
    if (error instanceof RelayRefusal) return refusalAnswer(error);
    // An error's message may quote an address or a key: only its kind is written.
    process.stderr.write(`The server failed during a request: ${error.name}\n`);
    return c.text("The Safelight server failed during this request.", 500);
  });
  return {
    async fetch(request: Request, connection: Connection): Promise<Response> {
      // Set before anything answers, so that refusals and answers that are passed on have them as well.
      for (const [name, value] of headers) connection.outgoing.setHeader(name, value);
      const flaw = flawOf(connection, gate?.onlyOnce);
      if (flaw) return refusalAnswer(flaw);
      const answer = await host.fetch(request, connection);
      // Hono copies the answer to a HEAD request, and the copy has lost the mark that the relay has answered itself.
      return connection.outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
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

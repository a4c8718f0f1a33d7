import type { IncomingHttpHeaders } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { tryParseJson } from "#lib/read.ts";
import { KEY_PLACEHOLDER } from "#lib/secret-shape.ts";
import { finishBeforeClosing } from "../connections/close-server.ts";
import { readTextUpTo } from "../connections/read-text.ts";
import { drainBody } from "../connections/watch-body.ts";
import { type ActiveSession, ownerOf, type SessionRequest, type Sessions } from "../session/open-sessions.ts";
import type { Session } from "../session/session.ts";
import { isForSession, sessionRoutes } from "../session/session-routes.ts";
import { followingOpener } from "./follow-redirects.ts";
import { type ResolveAll, resolveBySystem } from "./public-address.ts";
import { answerRefusal, RelayRefusal } from "./relay-refusal.ts";
import { relayStream } from "./relay-stream.ts";
import { INTENT_HEADER, relaySubmit, relayWithdrawal } from "./relay-submit.ts";
import {
  createRelayPolicy,
  isMethodAllowed,
  type RelaySettings,
  type RelayTarget,
  readRelayTarget,
} from "./relay-target.ts";
import { requireSameOrigin } from "./request-guard.ts";
import { type FetchSandbox, SANDBOX_IS_OFF, sandboxOpener } from "./sandbox-upstream.ts";
import type { SendOnce } from "./send-once.ts";
import { type OpenUpstream, upstreamOpener } from "./upstream-request.ts";

type RelayContext = Context<{ Bindings: HttpBindings | Http2Bindings }>;

export interface RelayOptions {
  /** How names become addresses; the system's way unless a test brings its own. */
  resolveAll?: ResolveAll;
  /** The host's own sandbox, where it has one. */
  sandbox?: FetchSandbox;
  /** Whom the access gate has let in. */
  userOf?: (connection: HttpBindings | Http2Bindings) => string | undefined;
  /** By which sign-in, where everybody who knows a password is one user. */
  signInOf?: (connection: HttpBindings | Http2Bindings) => string | undefined;
  /** Which requests a session's key goes along with; a test of the relay alone brings its own. */
  isForSession?: typeof isForSession;
}

/**
 * The relay: the studio's one way to a service. Its addresses:
 *
 *     GET  /relay                                       → { mode, origins and storage of the settings,
 *                                                           memory: id or null, access: null, "password" or "header" }
 *     POST /relay/allow  { origin } of a storage        → 204, for the session of the request; 403 unless the mode is
 *                                                           "typed"
 *     any  /relay/api/https/api.example.com/any/path?query            GET, POST, DELETE, with the session's key
 *     any  /relay/api/sandbox/any/path?query                          the same, for the host's own sandbox
 *     PUT  /relay/upload/https/bucket.example.com/file?signature      without the key
 *     GET  /relay/media/https/cdn.example.com/file.png                without the key, Range allowed, redirects followed
 *
 * So a base address `https://api.example.com/api/v1/queue` becomes `/relay/api/https/api.example.com/api/v1/queue`, and
 * paths and queries are appended as usual. A request to an API needs a session (`session-routes.ts`), goes to the two
 * addresses of that session only, and has `[key]` where the key belongs. In the mode "typed" an upload needs a session too,
 * and a file the session’s cookie: an element of the page cannot send more. A POST to an API with `X-Safelight-Intent: <id>`
 * is forwarded once; a DELETE of the same address with it asks what became of the POST (`relay-submit.ts`).
 *
 * An answer with the header `X-Safelight-Relay` comes from the relay itself: nothing reached the service, unless it is
 * `redirect` or `outcome_unknown`. With `first_answer` it is one of the service that was given before.
 * The service's answer got lost where the connection of a GET is dropped, and with every `outcome_unknown`.
 */
export function relayRoutes(
  settings: RelaySettings,
  sendOnce: SendOnce,
  sessions: Sessions,
  {
    resolveAll = resolveBySystem,
    sandbox,
    userOf,
    signInOf,
    isForSession: mayCarryKey = isForSession,
  }: RelayOptions = {},
) {
  const { publicOrigin, access } = settings;
  const policy = createRelayPolicy(settings);
  const openers = {
    public: upstreamOpener("public", resolveAll),
    loopback: upstreamOpener("loopback", resolveAll),
    listed: upstreamOpener("listed", resolveAll),
  };
  const relay = new Hono<{ Bindings: HttpBindings | Http2Bindings }>();

  /** What reaches this target for these sessions. Throws a RelayRefusal where nothing may. */
  function openerFor(c: RelayContext, target: RelayTarget, own: readonly Session[]): OpenUpstream {
    if (target.isSandbox && sandbox) return sandboxOpener(sandbox, pageOrigin(c, publicOrigin));
    if (target.isSandbox) throw SANDBOX_IS_OFF;
    const first = openers[policy.require(target, own, ownPort(c))];
    if (target.use !== "media") return first;
    return followingOpener(first, (next, from) => openers[policy.requireNext(next, from, own, ownPort(c))]);
  }

  const originOf = (c: RelayContext) => pageOrigin(c, publicOrigin);
  const requireOwnPage = (c: RelayContext) =>
    requireSameOrigin(c.env.incoming.headers, "api", publicOrigin, c.env.incoming.method);
  const askedOf = (c: RelayContext): SessionRequest => ({
    headers: c.env.incoming.headers,
    isHttps: (publicOrigin?.startsWith("https:") ?? false) || originOf(c).startsWith("https:"),
    port: ownPort(c),
    user: userOf?.(c.env),
    signIn: signInOf?.(c.env),
  });
  relay.route("/", sessionRoutes({ sessions, policy, guarded, requireOwnPage, originOf, askedOf }));

  /** The session of a request that needs one. Throws a RelayRefusal where it has none, or not for this. */
  async function sessionFor(c: RelayContext, target: RelayTarget): Promise<ActiveSession | undefined> {
    const needsSession = target.use === "api" || (target.use === "upload" && policy.mode === "typed");
    if (!needsSession) return undefined;
    const active = await sessions.require(askedOf(c));
    if (target.use !== "api") return active;
    const { method = "", headers } = c.env.incoming;
    // A question about a submit is answered here: it needs what the submit needs, and is sent to no service.
    const checkedMethod = method === "DELETE" && headers[INTENT_HEADER] !== undefined ? "POST" : method;
    if (!mayCarryKey(active.session, target, checkedMethod, originOf(c))) {
      active.release();
      const message = "Safelight does not make this kind of request. It was not sent.";
      throw new RelayRefusal(403, "not_a_service_request", message);
    }
    return active;
  }

  relay.get("/relay", (c) =>
    guarded(c, async () => {
      requireOwnPage(c);
      const memory = await sendOnce.memoryId().catch(() => null);
      const about = { mode: policy.mode, ...policy.listed, memory, access: access?.kind ?? null };
      return c.json(about, 200, {
        "Cache-Control": "no-store",
      });
    }),
  );

  relay.post("/relay/allow", (c) =>
    guarded(c, async () => {
      requireOwnPage(c);
      const body = tryParseJson(await readTextUpTo(c.req.raw, 2048, 5000));
      const origin = readStorageOrigin(body);
      const asked = askedOf(c);
      const { session, release, setCookie } = await sessions.require(asked);
      release();
      policy.allow(origin, session, ownerOf(asked), asked.port);
      if (setCookie) c.header("Set-Cookie", setCookie);
      return c.body(null, 204);
    }),
  );

  relay.all("/relay/*", (c) =>
    guarded(c, async () => {
      const { incoming } = c.env;
      const target = readRelayTarget(incoming.url ?? "");
      if (!target) throw notATarget();
      requireSameOrigin(incoming.headers, target.use, publicOrigin, incoming.method);
      if (!isMethodAllowed(target.use, incoming.method ?? "")) {
        throw new RelayRefusal(405, "wrong_method", `${incoming.method} is not forwarded here.`);
      }
      const active = await sessionFor(c, target);
      try {
        const key = target.use === "api" ? active?.session.key : undefined;
        const headers = key === undefined ? incoming.headers : withKey(incoming.headers, key);
        if (active?.setCookie) c.env.outgoing.setHeader("Set-Cookie", active.setCookie);
        const isFile = target.use === "media" && policy.mode === "typed";
        const own = active ? [active.session] : isFile ? await sessions.ofBrowser(askedOf(c)) : [];
        const open = openerFor(c, target, own);
        const relayed = { connection: c.env, target, headers, key, ended: active?.signal, open };
        const intentId = target.use === "api" ? incoming.headers[INTENT_HEADER] : undefined;
        const isNamed = typeof intentId === "string";
        if (isNamed && incoming.method === "POST") {
          finishBeforeClosing(c.env);
          await relaySubmit(relayed, intentId, sendOnce);
        } else if (isNamed && incoming.method === "DELETE") await relayWithdrawal(relayed, intentId, sendOnce);
        else await relayStream(relayed);
      } finally {
        active?.release();
      }
      return RESPONSE_ALREADY_SENT;
    }),
  );

  return relay;
}

async function guarded(c: RelayContext, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    // The studio's own page gets the answer also where it is still uploading.
    const bodyIsOver = error.kind === "not_same_origin" ? undefined : () => drainBody(c.env);
    await answerRefusal(c.env.outgoing, error, bodyIsOver);
    return RESPONSE_ALREADY_SENT;
  }
}

function notATarget(): RelayRefusal {
  return new RelayRefusal(400, "not_a_target", "The Safelight server has nothing at this URL.");
}

/** Where this host listens, as far as its socket knows. */
function ownPort(c: RelayContext): number | undefined {
  const { incoming } = c.env;
  return ("stream" in incoming ? incoming.stream.session?.socket : incoming.socket)?.localPort;
}

/** The studio's origin as the page knows it, also where something in front of the host ends TLS or names it otherwise. */
function pageOrigin(c: RelayContext, publicOrigin: string | undefined): string {
  const { origin, host } = new URL(c.req.url);
  if (publicOrigin === undefined) return origin;
  return new URL(publicOrigin).host === host || c.req.header("Origin") === publicOrigin ? publicOrigin : origin;
}

/** The headers with the key in its place: in `Authorization`, or in `x-api-key` where the page has chosen that. */
function withKey(headers: IncomingHttpHeaders, key: string): IncomingHttpHeaders {
  const { authorization: _authorization, "x-api-key": apiKey, ...others } = headers;
  return apiKey === KEY_PLACEHOLDER ? { ...others, "x-api-key": key } : { ...others, authorization: `Bearer ${key}` };
}

/** Reads the body of `POST /relay/allow`. The origin must be in its one plain spelling. */
function readStorageOrigin(body: unknown): string {
  const { origin } = (body ?? {}) as { origin?: unknown };
  const isPlain =
    typeof origin === "string" && readRelayTarget(`/relay/api/${origin.replace("://", "/")}/`)?.origin === origin;
  if (isPlain) return origin;
  throw new RelayRefusal(
    400,
    "not_a_target",
    'The body must be { origin: "https://…" } with the origin of a file host.',
  );
}

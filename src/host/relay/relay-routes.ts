import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { type HostSettings, isLoopbackBind } from "../host-settings.ts";
import { type ResolveAll, resolveBySystem } from "./public-address.ts";
import { answerRefusal, RelayRefusal } from "./relay-refusal.ts";
import { drainBody, relayStream } from "./relay-stream.ts";
import { INTENT_HEADER, relaySubmit, relayWithdrawal } from "./relay-submit.ts";
import { createRelayPolicy, isMethodAllowed, type RelayTarget, readRelayTarget } from "./relay-target.ts";
import { requireSameOrigin } from "./request-guard.ts";
import { type FetchSandbox, sandboxOpener } from "./sandbox-upstream.ts";
import type { SendOnce } from "./send-once.ts";
import { type OpenUpstream, upstreamOpener } from "./upstream-request.ts";

type RelayContext = Context<{ Bindings: HttpBindings | Http2Bindings }>;

export interface RelayOptions {
  /** How names become addresses; the system's way unless a test brings its own. */
  resolveAll?: ResolveAll;
  /** The host's own sandbox, where it has one. */
  sandbox?: FetchSandbox;
}

/**
 * The relay: the studio's one way to a service. Its addresses:
 *
 *     GET  /relay                                       → { mode, origins, storage, memory: id or null }
 *     POST /relay/allow  { origin, use: "api"|"storage" } → 204, or 403 unless the mode is "typed"
 *     any  /relay/api/https/api.example.com/any/path?query            GET, POST, DELETE, with the key
 *     any  /relay/api/sandbox/any/path?query                          the same, for the host's own sandbox
 *     PUT  /relay/upload/https/bucket.example.com/file?signature      without the key
 *     GET  /relay/media/https/cdn.example.com/file.png                without the key, Range allowed
 *     GET  /relay/download/Name%20to%20save.png/https/cdn.example.com/file.png
 *
 * So a base address `https://api.example.com/api/v1/queue` becomes `/relay/api/https/api.example.com/api/v1/queue`, and
 * paths and queries are appended as usual. A POST to an API with `X-Safelight-Intent: <id>` is forwarded once; a DELETE
 * of the same address with it asks what became of the POST (`relay-submit.ts`).
 * An answer with the header `X-Safelight-Relay` comes from the relay itself: nothing reached the service, unless it is
 * `redirect` or `outcome_unknown`. With `first_answer` it is one of the service that was given before.
 * A GET whose connection is dropped without an answer, and every `outcome_unknown`: the service's answer got lost.
 */
export function relayRoutes(
  { host, upstreams, publicOrigin }: Pick<HostSettings, "host" | "upstreams" | "publicOrigin">,
  sendOnce: SendOnce,
  { resolveAll = resolveBySystem, sandbox }: RelayOptions = {},
) {
  const policy = createRelayPolicy(upstreams, isLoopbackBind(host));
  const openers = {
    public: upstreamOpener("public", resolveAll),
    loopback: upstreamOpener("loopback", resolveAll),
    listed: upstreamOpener("listed", resolveAll),
  };
  const relay = new Hono<{ Bindings: HttpBindings | Http2Bindings }>();

  /** What reaches this target. Throws a RelayRefusal where nothing may. */
  function openerFor(c: RelayContext, target: RelayTarget): OpenUpstream {
    if (target.isSandbox && sandbox) return sandboxOpener(sandbox, pageOrigin(c, publicOrigin));
    if (target.isSandbox) throw notATarget();
    return openers[policy.require(target, ownPort(c))];
  }

  relay.get("/relay", (c) =>
    guarded(c, async () => {
      requireSameOrigin(c.env.incoming.headers, "api", publicOrigin);
      const memory = await sendOnce.memoryId().catch(() => null);
      return c.json({ mode: policy.mode, ...policy.allowed(), memory }, 200, { "Cache-Control": "no-store" });
    }),
  );

  relay.post("/relay/allow", (c) =>
    guarded(c, async () => {
      requireSameOrigin(c.env.incoming.headers, "api", publicOrigin);
      const { origin, use } = readAllowance(await c.req.json().catch(() => undefined));
      policy.add(origin, use, ownPort(c));
      return c.body(null, 204);
    }),
  );

  relay.all("/relay/*", (c) =>
    guarded(c, async () => {
      const { incoming } = c.env;
      const target = readRelayTarget(incoming.url ?? "");
      if (!target) throw notATarget();
      requireSameOrigin(incoming.headers, target.use, publicOrigin);
      if (!isMethodAllowed(target.use, incoming.method ?? "")) {
        throw new RelayRefusal(405, "wrong_method", `${incoming.method} is not relayed here.`);
      }
      const relayed = { connection: c.env, target, open: openerFor(c, target) };
      const intentId = target.use === "api" ? incoming.headers[INTENT_HEADER] : undefined;
      const isNamed = typeof intentId === "string";
      if (isNamed && incoming.method === "POST") await relaySubmit(relayed, intentId, sendOnce);
      else if (isNamed && incoming.method === "DELETE") await relayWithdrawal(relayed, intentId, sendOnce);
      else await relayStream(relayed);
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
    // Other origins get no reason; the studio's own page does.
    if (error.kind !== "not_same_origin") await drainBody(c.env);
    answerRefusal(c.env.outgoing, error);
    return RESPONSE_ALREADY_SENT;
  }
}

function notATarget(): RelayRefusal {
  return new RelayRefusal(400, "not_a_target", "This is not an address of the relay.");
}

/** Where this host listens, as far as its socket knows. */
function ownPort(c: RelayContext): number | undefined {
  const { incoming } = c.env;
  return ("stream" in incoming ? incoming.stream.session?.socket : incoming.socket)?.localPort;
}

/** The studio's origin as the page knows it, also where something in front of the host ends TLS. */
function pageOrigin(c: RelayContext, publicOrigin: string | undefined): string {
  const { origin, host } = new URL(c.req.url);
  return publicOrigin !== undefined && new URL(publicOrigin).host === host ? publicOrigin : origin;
}

/** Reads the body of `POST /relay/allow`. The origin must be in its one plain spelling. */
function readAllowance(body: unknown): { origin: string; use: "api" | "storage" } {
  const { origin, use } = (body ?? {}) as { origin?: unknown; use?: unknown };
  const isPlain =
    typeof origin === "string" && readRelayTarget(`/relay/api/${origin.replace("://", "/")}/`)?.origin === origin;
  if (isPlain && (use === "api" || use === "storage")) return { origin, use };
  throw new RelayRefusal(400, "not_a_target", 'The body must be { origin: "https://…", use: "api" or "storage" }.');
}

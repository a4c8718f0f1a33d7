import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { type HostSettings, isLoopbackBind } from "../host-settings.ts";
import { type ResolveAll, resolveBySystem } from "./public-address.ts";
import { answerRefusal, RelayRefusal } from "./relay-refusal.ts";
import { drainBody, relayStream } from "./relay-stream.ts";
import { createFirstAnswers, INTENT_HEADER, relaySubmit } from "./relay-submit.ts";
import { createRelayPolicy, isMethodAllowed, readRelayTarget } from "./relay-target.ts";
import { requireSameOrigin } from "./request-guard.ts";
import { upstreamOpener } from "./upstream-request.ts";

type RelayContext = Context<{ Bindings: HttpBindings | Http2Bindings }>;

export interface RelayOptions {
  /** How names become addresses; the system's way unless a test brings its own. */
  resolveAll?: ResolveAll;
  now?: () => number;
}

/**
 * The relay, for services whose API or storage refuses browsers. Its addresses:
 *
 *     GET  /relay                                       → { mode, origins, storage }
 *     POST /relay/allow  { origin, use: "api"|"storage" } → 204, or 403 unless the mode is "typed"
 *     any  /relay/api/https/api.example.com/any/path?query            GET, POST, DELETE, with the key
 *     PUT  /relay/upload/https/bucket.example.com/file?signature      without the key
 *     GET  /relay/media/https/cdn.example.com/file.png                without the key, Range allowed
 *     GET  /relay/download/Name%20to%20save.png/https/cdn.example.com/file.png
 *
 * So a base address `https://api.example.com/api/v1/queue` becomes `/relay/api/https/api.example.com/api/v1/queue`, and
 * paths and queries are appended as usual. A POST with `X-Safelight-Intent: <id>` is forwarded once.
 * An answer with the header `X-Safelight-Relay` comes from the relay itself: nothing reached the service, unless it is
 * `redirect`.
 * A connection dropped without an answer means that the service's answer got lost.
 */
export function relayRoutes(
  { host, upstreams, publicOrigin }: Pick<HostSettings, "host" | "upstreams" | "publicOrigin">,
  { resolveAll = resolveBySystem, now = Date.now }: RelayOptions = {},
) {
  const policy = createRelayPolicy(upstreams, isLoopbackBind(host));
  const open = upstreamOpener(resolveAll);
  const answers = createFirstAnswers(now);
  const relay = new Hono<{ Bindings: HttpBindings | Http2Bindings }>();

  relay.get("/relay", (c) =>
    guarded(c, async () => {
      requireSameOrigin(c.env.incoming.headers, "api", publicOrigin);
      return c.json({ mode: policy.mode, ...policy.allowed() }, 200, { "Cache-Control": "no-store" });
    }),
  );

  relay.post("/relay/allow", (c) =>
    guarded(c, async () => {
      requireSameOrigin(c.env.incoming.headers, "api", publicOrigin);
      const { origin, use } = readAllowance(await c.req.json().catch(() => undefined));
      policy.add(origin, use);
      return c.body(null, 204);
    }),
  );

  relay.all("/relay/*", (c) =>
    guarded(c, async () => {
      const { incoming } = c.env;
      const target = readRelayTarget(incoming.url ?? "");
      if (!target) throw new RelayRefusal(400, "not_a_target", "This is not an address of the relay.");
      requireSameOrigin(incoming.headers, target.use, publicOrigin);
      if (!isMethodAllowed(target.use, incoming.method ?? "")) {
        throw new RelayRefusal(405, "wrong_method", `${incoming.method} is not relayed here.`);
      }
      const { mayBePrivate } = policy.require(target);
      const relayed = { connection: c.env, target, mayBePrivate, open };
      const intentId = incoming.headers[INTENT_HEADER];
      if (typeof intentId === "string" && target.use === "api" && incoming.method === "POST") {
        await relaySubmit(relayed, intentId, answers);
      } else {
        await relayStream(relayed);
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
    // Other origins get no reason; the studio's own page does.
    if (error.kind !== "not_same_origin") await drainBody(c.env);
    answerRefusal(c.env.outgoing, error);
    return RESPONSE_ALREADY_SENT;
  }
}

/** Reads the body of `POST /relay/allow`. The origin must be in its one plain spelling. */
function readAllowance(body: unknown): { origin: string; use: "api" | "storage" } {
  const { origin, use } = (body ?? {}) as { origin?: unknown; use?: unknown };
  const isPlain =
    typeof origin === "string" && readRelayTarget(`/relay/api/${origin.replace("://", "/")}/`)?.origin === origin;
  if (isPlain && (use === "api" || use === "storage")) return { origin, use };
  throw new RelayRefusal(400, "not_a_target", 'The body must be { origin: "https://…", use: "api" or "storage" }.');
}

import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { parseUrl } from "#lib/parse-url.ts";
import { asRecord, asText, tryParseJson } from "#lib/read.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { isServiceRequest, type ServiceAddresses } from "#lib/service-requests.ts";
import { readTextUpTo } from "../connections/read-text.ts";
import { RelayRefusal } from "../relay/relay-refusal.ts";
import { type createRelayPolicy, type RelayTarget, readRelayTarget } from "../relay/relay-target.ts";
import type { SessionRequest, Sessions } from "./open-sessions.ts";
import { digestOf, type Session } from "./session.ts";
import { endNotWritten } from "./session-refusals.ts";

type Bindings = HttpBindings | Http2Bindings;
type HostContext = Context<{ Bindings: Bindings }>;

/** What the routes need of the relay that they are a part of. */
interface SessionRouteOptions {
  sessions: Sessions;
  policy: ReturnType<typeof createRelayPolicy>;
  /** Answers a RelayRefusal that is thrown inside. */
  guarded: (c: HostContext, answer: () => Promise<Response>) => Promise<Response>;
  /** Throws unless the studio's own page asks. */
  requireOwnPage: (c: HostContext) => void;
  /** The studio's origin as the page knows it. */
  originOf: (c: HostContext) => string;
  askedOf: (c: HostContext) => SessionRequest;
}

const MAX_BYTES = 8 * 1024;
/** It is small, and arrives at once. */
const LONGEST_BODY_MS = 5000;
/** Both addresses and the key have to go into a cookie, of which browsers take 4 kB. */
const LONGEST_ADDRESS = 300;

/**
 * Where a page gives its key away:
 *
 *     POST   /session  { key, queueBaseUrl, inferenceBaseUrl, salt }
 *              → 201 { ticket, accountId, keyHint, keyShape, idleMs, endsAtMs } and a cookie
 *     DELETE /session  with X-Safelight-Session → 204: ended for every tab, and for what is under way
 *     DELETE /session?only=this → 204: other sessions of this browser with the same key go on
 *
 * The body is JSON, which no form of another site can send. `accountId` names the owner of stored records without telling
 * the key: a digest over the salt of the device, the queue address and the key.
 */
export function sessionRoutes(options: SessionRouteOptions) {
  const { sessions, policy, guarded, originOf, askedOf } = options;
  const routes = new Hono<{ Bindings: Bindings }>();
  const requireOwnPage = (c: HostContext) => {
    options.requireOwnPage(c);
    // Browsers name the origin of every request of a page that is no GET: one without it was not made by the studio.
    if (c.req.header("Origin") !== undefined) return;
    throw new RelayRefusal(403, "not_same_origin", "Only Safelight’s own page may request this.");
  };

  routes.post("/session", (c) =>
    guarded(c, async () => {
      requireOwnPage(c);
      const { key, salt, ...named } = await readOrder(c);
      const service = {
        queueBaseUrl: named.queueBaseUrl.replace(/\/+$/, ""),
        inferenceBaseUrl: named.inferenceBaseUrl.replace(/\/+$/, ""),
      };
      const asked = askedOf(c);
      for (const address of new Set(Object.values(service))) {
        const target = targetOf(address, originOf(c));
        if (!target.isSandbox) policy.requireTyped(target.origin, asked.port);
      }
      const opened = await sessions.open({ ...service, key }, asked);
      for (const cookie of opened.setCookies) c.header("Set-Cookie", cookie, { append: true });
      c.header("Cache-Control", "no-store");
      const digest = Buffer.from(digestOf([salt, named.queueBaseUrl, key].join("\n")), "base64url");
      return c.json(
        {
          ticket: opened.ticket,
          accountId: digest.toString("hex").slice(0, 32),
          keyHint: key.slice(-4),
          keyShape: shapeOfKey(key),
          idleMs: sessions.idleMs,
          endsAtMs: opened.session.openedAtMs + sessions.maxAgeMs,
        },
        201,
      );
    }),
  );

  routes.delete("/session", (c) =>
    guarded(c, async () => {
      requireOwnPage(c);
      const { setCookies, isWritten } = await sessions.end(askedOf(c), { onlyThis: c.req.query("only") === "this" });
      c.env.outgoing.setHeader("Set-Cookie", setCookies);
      if (!isWritten) throw endNotWritten();
      return c.body(null, 204);
    }),
  );

  return routes;
}

interface Order extends ServiceAddresses {
  key: string;
  salt: string;
}

/** Reads the body of `POST /session`. The sentences never repeat the key. */
async function readOrder(c: HostContext): Promise<Order> {
  const isJson = /^application\/json\b/i.test(c.req.header("Content-Type") ?? "");
  if (!isJson) throw badOrder("The body must be JSON of at most 8 kB.");
  const body = asRecord(tryParseJson(await readTextUpTo(c.req.raw, MAX_BYTES, LONGEST_BODY_MS)));
  const [key, queueBaseUrl] = [asText(body.key), asText(body.queueBaseUrl)];
  const [inferenceBaseUrl, salt] = [asText(body.inferenceBaseUrl), asText(body.salt)];
  if (key === undefined || !/^[\x21-\x7e]{1,1000}$/.test(key)) throw badOrder("The key cannot be sent in a header.");
  if (queueBaseUrl === undefined || inferenceBaseUrl === undefined || salt === undefined) {
    throw badOrder("The body must be { key, queueBaseUrl, inferenceBaseUrl, salt }.");
  }
  if (Math.max(queueBaseUrl.length, inferenceBaseUrl.length) > LONGEST_ADDRESS) {
    throw badOrder(`A service URL can have up to ${LONGEST_ADDRESS} characters.`);
  }
  return { key, queueBaseUrl, inferenceBaseUrl, salt: salt.slice(0, 200) };
}

function badOrder(message: string): RelayRefusal {
  return new RelayRefusal(400, "not_a_target", message);
}

/**
 * Where a base address leads: an API elsewhere, or this host's own sandbox, as a path or under the studio's own origin.
 * Throws a RelayRefusal for anything that is not in its one plain spelling.
 */
function targetOf(address: string, pageOrigin: string): RelayTarget {
  const path = pathOf(address, pageOrigin);
  const target = readRelayTarget(`/relay/api${path}`);
  if (!target || /[?#]/.test(address)) throw badOrder("This is not a service URL.");
  return target;
}

/** The part of a relay address that stands for a base address: `/https/api.example.com/v1`, or `/sandbox/…`. */
function pathOf(address: string, pageOrigin: string): string {
  const url = parseUrl(address, pageOrigin);
  if (url === undefined || url.username !== "" || url.password !== "") throw badOrder("This is not a service URL.");
  const path = url.pathname.replace(/\/+$/, "");
  if (url.origin === pageOrigin && path.startsWith("/sandbox")) return path === "/sandbox" ? "/sandbox/" : path;
  return `/${url.protocol.slice(0, -1)}/${url.host}${path}`;
}

/** Whether a session's key may go along with a request: it is one of the studio's own, to the session's addresses. */
export function isForSession(session: Session, target: RelayTarget, method: string, pageOrigin: string): boolean {
  const absolute = (address: string) => new URL(address, pageOrigin).href.replace(/\/+$/, "");
  const url = `${target.isSandbox ? pageOrigin : target.origin}${target.pathAndQuery}`;
  const service = {
    queueBaseUrl: absolute(session.queueBaseUrl),
    inferenceBaseUrl: absolute(session.inferenceBaseUrl),
  };
  return isServiceRequest(service, method, url);
}

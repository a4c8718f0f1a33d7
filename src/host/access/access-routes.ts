import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { counted } from "#lib/numbers.ts";
import { parseUrl } from "#lib/parse-url.ts";
import { readTextUpTo } from "../connections/read-text.ts";
import type { HostSettings } from "../host-settings.ts";
import { RelayRefusal, refusalAnswer } from "../relay/relay-refusal.ts";
import { requireSameOrigin } from "../relay/request-guard.ts";
import type { AccessGate, PasswordGate } from "./access-gate.ts";
import { ACCESS_PAGE_HEADERS, type AccessNotice, accessPage } from "./access-page.ts";

type AccessContext = Context<{ Bindings: HttpBindings | Http2Bindings }>;

/** A password of any sensible length, and a path. */
const MAX_FORM_BYTES = 8192;
/** A person's form arrives at once. */
const LONGEST_FORM_MS = 5000;

/**
 * The gate in front of everything that is added after it:
 *
 *     GET  /access       the form, or that one is signed in
 *     POST /access       password=…&to=/path   → 303 to the path, with the cookies
 *     POST /access/end   → 303 to the form, without
 *
 * Whoever is not let in gets the form where they went to a page, and otherwise a refusal of kind `access_required` in
 * the error shape of the specification.
 */
export function accessRoutes(gate: AccessGate | PasswordGate, { publicOrigin }: Pick<HostSettings, "publicOrigin">) {
  const routes = new Hono<{ Bindings: HttpBindings | Http2Bindings }>();
  const isIn = (c: AccessContext) => userOfConnection(gate, c.env) !== undefined;
  const requireOwnForm = (c: AccessContext) => requireSameOrigin(c.env.incoming.headers, "form", publicOrigin);

  routes.get("/access", (c) => {
    if (isIn(c)) return pageAnswer(c, 200, gate.kind === "password" ? { kind: "signed-in" } : BY_PROXY);
    return pageAnswer(c, 401, formFor(gate, c, "/"));
  });

  if ("signIn" in gate) {
    routes.post("/access", async (c) => {
      requireOwnForm(c);
      const form = new URLSearchParams(await readTextUpTo(c.req.raw, MAX_FORM_BYTES, LONGEST_FORM_MS));
      const to = ownPath(form.get("to"));
      const signed = gate.signIn(c.env.incoming.headers, getPeerAddress(c.env), form.get("password") ?? "");
      if ("setCookies" in signed) return redirect(c, to, signed.setCookies);
      const { waitMs, isWrong } = signed;
      const seconds = Math.ceil(waitMs / 1000);
      if (seconds > 0) c.header("Retry-After", String(seconds));
      const wait = seconds > 0 ? ` Try again in ${counted(seconds, "second")}.` : "";
      const problem = isWrong ? `Wrong password.${wait}` : `Too many wrong passwords.${wait}`;
      return pageAnswer(c, isWrong ? 401 : 429, { kind: "sign-in", to, problem });
    });
    routes.post("/access/end", (c) => {
      requireOwnForm(c);
      return redirect(c, "/access", gate.signOut(c.env.incoming.headers));
    });
  }

  routes.all("*", (c, next) => {
    if (isIn(c)) return next();
    const to = ownPath(c.req.path + new URL(c.req.url).search);
    if (isNavigation(c)) return Promise.resolve(pageAnswer(c, 401, formFor(gate, c, to)));
    const message = "You are no longer signed in to Safelight. Nothing was sent.";
    return Promise.resolve(refusalAnswer(new RelayRefusal(403, "access_required", message)));
  });

  return routes;
}

const BY_PROXY: AccessNotice = {
  kind: "words",
  title: "You are signed in",
  body: "Your proxy signed you in. Sign out there.",
};

/** What somebody sees who is not let in. */
function formFor(gate: AccessGate, c: AccessContext, to: string): AccessNotice {
  if (gate.kind === "password") return { kind: "sign-in", to };
  const peer = getPeerAddress(c.env) ?? "an unknown machine";
  const body = `A proxy must sign you in, but this request came directly from ${peer}. Open Safelight at its public URL. If you already did, ask your administrator to add the proxy to SAFELIGHT_TRUSTED_PROXIES.`;
  return { kind: "words", title: "You are not signed in", body };
}

/** The person that the gate lets in on this connection; undefined where it lets in nobody. */
export function userOfConnection(gate: AccessGate, connection: HttpBindings | Http2Bindings): string | undefined {
  return gate.userOf(connection.incoming.headers, getPeerAddress(connection));
}

function getPeerAddress({ incoming }: HttpBindings | Http2Bindings): string | undefined {
  return ("stream" in incoming ? incoming.stream.session?.socket : incoming.socket)?.remoteAddress;
}

function isNavigation(c: AccessContext): boolean {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  return c.req.header("Sec-Fetch-Mode") === "navigate" || (c.req.header("Accept") ?? "").includes("text/html");
}

const LONGEST_PATH = 2000;

/** A path of Safelight, wherever the form says to go: never another site, and not back to the gate. */
function ownPath(to: string | null): string {
  const base = "http://studio.invalid";
  if (to === null || to.length > LONGEST_PATH || !/^\/(?![/\\])[^\s\\]*$/.test(to)) return "/";
  const url = parseUrl(to, base);
  return url?.origin !== base || /^\/access(\/|$)/.test(url.pathname) ? "/" : url.pathname + url.search;
}

function pageAnswer(c: AccessContext, status: 200 | 401 | 429, notice: AccessNotice): Response {
  return c.body(accessPage(notice), status, ACCESS_PAGE_HEADERS);
}

function redirect(c: AccessContext, to: string, setCookies: readonly string[]): Response {
  for (const cookie of setCookies) c.header("Set-Cookie", cookie, { append: true });
  return c.body(null, 303, { Location: to, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
}

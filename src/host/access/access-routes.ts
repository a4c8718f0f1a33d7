import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { counted } from "#lib/numbers.ts";
import { parseUrl } from "#lib/parse-url.ts";
import { readTextUpTo } from "../connections/read-text.ts";
import type { HostSettings } from "../host-settings.ts";
import { noteRefusal, RelayRefusal, refusalAnswer } from "../relay/relay-refusal.ts";
import { requireSameOrigin } from "../relay/request-guard.ts";
import type { AccessGate, Member, PasswordGate } from "./access-gate.ts";
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
  const isIn = async ({ env }: AccessContext) => {
    const member = await gate.memberOf(arrivalOf(env));
    if (member) members.set(env.incoming, member);
    return member !== undefined;
  };
  const requireOwnForm = (c: AccessContext) => requireSameOrigin(c.env.incoming.headers, "form", publicOrigin);

  routes.get("/access", async (c) => {
    if (await isIn(c)) return pageAnswer(c, 200, gate.kind === "password" ? { kind: "signed-in" } : BY_PROXY);
    return pageAnswer(c, 401, formFor(gate, c, "/"));
  });

  if ("signIn" in gate) {
    routes.post("/access", async (c) => {
      requireOwnForm(c);
      const form = new URLSearchParams(await readTextUpTo(c.req.raw, MAX_FORM_BYTES, LONGEST_FORM_MS));
      const to = ownPath(form.get("to"));
      const gone = new AbortController();
      c.env.outgoing.once("close", () => gone.abort());
      const signed = await gate.signIn(arrivalOf(c.env), form.get("password") ?? "", gone.signal);
      if ("setCookies" in signed) return redirect(c, to, signed.setCookies);
      const { waitMs, isWrong } = signed;
      noteRefusal(isWrong ? "wrong_password" : "wait");
      const seconds = Math.ceil(waitMs / 1000);
      if (seconds > 0) c.header("Retry-After", String(seconds));
      const wait = seconds > 0 ? ` Try again in ${counted(seconds, "second")}.` : "";
      const problem = isWrong ? `Wrong password.${wait}` : `Too many wrong passwords.${wait}`;
      return pageAnswer(c, isWrong ? 401 : 429, { kind: "sign-in", to, problem });
    });
    routes.post("/access/end", async (c) => {
      requireOwnForm(c);
      const { setCookies, isWritten } = await gate.signOut(arrivalOf(c.env));
      if (isWritten) return redirect(c, "/access", setCookies);
      addCookies(c, setCookies);
      return pageAnswer(c, 503, END_NOT_WRITTEN);
    });
  }

  routes.all("*", async (c, next) => {
    if (await isIn(c)) return next();
    const to = ownPath(c.req.path + new URL(c.req.url).search);
    const message = "You are no longer signed in to Safelight. Nothing was sent.";
    if (!isNavigation(c)) return refusalAnswer(new RelayRefusal(403, "access_required", message));
    noteRefusal("access_required");
    return pageAnswer(c, 401, formFor(gate, c, to));
  });

  return routes;
}

const BY_PROXY: AccessNotice = {
  kind: "words",
  title: "You are signed in",
  body: "Your proxy signed you in. Sign out there.",
};

const END_NOT_WRITTEN: AccessNotice = {
  kind: "words",
  title: "You are signed out here",
  body: "This browser and this Safelight server ended the sign-in. The server could not save this for its next start, or for other servers that share its sign-ins. Try again later: sign in, then sign out.",
};

/** What somebody sees who is not let in. */
function formFor(gate: AccessGate, c: AccessContext, to: string): AccessNotice {
  if (gate.kind === "password") return { kind: "sign-in", to };
  const peer = arrivalOf(c.env).peer ?? "an unknown machine";
  const body = `A proxy must sign you in, but this request came directly from ${peer}. Open Safelight at its public URL. If you already did, ask your administrator to add the proxy to SAFELIGHT_TRUSTED_PROXIES.`;
  return { kind: "words", title: "You are not signed in", body };
}

const members = new WeakMap<object, Member>();

/** The person that the gate has let in with this request; undefined where it let in nobody. */
export function memberOfConnection({ incoming }: HttpBindings | Http2Bindings): Member | undefined {
  return members.get(incoming);
}

/** Where a request came in. */
export function arrivalOf({ incoming }: HttpBindings | Http2Bindings) {
  const socket = "stream" in incoming ? incoming.stream.session?.socket : incoming.socket;
  const isEncrypted = socket !== undefined && "encrypted" in socket && socket.encrypted === true;
  return { headers: incoming.headers, peer: socket?.remoteAddress, port: socket?.localPort, isEncrypted };
}

function isNavigation(c: AccessContext): boolean {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  return c.req.header("Sec-Fetch-Mode") === "navigate" || (c.req.header("Accept") ?? "").includes("text/html");
}

const LONGEST_PATH = 2000;

const STUDIO = "http://studio.invalid";

/**
 * A path of Safelight, wherever the form says to go: never another site, and not back to the gate. What counts is what a
 * browser makes of it: the path is read again as it would be, since dots and slashes may go away in reading.
 */
export function ownPath(to: string | null): string {
  if (to === null || to.length > LONGEST_PATH || !/^\/[\x21-\x5b\x5d-\x7e\u00a1-\uffff]*$/.test(to)) return "/";
  const url = parseUrl(to, STUDIO);
  if (url?.origin !== STUDIO || /^\/access(\/|$)/.test(url.pathname)) return "/";
  const path = url.pathname + url.search;
  return !path.startsWith("//") && parseUrl(path, STUDIO)?.href === `${STUDIO}${path}` ? path : "/";
}

function pageAnswer(c: AccessContext, status: 200 | 401 | 429 | 503, notice: AccessNotice): Response {
  return c.body(accessPage(notice), status, ACCESS_PAGE_HEADERS);
}

function addCookies(c: AccessContext, setCookies: readonly string[]): void {
  for (const cookie of setCookies) c.header("Set-Cookie", cookie, { append: true });
}

function redirect(c: AccessContext, to: string, setCookies: readonly string[]): Response {
  addCookies(c, setCookies);
  return c.body(null, 303, { Location: to, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
}

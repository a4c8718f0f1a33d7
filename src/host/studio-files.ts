import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type Next } from "hono";
import { compress } from "hono/compress";
import type { HostSettings } from "./host-settings.ts";
import { hostPolicy, securityHeaders } from "./security-headers.ts";

const NO_HOST = '<meta name="safelight-host" content="none"';

/**
 * Marks the page as served by its own host: its requests then go through the relay, and its sandbox is the host's, if that
 * has one. As built, the page says that a plain file host served it (`src/connection/relay.ts`).
 */
export function markHost(html: string, sandbox: HostSettings["sandbox"] = "on"): string {
  return html.replace(NO_HOST, `${NO_HOST.replace("none", "here")}${sandbox === "off" ? ' data-sandbox="off"' : ""}`);
}

/** The policy that the build writes into the page. */
const BUILT_POLICY = /<meta http-equiv="Content-Security-Policy" content="[^"]*"/;

/** The built page as this host gives it out: marked, and with this host's policy, as in its header. */
function pageOfHost(html: string, { upstreams, sandbox }: HostSettings): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${hostPolicy(upstreams)}"`;
  return markHost(html, sandbox).replace(BUILT_POLICY, () => policy);
}

const OFFLINE_PAGE = /^const PAGE = (".*");$/m;

/** A page as it stands in the worker that shows it without a network. */
export function markedPage(html: string): string {
  return `const PAGE = ${JSON.stringify(html)};`;
}

/** That worker as this host gives it out: its page says the same as the host's own. */
function workerOfHost(source: string, settings: HostSettings): string {
  return source.replace(OFFLINE_PAGE, (_, page: string) =>
    markedPage(pageOfHost(JSON.parse(page) as string, settings)),
  );
}

const SCREENS = new Set([
  "",
  "connect",
  "create",
  "batch",
  "prices",
  "jobs",
  "history",
  "playground",
  "spend",
  "settings",
]);

/**
 * The built studio. Hashed files may be cached for ever, the page is asked for anew each time, and every screen's
 * address answers with the page. An address that is no screen answers 404, with the page when a person went there.
 */
export function studioFiles(distFolder: string, settings: HostSettings): Hono {
  const files = new Hono();
  files.use(securityHeaders(settings), cacheRules);
  files.get("*", async (c, next) => (isDotPath(c.req.path) ? c.text("Not found", 404) : next()));
  // These files are marked for a plain file host: the page below is served in their place.
  for (const name of ["/index.html", "/404.html"]) files.get(name, (c) => c.redirect("/"));
  files.get("/offline-worker.js", compress(), async (c) => {
    const source = await readFile(join(distFolder, "offline-worker.js"), "utf8");
    return c.body(workerOfHost(source, settings), 200, { "Content-Type": "text/javascript; charset=utf-8" });
  });
  files.get("*", serveStatic({ root: distFolder, precompressed: true, index: "no-folder-has-an-index" }));
  files.get("*", async (c, next) => (isNavigation(c) ? next() : c.text("Not found", 404)));
  files.get("*", async (c, next) => {
    await next();
    if (!isScreen(c.req.path)) c.res = new Response(c.res.body, { status: 404, headers: c.res.headers });
  });
  files.get("*", compress(), async (c) =>
    c.html(pageOfHost(await readFile(join(distFolder, "index.html"), "utf8"), settings)),
  );
  return files;
}

async function cacheRules(c: Context, next: Next): Promise<void> {
  await next();
  const isHashed = c.req.path.startsWith("/assets/") && c.res.ok;
  c.res.headers.set("Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
}

/** Whether a person goes to a page. A browser says so. For a program that does not, the address decides. */
function isNavigation(c: Context): boolean {
  const accepted = c.req.header("Accept") ?? "*/*";
  // The open studio asks for the page, too: to see whether it is still the one that is served.
  if (accepted.includes("text/html")) return true;
  const mode = c.req.header("Sec-Fetch-Mode");
  return mode === undefined ? accepted.includes("*/*") && isScreen(c.req.path) : mode === "navigate";
}

function isScreen(path: string): boolean {
  return SCREENS.has(path.split("/")[1] ?? "");
}

function isDotPath(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("."));
}

import { isRecord, type JsonRecord } from "#lib/read.ts";
import { choosePool, type RateLimiter } from "./access.ts";
import { authenticate, type Exchange, matchRoute, NOBODY, type Route, type RouteFamily } from "./authenticate.ts";
import type { ReadText } from "./capacity.ts";
import { raiseAskedFaults } from "./faults.ts";
import type { RequestLogEntry } from "./inspection.ts";
import { applyQuirks, applyToRequest, type Passage } from "./quirks/quirk.ts";
import type { SandboxContext } from "./sandbox-context.ts";
import { badRequest, errorResponse, LostReply, SandboxError } from "./sandbox-error.ts";

/** What one sandbox needs to answer its requests. */
interface Service {
  context: SandboxContext;
  routes: readonly Route[];
  limiter: RateLimiter;
  /** Origin of links; undefined takes the request's. */
  origin: string | undefined;
}

const LONGEST_LOGGED_PATH = 300;

/** Answers one request and writes it into the log. */
export async function answerRequest(
  service: Service,
  incoming: Request,
): Promise<{ response: Response; entry: RequestLogEntry }> {
  const { context, routes, origin } = service;
  const names = context.settings.read().quirks;
  const chosen = context.quirks.filter(({ name }) => names.includes(name));
  const { request, url, answered } = applyToRequest(incoming, chosen);
  const { base, path } = splitAddress(url, origin);
  const preflightMethod = isPreflight(request) ? request.headers.get("access-control-request-method") : null;
  const match = matchRoute(routes, preflightMethod ?? request.method, path);
  const route = match === "wrong-method" ? undefined : match?.route;
  const params = match === "wrong-method" ? {} : (match?.params ?? {});
  const exchange: Exchange = { request, url, base, params, caller: NOBODY, body: {} };
  const nowMs = context.clock.now();

  const plainAnswer = answered ?? (await answer(service, exchange, match === "wrong-method" ? match : route));
  if (plainAnswer.type !== "error") plainAnswer.headers.set("Date", new Date(context.clock.now()).toUTCString());
  const family = route?.family ?? (path.startsWith("/settings") ? "settings" : "queue");
  const passage: Passage = {
    exchange,
    route,
    nowMs,
    speed: context.clock.speed(),
    wait: context.wait,
    readFile: async (file) =>
      (await answerRequest({ ...service, context: withoutQuirks(context) }, new Request(file))).response,
  };
  const response = await applyQuirks(allowOrigins(plainAnswer, family), chosen, passage);
  const { method } = request;
  const entry = {
    route: route?.name ?? "unknown",
    method,
    path: path.slice(0, LONGEST_LOGGED_PATH),
    status: response.status,
    user: exchange.caller.user,
    atMs: nowMs,
  };
  return { response, entry };
}

async function answer(
  { context, limiter }: Service,
  exchange: Exchange,
  route: Route | "wrong-method" | undefined,
): Promise<Response> {
  const { request } = exchange;
  try {
    if (isPreflight(request)) return preflightResponse(request);
    // Spec 7: 405 for a wrong method for the path.
    if (route === "wrong-method") throw new SandboxError(405, `Method ${request.method} is not allowed for this path`);
    if (route === undefined) throw new SandboxError(404, "This path does not exist");
    return await dispatch(context, limiter, route, exchange);
  } catch (error) {
    if (error instanceof SandboxError) return errorResponse(error);
    if (error instanceof LostReply) return Response.error();
    // Walking through a body with too many lists within lists overflows the stack.
    if (error instanceof RangeError) return errorResponse(badRequest("The body is nested too deeply"));
    throw error;
  }
}

function withoutQuirks(context: SandboxContext): SandboxContext {
  return { ...context, quirks: [] };
}

/** Splits `https://host/any/sandbox/v1/models` into the address of the sandbox and the path within it. */
function splitAddress(url: URL, origin: string | undefined): { base: string; path: string } {
  const match = /^(.*?\/sandbox)(\/(?:api|v1|storage|settings)(?:\/.*)?)$/.exec(url.pathname);
  const [, prefix = "/sandbox", path = url.pathname] = match ?? [];
  return { base: `${origin ?? url.origin}${prefix}`, path };
}

/**
 * The checks before an endpoint, in one order for both halves of the service: key, limit, pool, body, faults. Throws
 * the `SandboxError` of whichever refuses first.
 */
async function dispatch(
  context: SandboxContext,
  limiter: RateLimiter,
  route: Route,
  exchange: Exchange,
): Promise<Response> {
  exchange.caller = authenticate(exchange.request, route, context.keys);
  if (route.readsJson === true) exchange.body = await readJson(exchange.request, context.readText);
  if (exchange.caller !== NOBODY) {
    limiter.count(exchange.caller, context.settings.read().rateLimits);
    choosePool(exchange);
  }
  if (route.family !== "settings")
    raiseAskedFaults(exchange, route, context.settings.read().faults, context.faultCounter);
  context.settle();
  const chosen = context.settings.read().quirks;
  for (const { name, refuse } of context.quirks) if (refuse && chosen.includes(name)) refuse(exchange, route);
  return route.handle(exchange);
}

/** Walking through a body blocks the thread for as long as it has parts. A long text is one part. */
const MAX_PARTS = 100_000;

/** Counts commas and beginnings of lists and objects, and stops above `MAX_PARTS`. */
function countParts(text: string): number {
  let parts = 0;
  for (const sign of [",", "[", "{"]) {
    for (let at = text.indexOf(sign); at >= 0 && parts <= MAX_PARTS; at = text.indexOf(sign, at + 1)) parts += 1;
  }
  return parts;
}

/** Spec 7: malformed JSON is 400. */
async function readJson(request: Request, readText: ReadText): Promise<JsonRecord> {
  const body = parse(await readText(request));
  if (!isRecord(body)) throw badRequest("The body must be a JSON object");
  return body;
}

function parse(text: string): unknown {
  if (countParts(text) > MAX_PARTS) throw badRequest("The body has too many parts");
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("Malformed JSON");
  }
}

/**
 * By default every origin may read the API and the storage, so that the studio works without a relay; quirks take
 * these headers away. Settings are for the sandbox's own page only.
 */
function allowOrigins(response: Response, family: RouteFamily): Response {
  if (family === "settings" || response.type === "error") return response;
  response.headers.set("Access-Control-Allow-Origin", "*");
  response.headers.set("Access-Control-Expose-Headers", "Content-Length, Content-Range, Content-Type, Date");
  return response;
}

/** Whether a request is a preflight of the browser rather than a call of the method OPTIONS. */
function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
      "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers") ?? "*",
      "Access-Control-Max-Age": "600",
    },
  });
}

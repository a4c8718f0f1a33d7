import { applyPersonalities, applyToRequest } from "./apply-personalities.ts";
import { type Exchange, matchRoute, NOBODY, type Route } from "./authenticate.ts";
import { allowOrigins, isPreflight, preflightResponse } from "./cross-origin.ts";
import { dispatch } from "./dispatch.ts";
import type { RequestLogEntry } from "./inspection.ts";
import type { Passage } from "./personality.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { SandboxContext } from "./sandbox-context.ts";
import { errorResponse, LostReply, SandboxError } from "./sandbox-error.ts";

/** What answering needs, besides the request. */
export interface Service {
  context: SandboxContext;
  routes: readonly Route[];
  limiter: RateLimiter;
  /** Origin of links; undefined takes the request's. */
  origin: string | undefined;
}

/** One request from its address to its answer, and what the log keeps of it. */
export async function answerRequest(
  service: Service,
  incoming: Request,
): Promise<{ response: Response; entry: RequestLogEntry }> {
  const { context, routes, origin } = service;
  const names = context.settings.read().personalities;
  const chosen = context.personalities.filter(({ name }) => names.includes(name));
  const { request, url, answered } = applyToRequest(incoming, chosen);
  const { base, path } = splitAddress(url, origin);
  const wanted = isPreflight(request) ? request.headers.get("access-control-request-method") : null;
  const match = matchRoute(routes, wanted ?? request.method, path);
  const route = match === "wrong-method" ? undefined : match?.route;
  const params = match === "wrong-method" ? {} : (match?.params ?? {});
  const exchange: Exchange = { request, url, base, params, caller: NOBODY, body: {} };
  const nowMs = context.clock.now();

  const plain = answered ?? (await answer(service, exchange, match === "wrong-method" ? match : route));
  if (plain.type !== "error") plain.headers.set("Date", new Date(context.clock.now()).toUTCString());
  const family = route?.family ?? (path.startsWith("/settings") ? "settings" : "queue");
  const passage: Passage = {
    exchange,
    route,
    nowMs,
    wait: context.wait,
    readFile: async (file) =>
      (await answerRequest({ ...service, context: withoutPersonalities(context) }, new Request(file))).response,
  };
  const response = await applyPersonalities(allowOrigins(plain, family), chosen, passage);
  const { method } = request;
  const entry = {
    route: route?.name ?? "unknown",
    method,
    path,
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
    if (route === undefined) throw new SandboxError(404, "There is nothing at this path");
    return await dispatch(context, limiter, route, exchange);
  } catch (error) {
    if (error instanceof SandboxError) return errorResponse(error);
    if (error instanceof LostReply) return Response.error();
    throw error;
  }
}

function withoutPersonalities(context: SandboxContext): SandboxContext {
  return { ...context, personalities: [] };
}

/** Splits `https://host/any/sandbox/v1/models` into the address of the sandbox and the path within it. */
function splitAddress(url: URL, origin: string | undefined): { base: string; path: string } {
  const match = /^(.*?\/sandbox)(\/(?:api|v1|storage|settings)(?:\/.*)?)$/.exec(url.pathname);
  const [, prefix = "/sandbox", path = url.pathname] = match ?? [];
  return { base: `${origin ?? url.origin}${prefix}`, path };
}

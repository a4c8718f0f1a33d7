import { isRecord, type JsonRecord } from "#lib/json.ts";
import { authenticate, type Exchange, NOBODY, type Route } from "./authenticate.ts";
import { raiseAskedFaults } from "./faults.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { choosePool } from "./resource-pool.ts";
import type { SandboxContext } from "./sandbox-context.ts";
import { badRequest } from "./sandbox-error.ts";

/**
 * Everything that stands before an endpoint, in one order for both halves of the service: key, limit, pool, body, faults.
 * Throws the `SandboxError` of whichever refuses first.
 */
export async function dispatch(
  context: SandboxContext,
  limiter: RateLimiter,
  route: Route,
  exchange: Exchange,
): Promise<Response> {
  exchange.caller = authenticate(exchange.request, route, context.keys);
  if (route.readsJson === true) exchange.body = await readJson(exchange.request);
  if (exchange.caller !== NOBODY) {
    limiter.count(exchange.caller, context.settings.read().rateLimits);
    choosePool(exchange);
  }
  if (route.family !== "settings")
    raiseAskedFaults(exchange, route, context.settings.read().faults, context.faultCounter);
  context.settle();
  return route.handle(exchange);
}

/** Spec 7: malformed JSON is 400. */
async function readJson(request: Request): Promise<JsonRecord> {
  const body = parse(await request.text());
  if (!isRecord(body)) throw badRequest("The body must be a JSON object");
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("Malformed JSON");
  }
}

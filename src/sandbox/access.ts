import type { Caller, Exchange } from "./authenticate.ts";
import { statusError } from "./faults.ts";
import { SandboxError } from "./sandbox-error.ts";
import type { RateLimits } from "./settings.ts";

const WINDOW_MS = 60_000;

/** Counts requests per key and per organisation in windows of one minute (spec 5.4). */
export interface RateLimiter {
  /** Throws 429 of type rate_limit_exceeded; spec 7: no Retry-After header goes with it. */
  count(caller: Caller, limits: RateLimits): void;
}

export function createRateLimiter(realNow: () => number): RateLimiter {
  let window = 0;
  const counts = new Map<string, number>();
  const isOver = (name: string, limit: number | null) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return limit !== null && count > limit;
  };
  return {
    count(caller, limits) {
      const current = Math.floor(realNow() / WINDOW_MS);
      if (current !== window) counts.clear();
      window = current;
      const keyIsOver = isOver(`key ${caller.key}`, limits.perKey);
      const organisationIsOver = isOver(`organisation ${caller.organisation}`, limits.perOrganisation);
      if (keyIsOver || organisationIsOver) throw statusError(429, "");
    },
  };
}

/**
 * Spec 5.7 leaves the syntax of pool selection open. Here a pool is asked for by the header `X-Resource-Group: <pool>`
 * or by a suffix to the model id, `<model>@<pool>`. Only the pool `standard` is open to the organisations of the sandbox.
 */
const POOL_HEADER = "x-resource-group";
const OPEN_POOL = "standard";

/** Throws 403 for a pool that the organisation may not use (spec 5.6); takes the suffix off the body's model. */
export function choosePool(exchange: Exchange): void {
  const { model } = exchange.body;
  const asked = exchange.request.headers.get(POOL_HEADER);
  const at = typeof model === "string" ? model.lastIndexOf("@") : -1;
  const suffix = typeof model === "string" && at > 0 ? model.slice(at + 1) : undefined;
  for (const pool of [asked, suffix]) {
    if (pool !== null && pool !== undefined && pool !== OPEN_POOL) {
      throw new SandboxError(403, `The resource group ${pool} requires VIP access.`);
    }
  }
  if (typeof model === "string" && suffix !== undefined) exchange.body.model = model.slice(0, at);
}

import type { Exchange } from "./authenticate.ts";
import { SandboxError } from "./sandbox-error.ts";

/**
 * Spec 5.7 leaves the syntax of pool selection open. Here a pool is asked for by the header `X-Resource-Group: <pool>`
 * or by a suffix to the model id, `<model>@<pool>`. Only the pool `standard` is open to the organisations of the sandbox.
 */
export const POOL_HEADER = "x-resource-group";
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

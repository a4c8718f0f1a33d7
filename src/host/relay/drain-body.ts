import type { Http2Bindings, HttpBindings } from "@hono/node-server";

/**
 * Takes what the page still sends and lets it fall, before the answer ends. A connection that closes under an upload is
 * a network error to a browser, which then never learns what the answer said. Resolves at the end of the body, or when
 * the page leaves.
 */
export function drainBody({ incoming }: HttpBindings | Http2Bindings): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) incoming.once(event, () => resolve());
    incoming.unpipe();
    incoming.resume();
  });
}

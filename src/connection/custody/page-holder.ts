import { randomId } from "#lib/random-id.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import type { ServiceAddresses } from "#lib/service-requests.ts";
import { deriveAccountId, type KeyHolder, refuseWithoutKey, withEnd } from "./key-holder.ts";
import { keyedFetch } from "./keyed-fetch.ts";

// By ticket. The keys are lost with the page.
const keys = new Map<string, { fetch: typeof fetch; ended: AbortController }>();

/**
 * Has keys in the page itself: only that of the sandbox in the page, which is in the documentation, and those of tests.
 * A reload loses them.
 */
export const pageHolder: KeyHolder = {
  custody: "page",
  async hold(order) {
    const ticket = randomId();
    const { key } = order;
    const accountId = await deriveAccountId(order);
    holdInPage(ticket, order);
    return { ticket, accountId, keyHint: key.slice(-4), keyShape: shapeOfKey(key) };
  },
  fetchFor: (ticket) => async (input, init) => {
    const found = keys.get(ticket);
    return found ? found.fetch(input, withEnd(init, found.ended.signal)) : refuseWithoutKey();
  },
  forget,
  drop: forget,
};

async function forget(ticket: string): Promise<void> {
  keys.get(ticket)?.ended.abort();
  keys.delete(ticket);
}

/** Takes a key under a given ticket: after a reload, the sandbox's key under the stored ticket. */
export function holdInPage(
  ticket: string,
  { key, queueBaseUrl, inferenceBaseUrl }: ServiceAddresses & { key: string },
) {
  const absolute = (address: string) => new URL(address, location.href).href;
  const service = { queueBaseUrl: absolute(queueBaseUrl), inferenceBaseUrl: absolute(inferenceBaseUrl) };
  keys.set(ticket, {
    fetch: keyedFetch({ key, ...service }),
    ended: new AbortController(),
  });
}

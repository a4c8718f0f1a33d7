import { keyedFetch } from "#connection/custody/keyed-fetch.ts";

/** The addresses of a service, with a `fetch` that holds the key: what the studio's client gets in a test. */
export function withKey<Rest extends { inferenceBaseUrl: string; queueBaseUrl?: string }>({
  key,
  fetch,
  ...rest
}: Rest & { key: string; fetch?: typeof globalThis.fetch }) {
  const absolute = (address: string) => new URL(address, globalThis.location?.href).href;
  const inferenceBaseUrl = absolute(rest.inferenceBaseUrl);
  const queueBaseUrl = absolute(rest.queueBaseUrl ?? rest.inferenceBaseUrl);
  return { ...rest, fetch: keyedFetch({ key, queueBaseUrl, inferenceBaseUrl, ...(fetch ? { fetch } : {}) }) };
}

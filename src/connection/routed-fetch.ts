import { absoluteUrl } from "#api/transport.ts";
import { fetchByRelay } from "./relay.ts";
import type { Routes } from "./routes.ts";

/** A `fetch` for the two bases of a service that sends each request the way that works for it. */
export function routedFetch({
  queueBaseUrl,
  inferenceBaseUrl,
  routes,
}: {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  routes: Routes;
}): typeof fetch {
  const queue = absoluteUrl(queueBaseUrl);
  const inference = absoluteUrl(inferenceBaseUrl);
  return (input, init) => {
    const url = String(input);
    // The queue first: the inference base may be the beginning of the queue's.
    const route = url.startsWith(queue) ? routes.queue : url.startsWith(inference) ? routes.inference : "direct";
    return route === "relay" ? fetchByRelay("api", url, init) : fetch(input, init);
  };
}

import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { perConnection } from "#connection/per-connection.ts";
import type { BodyKind } from "./submit-effects.ts";

/** Whether this browser can send a stream as a request body at all. */
export function canStreamRequests(): boolean {
  let askedForDuplex = false;
  try {
    const request = new Request("https://safelight.invalid", {
      method: "POST",
      body: new ReadableStream(),
      get duplex() {
        askedForDuplex = true;
        return "half";
      },
    } as RequestInit);
    return askedForDuplex && !request.headers.has("Content-Type");
  } catch {
    return false;
  }
}

/** The protocol that earlier requests to the address took, where the browser tells (it does for our own origin). */
function knownProtocol(url: URL): string {
  const entries = globalThis.performance?.getEntriesByType?.("resource") ?? [];
  const last = entries.filter(({ name }) => name.startsWith(url.href)).at(-1);
  return last && "nextHopProtocol" in last ? String(last.nextHopProtocol) : "";
}

/** Browsers speak HTTP/2 only over TLS, and a stream over HTTP/1.1 fails with an error in the console: don't try. */
function mayBeHttp2(queueBaseUrl: string): boolean {
  const url = new URL(queueBaseUrl, globalThis.location?.href);
  return url.protocol === "https:" && !knownProtocol(url).startsWith("http/1");
}

/**
 * Which body a submit takes on the way to this service. Asked once per connection with the free estimate call, whose
 * shape is that of a submit: where it takes a stream, so does the submit, and the browser cannot send it twice.
 */
export const provenBodyKind = perConnection(
  async (api: Api, queueBaseUrl: string, request: JobRequest): Promise<BodyKind> => {
    if (!canStreamRequests() || !mayBeHttp2(queueBaseUrl)) return "plain";
    return api.estimate(request, undefined, { streamBody: true }).then(
      () => "stream",
      () => "plain",
    );
  },
);

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { RelayRefusal } from "./relay-refusal.ts";
import type { OpenUpstream } from "./upstream-request.ts";

export const SANDBOX_IS_OFF = new RelayRefusal(
  403,
  "not_allowed",
  "The sandbox is off on the Safelight server. SAFELIGHT_SANDBOX=on turns it on.",
);

/** The sandbox as one function. A reply that it loses on purpose is `Response.error()`. */
export type FetchSandbox = (request: Request) => Promise<Response>;

/**
 * The host's own sandbox as an upstream, reached without a network. `pageOrigin` is the studio's as the page knows it:
 * the links in answers stand on it. A lost reply rejects after `onConnected`, as a broken connection does.
 */
export function sandboxOpener(fetchSandbox: FetchSandbox, pageOrigin: string): OpenUpstream {
  return async ({ target, method, headers, body, signal, onConnected }) => {
    const request = new Request(`${pageOrigin}${target.pathAndQuery}`, {
      method,
      headers: plainHeaders(headers),
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : Readable.toWeb(body), duplex: "half" }),
      ...(signal ? { signal } : {}),
    } as RequestInit);
    onConnected?.();
    signal?.throwIfAborted();
    const answer = await fetchSandbox(request);
    if (answer.type === "error") throw new Error("The sandbox gave no response.");
    const stream = answer.body ? Readable.fromWeb(answer.body as ReadableStream) : Readable.from([]);
    if (signal?.aborted) stream.destroy();
    return Object.assign(stream, { statusCode: answer.status, headers: Object.fromEntries(answer.headers) });
  };
}

/** The headers without those that frame a body on a connection, because no connection is used here. */
function plainHeaders(headers: Record<string, unknown>): [string, string][] {
  return Object.entries(headers)
    .filter(([name, value]) => value !== undefined && !/^(content-length|transfer-encoding)$/i.test(name))
    .map(([name, value]) => [name, String(value)]);
}

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { PASSED_ON_HEADERS } from "../security-headers.ts";
import type { RelayUse } from "./relay-target.ts";

/**
 * The headers that pass the relay, and none but these. A header that a service turns out to need is one more line, with its
 * reason. Names in lower case.
 */
export const PASSED_HEADERS = {
  /** What `#api` sets by name, the key among it. */
  toApi: ["accept", "authorization", "content-type", "x-api-key"],
  /** No key is among them: the addresses carry the permission. */
  toStorage: [
    "accept",
    "accept-encoding",
    // A signed upload is for one type.
    "content-type",
    // Parts of a clip, and files that the browser has already.
    "range",
    "if-range",
    "if-none-match",
    "if-modified-since",
  ],
  fromApi: [
    "content-type",
    // The page takes the service's time from these two.
    "date",
    "age",
    "retry-after",
    // The service's name for the request, by which its people find it: the page's request log shows it.
    "x-request-id",
    "request-id",
  ],
  fromStorage: [
    "content-type",
    "content-encoding",
    "content-length",
    "content-range",
    "accept-ranges",
    "etag",
    "last-modified",
  ],
  /** Beside those, for a storage that refuses: downloads wait as long as it says. */
  fromRefusingStorage: ["retry-after"],
} as const;

/** The encodings of an API's answer that this host can read. */
export const READABLE_ENCODINGS = ["gzip", "deflate", "br"] as const;

/** Many firewalls in front of services refuse a request without one. The browser's own stays here. */
const USER_AGENT = "safelight";

/** How the body of a request ends: not at all, by its length, or by chunks. */
export type BodyFraming = "none" | "length" | "chunked";

/**
 * The headers that go upstream. They frame the body that is really sent, whatever headers the page sent: a length
 * without a body, or a body without either, would let one request run into the next on the same connection.
 */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  use: RelayUse,
  framing: BodyFraming,
): OutgoingHttpHeaders {
  return {
    ...pick(headers, use === "api" ? PASSED_HEADERS.toApi : PASSED_HEADERS.toStorage),
    "user-agent": USER_AGENT,
    // The key is redacted from what an API answers, so that has to be readable here.
    ...(use === "api" ? { "accept-encoding": READABLE_ENCODINGS.join(", ") } : {}),
    ...(framing === "length" ? { "content-length": headers["content-length"] } : {}),
    ...(framing === "chunked" ? { "transfer-encoding": "chunked" } : {}),
  };
}

interface AnswerHead {
  statusCode?: number | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * The headers that go back to the page, with the relay's own, which prevent that the answer runs as a page of the
 * studio. `fileType` is what a stored file is served as. A file that was found may be kept by the one browser for an hour.
 */
export function pageHeaders(answer: AnswerHead, use: RelayUse, fileType?: string): OutgoingHttpHeaders {
  const { statusCode = 0, headers } = answer;
  const { fromApi, fromStorage, fromRefusingStorage } = PASSED_HEADERS;
  const isFound = use === "media" && [200, 206, 304].includes(statusCode);
  return {
    ...pick(headers, use === "api" ? fromApi : fromStorage),
    ...(use !== "api" && statusCode >= 400 ? pick(headers, fromRefusingStorage) : {}),
    ...(fileType === undefined ? {} : { "content-type": fileType }),
    ...PASSED_ON_HEADERS,
    "cache-control": isFound ? "private, max-age=3600" : "no-store",
  };
}

/** Those of the names, but none that `Connection` names as being about one connection alone. */
function pick(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  const ofConnection = (headers.connection ?? "").split(",").map((token) => token.trim().toLowerCase());
  const passed = names.filter((name) => headers[name] !== undefined && !ofConnection.includes(name));
  return Object.fromEntries(passed.map((name) => [name, headers[name]]));
}

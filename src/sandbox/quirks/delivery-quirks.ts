import { changeOutcomes, sendInPieces, withoutCors } from "./json-changes.ts";
import { type Quirk, withBody } from "./quirk.ts";

/** Seconds for which an address is good under `media-expired`. */
const SIGNED_SECONDS = 600;

/** When a signature that is made now ends, Unix seconds: the same for some minutes, so a record reads the same twice. */
const signedUntil = (nowMs: number) => (Math.floor(nowMs / 1000 / SIGNED_SECONDS) + 2) * SIGNED_SECONDS;

const XML = { "Content-Type": "application/xml; charset=UTF-8" };
const storageXml = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** Another answer of the storage, with the CORS headers that this one has. */
function storageAnswer(
  response: Response,
  status: number,
  headers: Record<string, string>,
  body: string | null,
): Response {
  if (response.type === "error") return response;
  const passed = [...response.headers].filter(([name]) => name.startsWith("access-control-") || name === "date");
  return new Response(body, { status, headers: { ...Object.fromEntries(passed), ...headers } });
}

/** How answers travel, and what storage and proxies do to them. */
export const DELIVERY_QUIRKS: readonly Quirk[] = [
  {
    name: "empty-delete",
    explanation: "Deleting media answers 204 without a body.",
    response: (response, { route }) =>
      route?.name === "delete-media" && response.status === 200
        ? new Response(null, { status: 204, headers: response.headers })
        : response,
  },
  {
    name: "mp3-as-mpeg",
    explanation: "An mp3 upload takes audio/mpeg only, against the specification.",
    request(url, headers) {
      if (/\/uploads\/\w+\.mp3$/.test(url.pathname)) {
        // The sandbox itself takes audio/mp3, so the two types change places.
        headers.set("content-type", headers.get("content-type") === "audio/mpeg" ? "audio/mp3" : "audio/mpeg");
      }
      return undefined;
    },
  },
  {
    name: "reply-lost",
    explanation: "The connection breaks after a submit has made its job, before the answer.",
    response: (response, { route }) =>
      route?.name === "submit" && response.status === 200 ? Response.error() : response,
  },
  {
    name: "slow-submit",
    explanation: "A submit takes twenty real seconds to answer; its job is made at once.",
    async response(response, { route, wait }) {
      if (route?.name === "submit") await wait(20_000);
      return response;
    },
  },
  {
    name: "slow-drip",
    explanation: "Answers of the queue come in eight pieces, a quarter of a second apart.",
    response: (response, { route, wait }) =>
      route?.family === "queue" && response.type !== "error" && response.body !== null
        ? sendInPieces(response, 8, 250, wait)
        : response,
  },
  {
    name: "truncated-json",
    explanation: "Answers of the queue break off in the middle of their JSON.",
    async response(response, { route }) {
      if (route?.family !== "queue" || response.status !== 200) return response;
      const text = await response.text();
      return withBody(response, text.slice(0, Math.ceil(text.length / 2)));
    },
  },
  {
    name: "media-octet-stream",
    explanation: "Every file is delivered as application/octet-stream.",
    response(response, { route }) {
      if (route?.name !== "media" || response.status >= 300 || response.type === "error") return response;
      return withBody(response, response.body, "application/octet-stream");
    },
  },
  {
    name: "media-redirects",
    explanation: "The storage redirects each file once, to another address of its own.",
    response(response, { route, exchange }) {
      const { pathname, searchParams } = exchange.url;
      if (route?.name !== "media" || searchParams.has("moved") || response.status >= 300) return response;
      searchParams.set("moved", "1");
      return storageAnswer(response, 302, { Location: `${pathname}?${searchParams}` }, null);
    },
  },
  {
    name: "media-expired",
    explanation: `Addresses of files are signed for ${SIGNED_SECONDS / 60} minutes; then the storage answers 403 in XML.`,
    json: changeOutcomes((media, { nowMs }) => ({
      media_urls: media.map((item) =>
        typeof item.url === "string" ? { ...item, url: `${item.url}?Expires=${signedUntil(nowMs)}` } : item,
      ),
    })),
    response(response, { route, exchange, nowMs }) {
      const until = exchange.url.searchParams.get("Expires");
      if (route?.name !== "media" || until === null || Number(until) > nowMs / 1000) return response;
      return storageAnswer(response, 403, XML, storageXml("AccessDenied", "Request has expired"));
    },
  },
  {
    name: "media-gone",
    explanation: "The storage has none of the files: 404 in XML.",
    response: (response, { route }) =>
      route?.name === "media"
        ? storageAnswer(response, 404, XML, storageXml("NoSuchKey", "The specified key does not exist."))
        : response,
  },
  {
    name: "media-as-page",
    explanation: "The storage answers with a page for signing in, in place of each file.",
    response: (response, { route }) =>
      route?.name === "media" && response.status < 300
        ? storageAnswer(response, 200, { "Content-Type": "text/html" }, "<!doctype html><title>Sign in</title>")
        : response,
  },
  {
    name: "no-cors-api",
    explanation: "The API sends no CORS headers, so a page cannot call it directly.",
    response: withoutCors(({ route }) => route?.family === "queue" || route?.family === "inference"),
  },
  {
    name: "no-cors-storage",
    explanation: "The storage sends no CORS headers: media shows, but a page cannot read or save it.",
    response: withoutCors(({ route }) => route?.name === "media" || route?.name === "input"),
  },
  {
    name: "no-cors-uploads",
    explanation: "Signed uploads send no CORS headers, so a page cannot put a file directly.",
    response: withoutCors(({ route }) => route?.name === "upload"),
  },
];

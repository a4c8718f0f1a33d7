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
    explanation: "Deleting files returns 204 without a body.",
    response: (response, { route }) =>
      route?.name === "delete-media" && response.status === 200
        ? new Response(null, { status: 204, headers: response.headers })
        : response,
  },
  {
    name: "mp3-as-mpeg",
    explanation: "An mp3 upload accepts only audio/mpeg, against the specification.",
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
    explanation: "The connection breaks after a submit has created its job, before the response.",
    response: (response, { route }) =>
      route?.name === "submit" && response.status === 200 ? Response.error() : response,
  },
  {
    name: "slow-submit",
    explanation: "A submit takes 20 real seconds to respond. Its job is created at once.",
    async response(response, { route, wait }) {
      if (route?.name === "submit") await wait(20_000);
      return response;
    },
  },
  {
    name: "slow-drip",
    explanation: "Queue responses arrive in 8 pieces, 0.25 s apart.",
    response: (response, { route, wait }) =>
      route?.family === "queue" && response.type !== "error" && response.body !== null
        ? sendInPieces(response, 8, 250, wait)
        : response,
  },
  {
    name: "truncated-json",
    explanation: "Queue responses end in the middle of their JSON.",
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
    explanation: "The file host redirects each file once, to another of its URLs.",
    response(response, { route, exchange }) {
      const { pathname, searchParams } = exchange.url;
      if (route?.name !== "media" || searchParams.has("moved") || response.status >= 300) return response;
      searchParams.set("moved", "1");
      return storageAnswer(response, 302, { Location: `${pathname}?${searchParams}` }, null);
    },
  },
  {
    name: "media-expired",
    explanation: `File URLs are signed for ${SIGNED_SECONDS / 60} minutes. After that the file host returns 403 in XML.`,
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
    explanation: "The file host has none of the files: 404 in XML.",
    response: (response, { route }) =>
      route?.name === "media"
        ? storageAnswer(response, 404, XML, storageXml("NoSuchKey", "The specified key does not exist."))
        : response,
  },
  {
    name: "media-as-page",
    explanation: "The file host returns a sign-in page instead of each file.",
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
    explanation: "The file host sends no CORS headers: files show, but a page cannot read or save them.",
    response: withoutCors(({ route }) => route?.name === "media" || route?.name === "input"),
  },
  {
    name: "no-cors-uploads",
    explanation: "Signed upload URLs send no CORS headers, so a page cannot upload a file directly.",
    response: withoutCors(({ route }) => route?.name === "upload"),
  },
];

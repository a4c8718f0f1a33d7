import { drip, withoutOrigins } from "./json-changes.ts";
import { type Quirk, withBody } from "./quirk.ts";

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
        ? drip(response, 8, 250, wait)
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
    name: "no-cors-api",
    explanation: "The API sends no CORS headers, so a page cannot call it directly.",
    response: withoutOrigins(({ route }) => route?.family === "queue" || route?.family === "inference"),
  },
  {
    name: "no-cors-storage",
    explanation: "The storage sends no CORS headers: media shows, but a page cannot read or save it.",
    response: withoutOrigins(({ route }) => route?.name === "media" || route?.name === "input"),
  },
  {
    name: "no-cors-uploads",
    explanation: "Signed uploads send no CORS headers, so a page cannot put a file directly.",
    response: withoutOrigins(({ route }) => route?.name === "upload"),
  },
];

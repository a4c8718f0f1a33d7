import type { JsonRecord } from "#lib/read.ts";
import { ODD_MODEL_IDS } from "../catalogue/catalogue.ts";
import { base64, drip, errors, failures, outcomes, records, withoutOrigins } from "./json-changes.ts";
import { type Quirk, withBody } from "./quirk.ts";

const json = (value: unknown) => ({ body: JSON.stringify(value), contentType: "application/json" });

const listAs = (change: (requests: unknown[], total: unknown) => unknown): NonNullable<Quirk["json"]> => ({
  routes: ["list"],
  change: (body) => change(Array.isArray(body.requests) ? body.requests : [], body.total),
});

/** Seconds of sandbox time that a job needs to show in the list under `list-lag`. */
const LIST_LAG_SECONDS = 30;

/** Every quirk of the queue half. They apply in this order, whatever the order they are chosen in. */
export const QUIRKS: readonly Quirk[] = [
  {
    name: "extra-statuses",
    explanation: "A running job passes through created, dispatched, processing and a word that nobody knows.",
    json: records((record, { nowMs }) => {
      if (record.status !== "queued") return record;
      const age = nowMs / 1000 - Number(record.created_at);
      const status = age < 2 ? "created" : age < 6 ? "dispatched" : age < 30 ? "processing" : "warming_up";
      return { ...record, status };
    }),
  },
  {
    name: "submit-without-outcome",
    explanation: "A submit that answers success leaves the outcome out; it must be read once more.",
    json: records(({ outcome: _, ...record }) => record, ["submit"]),
  },
  {
    name: "outcome-null",
    explanation: "The outcome is null instead of absent while a job has none.",
    json: records((record) => ({ outcome: null, ...record })),
  },
  {
    name: "outcome-null-for-good",
    explanation: "The outcome of a job that has succeeded is null, and stays so.",
    json: outcomes(() => null),
  },
  {
    name: "outcome-without-type",
    explanation: "Files come without a type: only the ending of their name and their Content-Type tell.",
    json: outcomes((media) => ({ media_urls: media.map(({ type: _, ...item }) => item) })),
  },
  {
    name: "outcome-bare-urls",
    explanation: "Files come as plain addresses in media_urls.",
    json: outcomes((media) => ({ media_urls: media.map((item) => item.url) })),
  },
  {
    name: "outcome-flat",
    explanation: "No media_urls: video_url with a thumbnail that is a video itself, image_url, audio_url.",
    json: outcomes(([first]) =>
      first?.type === "video"
        ? { thumbnail_image_url: first.url, video_url: first.url }
        : { [`${String(first?.type)}_url`]: first?.url, status: "success" },
    ),
  },
  {
    name: "outcome-inline",
    explanation: "No media_urls: the files stand in the answer itself, as base64, in a provider's own shape.",
    json: outcomes(async (media, { readFile }) => ({
      candidates: await Promise.all(
        media.map(async (item) => {
          const file = await readFile(String(item.url));
          const data = base64(new Uint8Array(await file.arrayBuffer()));
          return { content: { parts: [{ inlineData: { mimeType: file.headers.get("content-type"), data } }] } };
        }),
      ),
    })),
  },
  {
    name: "outcome-without-media",
    explanation: "A success with nothing to show but an id, as cloning a voice gives.",
    json: outcomes(() => ({ voice_id: "voice-7f3a", status: "success" })),
  },
  {
    name: "failure-in-outcome",
    explanation: "The reason of a failed job stands in outcome.error.",
    json: failures((reason) => ({ outcome: { error: reason } })),
  },
  {
    name: "failure-as-reason",
    explanation: "The reason of a failed job stands in reason.",
    json: failures((reason) => ({ reason })),
  },
  {
    name: "milliseconds",
    explanation: "Times of records are unix milliseconds.",
    json: records((record) => {
      const times = ["created_at", "queued_at", "updated_at"].map((name) => [name, Number(record[name]) * 1000]);
      return { ...record, ...(Object.fromEntries(times) as JsonRecord) };
    }),
  },
  {
    name: "list-lag",
    explanation: `A new job shows in the list only after ${LIST_LAG_SECONDS} seconds of sandbox time.`,
    json: {
      routes: ["list"],
      change: (body, { nowMs }) => ({
        ...body,
        requests: (body.requests as JsonRecord[]).filter(
          (record) => Number(record.created_at) <= nowMs / 1000 - LIST_LAG_SECONDS,
        ),
      }),
    },
  },
  {
    name: "untimed-records",
    explanation: "Records carry no times, though the list's filters know them.",
    json: records(({ created_at: _, queued_at: __, updated_at: ___, ...record }) => record),
  },
  {
    name: "offset-in-pages",
    explanation: "The list counts its offset in pages instead of jobs.",
    request(url) {
      const offset = url.searchParams.get("offset");
      if (offset !== null && /\/requests$/.test(url.pathname)) {
        url.searchParams.set("offset", String(Number(offset) * Number(url.searchParams.get("limit") ?? 20)));
      }
      return undefined;
    },
  },
  {
    name: "list-null",
    explanation: "An empty list is requests: null.",
    json: listAs((requests, total) => ({ requests: requests.length === 0 ? null : requests, total })),
  },
  {
    name: "list-without-total",
    explanation: "The list tells no total.",
    json: listAs((requests) => ({ requests })),
  },
  {
    name: "total-of-page",
    explanation: "The total counts the jobs of the page only.",
    json: listAs((requests) => ({ requests, total: requests.length })),
  },
  {
    name: "list-as-data",
    explanation: "The list comes as data, with its total in count.",
    json: listAs((data, count) => ({ object: "list", data, count })),
  },
  {
    name: "list-as-items",
    explanation: "The list comes as items.",
    json: listAs((items) => ({ items })),
  },
  {
    name: "list-bare",
    explanation: "The list is a bare array.",
    json: listAs((requests) => requests),
  },
  {
    name: "odd-model-ids",
    explanation: "The model list has ids with a space, a bare UUID and a slash.",
    json: {
      routes: ["models"],
      change: (body) => ({ model_ids: [...ODD_MODEL_IDS, ...(body.model_ids as string[])] }),
    },
  },
  {
    name: "duplicate-model-ids",
    explanation: "Some ids stand twice in the model list.",
    json: {
      routes: ["models"],
      change: ({ model_ids }) => ({
        model_ids: (model_ids as string[]).flatMap((id) => (id.includes("2") ? [id, id] : [id])),
      }),
    },
  },
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
    name: "error-string",
    explanation: 'Errors are { error: "message" }.',
    response: errors((message) => json({ error: message })),
  },
  {
    name: "error-detail",
    explanation: 'Errors are { detail: "message" }.',
    response: errors((message) => json({ detail: message })),
  },
  {
    name: "error-text",
    explanation: "Errors are plain text.",
    response: errors((message) => ({ body: message, contentType: "text/plain; charset=utf-8" })),
  },
  {
    name: "error-html",
    explanation: "Errors are a page of a proxy.",
    response: errors(() => ({ body: "<html><body><h1>Bad Gateway</h1></body></html>", contentType: "text/html" })),
  },
  {
    name: "busy-submit",
    explanation: "Every submit answers 503 as plain text while reading goes on working; no job, no charge.",
    request(url, _, method) {
      if (method !== "POST" || !/\/requests$/.test(url.pathname)) return undefined;
      return new Response("Upstream capacity temporarily exhausted", { status: 503 });
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

import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { type Passage, type Quirk, withBody } from "./quirk.ts";

/** Routes whose answers hold job records. */
const RECORD_ROUTES = ["submit", "job", "list"] as const;

type ChangeRecord = (record: JsonRecord, passage: Passage) => JsonRecord | Promise<JsonRecord>;

/** Changes every job record of an answer, alone or in a list, and where another quirk has put them. */
export function changeRecords(
  change: ChangeRecord,
  routes: readonly string[] = RECORD_ROUTES,
): NonNullable<Quirk["json"]> {
  return { routes, change: (body, passage) => changeWithin(body, change, passage) };
}

/** Keys under which a quirk puts the list, or a record. */
const LIST_KEYS = ["requests", "data", "items", "records"];
const ENVELOPES = ["data", "job"];

async function changeWithin(body: JsonRecord, change: ChangeRecord, passage: Passage): Promise<JsonRecord> {
  for (const key of LIST_KEYS) {
    const list = body[key];
    if (!Array.isArray(list)) continue;
    const changed = list.filter(isRecord).map((record) => changeWithin(record, change, passage));
    return { ...body, [key]: await Promise.all(changed) };
  }
  for (const key of ENVELOPES) {
    const inner = body[key];
    if (isRecord(inner)) return { ...body, [key]: await changeWithin(inner, change, passage) };
  }
  return change(body, passage);
}

/** Changes the outcome of every record that has media, also where another quirk has made plain addresses of them. */
export function changeOutcomes(change: (media: JsonRecord[], passage: Passage) => unknown): NonNullable<Quirk["json"]> {
  return changeRecords(async (record, passage) => {
    if (!isRecord(record.outcome) || !Array.isArray(record.outcome.media_urls)) return record;
    const media = record.outcome.media_urls.map((item) => (typeof item === "string" ? { url: item } : item));
    return { ...record, outcome: await change(media.filter(isRecord), passage) };
  });
}

/** Changes the failure of every record that has one. */
export function changeFailures(change: (reason: unknown) => JsonRecord): NonNullable<Quirk["json"]> {
  return changeRecords(({ error, ...record }) => (error === undefined ? record : { ...record, ...change(error) }));
}

/** Changes the error answers of the queue and the inference endpoints; storage speaks XML and is left alone. */
export function changeErrors(
  change: (message: string) => { body: string; contentType: string },
): NonNullable<Quirk["response"]> {
  return async (response, { route }) => {
    const isOurs = route?.family !== "storage" && route?.family !== "settings";
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (response.status < 400 || !isOurs || !isJson) return response;
    const text = await response.text();
    const parsed = tryParseJson(text);
    // An error that another quirk has changed is left as it is.
    if (!isRecord(parsed) || !isRecord(parsed.error)) return withBody(response, text);
    const { body, contentType } = change(String(parsed.error.message));
    return withBody(response, body, contentType);
  };
}

/** Takes the CORS headers away, from preflights too. */
export function withoutCors(isMeant: (passage: Passage) => boolean): NonNullable<Quirk["response"]> {
  return (response, passage) => {
    if (response.type === "error" || !isMeant(passage)) return response;
    const headers = new Headers(response.headers);
    for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
    return new Response(response.body, { status: response.status, headers });
  };
}

/** Sends a body in pieces with waits between them. */
export async function sendInPieces(
  response: Response,
  pieces: number,
  ms: number,
  wait: (ms: number) => Promise<void>,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  let place = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (place > 0) await wait(ms);
      controller.enqueue(bytes.subarray(place, place + size));
      place += size;
      if (place >= bytes.length) controller.close();
    },
  });
  return withBody(response, body);
}

/** Base64 of bytes of any length. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let place = 0; place < bytes.length; place += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(place, place + 0x8000));
  }
  return btoa(text);
}

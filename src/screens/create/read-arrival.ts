import { explainError } from "#api/explain-error.ts";
import type { JsonRecord } from "#lib/json.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { Arrival, ArrivingFile } from "./arrival.ts";
import type { Keep } from "./create-search.ts";
import { keptSettings } from "./kept-settings.ts";
import { putMedia } from "./put-media.ts";
import { readSharedPayload } from "./shared-payload.ts";

export interface ReadArrival {
  /** What the form is to hold; undefined where nothing arrives. */
  payload: JsonRecord | undefined;
  /** One line for the person; undefined where there is nothing to say. */
  told: string | undefined;
}

const KEPT_WORDS: Record<Keep, string> = {
  all: "The settings of that job are in the form.",
  noseed: "The settings of that job are in the form, all but the seed.",
  prompt: "The prompt of that job is in the form.",
  seed: "The seed of that job is in the form.",
};

interface Place {
  schema: FormSchema;
  present: JsonRecord;
  /** What a job was sent with; undefined where nobody knows. Rejects with `ApiError`. */
  loadPayload: (requestId: string) => Promise<JsonRecord | undefined>;
}

/** What an arrival makes of a form's present values, and how it is told. Never rejects. */
export async function readArrival(arrival: Arrival, { schema, present, loadPayload }: Place): Promise<ReadArrival> {
  if (arrival.kind === "job") {
    try {
      const settings = await loadPayload(arrival.requestId);
      if (!settings) return untouched("The service does not tell the settings of that job.");
      const payload = keptSettings(present, settings, arrival.keep);
      const read: ReadArrival = { payload, told: KEPT_WORDS[arrival.keep] };
      return arrival.file ? withFile(arrival.file, schema, read) : read;
    } catch (error) {
      return untouched(`The settings of that job could not be read: ${explainError(error, "read").body}`);
    }
  }
  if (arrival.kind === "file")
    return { payload: arrival.payload, told: `The settings in ${arrival.fileName} are in the form.` };
  if (arrival.kind === "link") {
    const payload = await readSharedPayload(arrival.words);
    return payload
      ? { payload, told: "The settings of the link are in the form." }
      : { payload: undefined, told: "The settings of this link could not be read." };
  }
  if (arrival.kind === "media") return withFile(arrival.file, schema, { payload: present, told: undefined });
  const { payload, carried, dropped } = carryValues(arrival.from, arrival.payload, schema);
  const parts = [
    carried.length > 0 && `Carried over: ${carried.join(", ")}.`,
    dropped.length > 0 && `No place here for: ${dropped.join(", ")}.`,
  ].filter((part) => part !== false);
  return {
    payload: carried.length > 0 ? { ...present, ...payload } : undefined,
    told: parts.length > 0 ? parts.join(" ") : undefined,
  };
}

function untouched(why: string): ReadArrival {
  return { payload: undefined, told: `${why} The form is as it was.` };
}

function withFile(file: ArrivingFile, schema: FormSchema, { payload = {}, told }: ReadArrival): ReadArrival {
  const put = putMedia(file, schema, payload);
  const words = [told, put.told].filter((part) => part !== undefined);
  return { payload: put.payload ?? (told === undefined ? undefined : payload), told: words.join(" ") };
}

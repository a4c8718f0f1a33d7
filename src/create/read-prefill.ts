import { explainError } from "#api/explain-error.ts";
import { kindOfUrl } from "#api/media-kind.ts";
import type { MediaKind } from "#api/types.ts";
import { isRecord, type JsonRecord, ownValue } from "#lib/read.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { maxFiles, mediaAddresses, mediaValue } from "#schema-form/media-value.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import { type ReusedPart, readSharedPayload } from "./create-search.ts";
import { dropTargets } from "./media-inputs.ts";

/** A file of an earlier job or a stored one; `over` is the address that it replaces, in whichever field that is. */
export interface PrefillFile {
  address: string;
  /** Its kind, where it is known; else the address decides. */
  as: MediaKind | undefined;
  over: string | undefined;
}

/** Values to be put into the form of the model `to`, on top of its draft, once. */
export type Prefill = { id: number; to: string } & (
  | { kind: "carry"; from: FormSchema; payload: JsonRecord }
  | { kind: "file"; fileName: string; payload: JsonRecord }
  | { kind: "link"; words: string }
  /** The settings of an earlier job; `file` replaces one of its inputs. */
  | { kind: "job"; requestId: string; keep: ReusedPart; file: PrefillFile | undefined }
  | { kind: "media"; file: PrefillFile }
);

interface PrefillResult {
  /** The new payload of the form; undefined where nothing is put in. */
  payload: JsonRecord | undefined;
  /** One line for the person; undefined where there is nothing to show. */
  message: string | undefined;
}

const MESSAGES: Record<ReusedPart, string> = {
  all: "Settings copied from the job.",
  noseed: "Settings copied from the job, except the seed.",
  prompt: "Prompt copied from the job.",
  seed: "Seed copied from the job.",
};

interface PrefillTarget {
  schema: FormSchema;
  /** The payload of the form now. */
  present: JsonRecord;
  /** The settings of a job; undefined where they are unknown. Rejects with `ApiError`. */
  loadJob: (requestId: string) => Promise<JobSettings | undefined>;
}

/** The settings of a job. `schema`: the parameters of its own model, where that is another than the form's. */
export interface JobSettings {
  payload: JsonRecord;
  schema: FormSchema | undefined;
}

/** The form's values with a prefill put in. What could not be read is in the message. */
export async function readPrefill(
  prefill: Prefill,
  { schema, present, loadJob }: PrefillTarget,
): Promise<PrefillResult> {
  if (prefill.kind === "job") {
    try {
      const settings = await loadJob(prefill.requestId);
      if (!settings) return untouched("The settings of this job are unknown.");
      if (settings.schema) return carryInto(settings.schema, settings.payload, schema, present);
      const payload = mergeSettings(present, settings.payload, prefill.keep);
      const read: PrefillResult = { payload, message: MESSAGES[prefill.keep] };
      return prefill.file ? withFile(prefill.file, schema, read) : read;
    } catch (error) {
      return untouched(`Couldn’t load the settings of this job: ${explainError(error, "read").body}`);
    }
  }
  if (prefill.kind === "file")
    return { payload: prefill.payload, message: `Settings copied from ${prefill.fileName}.` };
  if (prefill.kind === "link") {
    const payload = await readSharedPayload(prefill.words);
    return payload
      ? { payload, message: "Settings copied from the link." }
      : { payload: undefined, message: "Couldn’t read the settings in this link." };
  }
  if (prefill.kind === "media") return withFile(prefill.file, schema, { payload: present, message: undefined });
  return carryInto(prefill.from, prefill.payload, schema, present);
}

/** The form's values with those values of another model for which it has a field. The message names them. */
function carryInto(from: FormSchema, values: JsonRecord, to: FormSchema, present: JsonRecord): PrefillResult {
  const { payload, carried, dropped } = carryValues(from, values, to);
  const parts = [
    carried.length > 0 && `Copied: ${carried.join(", ")}.`,
    dropped.length > 0 && `Not available in this model: ${dropped.join(", ")}.`,
  ].filter((part) => part !== false);
  return {
    payload: carried.length > 0 ? { ...present, ...payload } : undefined,
    message: parts.length > 0 ? parts.join(" ") : undefined,
  };
}

function untouched(why: string): PrefillResult {
  return { payload: undefined, message: `${why} The form is unchanged.` };
}

function withFile(file: PrefillFile, schema: FormSchema, { payload = {}, message }: PrefillResult): PrefillResult {
  const put = putMedia(file, schema, payload);
  const words = [message, put.message].filter((part) => part !== undefined);
  return { payload: put.payload ?? (message === undefined ? undefined : payload), message: words.join(" ") };
}

const SEED = /seed/i;
const PROMPT = /^(prompt|text|instruction|lyrics)$/i;

/** The form's present values with the part of a job's settings that was asked for. */
function mergeSettings(present: JsonRecord, payload: JsonRecord, keep: ReusedPart): JsonRecord {
  const only = (wanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(payload).filter(([key]) => wanted(key)));
  switch (keep) {
    case "all":
      return payload;
    case "noseed":
      return only((key) => !SEED.test(key));
    case "prompt":
      return { ...present, ...only((key) => PROMPT.test(key)) };
    case "seed":
      return { ...present, ...only((key) => SEED.test(key)) };
  }
}

/**
 * The form's present values with a file's address in the first field that has room for it, else in the first that fits.
 */
function putMedia({ address, as, over }: PrefillFile, schema: FormSchema, present: JsonRecord): PrefillResult {
  if (over !== undefined) {
    const payload = replaceAddress(present, over, address);
    return isRecord(payload) && JSON.stringify(payload) !== JSON.stringify(present)
      ? { payload, message: "Copy uploaded. Nothing runs until you press Run." }
      : { payload: undefined, message: "The uploaded file doesn’t fit this form." };
  }
  const { free, full } = dropTargets(schema, (key) => ownValue(present, key), as ?? kindOfUrl(address) ?? "other");
  const field = free[0] ?? full[0];
  if (!field) return { payload: undefined, message: "This model doesn’t accept this file." };
  return {
    payload: { ...present, [field.key]: valueWith(field, present[field.key], address) },
    message: `Added from History: ${field.label}.`,
  };
}

function valueWith(field: MediaField, value: unknown, address: string): unknown {
  const before = mediaAddresses(value).filter((one) => one !== "" && one !== address);
  const hasRoom = before.length < maxFiles(field);
  return mediaValue(field, hasRoom ? [...before, address] : [address]);
}

/** A value with each `from` inside it replaced by `to`. */
function replaceAddress(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((one) => replaceAddress(one, from, to));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceAddress(one, from, to)]));
}

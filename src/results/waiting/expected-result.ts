// What is known of a result before it is there: its kind, shape and number, from the settings and from earlier jobs.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#connection/client.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { modelQueries } from "#models/model-queries.ts";
import { addressesIn } from "#runs/job-inputs.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { useFormSchema } from "#schema-form/form/use-schema-form.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema, MediaField, Role } from "#schema-form/read/field.ts";
import { readRatio } from "#schema-form/read/options.ts";
import { useReadingHints } from "#schema-form/read/reading-hints.ts";
import type { TrackedJob } from "#storage/job-records.ts";

/** An input that is shown faintly while its result is made. */
export interface ShownInput {
  url: string;
  kind: "image" | "video";
}

/** What is known of a result before it is there. */
export interface ExpectedResult {
  /** What is made: decides what an unknown shape falls back to. */
  kind: "image" | "video" | "audio";
  /** Width over height; undefined where neither the settings nor earlier results show it. */
  aspect: number | undefined;
  /** How many results were asked for, 1 to 16. */
  count: number;
  /** The main settings in a few words: "16:9", "1080p", "6 s". */
  settings: readonly string[];
  input: ShownInput | undefined;
  /** How many inputs there are that can be seen. */
  inputs: number;
}

/** A run, and what is known of its model and of earlier jobs. */
interface Asked {
  payload: JsonRecord;
  /** Undefined where the model's parameters were not read. */
  schema: FormSchema | undefined;
  /** What the model makes, as the catalog says it. */
  type: string | undefined;
  model: string | undefined;
  /** The person's jobs, newest first: the next result of a model is expected in the shape of its last. */
  tracked: readonly TrackedJob[];
}

const MAX_FRAMES = 16;
/** Longer settings are cut: they are shown on the frame. */
const MAX_SETTING_CHARS = 16;
const COUNT_NAMES = ["n", "num_images", "numImages", "num_outputs", "batch_size", "count"];
const DURATION_NAMES = ["duration", "duration_seconds", "durationSeconds", "seconds"];
const SIZE_NAMES = ["resolution", "size", "image_size", "video_size"];
const RATIO_NAMES = ["aspect_ratio", "aspectRatio", "ratio"];

/** What a payload asks for, with the model's defaults for what it leaves out. */
export function expectedResult(asked: Asked): ExpectedResult {
  const { payload, schema, type } = asked;
  const kind = type === "video" || type === "audio" ? type : "image";
  const inputs = readInputs(payload, schema);
  return {
    kind,
    aspect: kind === "audio" ? mediaAspect({ kind }) : (askedAspect(payload, schema) ?? lastAspect(asked)),
    count: readCount(payload, schema),
    settings: readSettings(payload, schema),
    input: inputs.find(({ url }) => !isFileDeleted(url)),
    inputs: inputs.length,
  };
}

const ownValue = (payload: JsonRecord, key: string) => (Object.hasOwn(payload, key) ? payload[key] : undefined);
const fieldWith = (schema: FormSchema | undefined, role: Role) => schema?.fields.find((field) => field.role === role);

/** What a run would use for a field: the value that is sent, else the default. */
function usedValue(payload: JsonRecord, field: Field | undefined): unknown {
  return field && (ownValue(payload, field.key) ?? field.defaultValue);
}

/** The value of the field with a role, else of the first name that the payload has. */
function readByRole(
  payload: JsonRecord,
  schema: FormSchema | undefined,
  role: Role,
  names: readonly string[],
): unknown {
  const used = usedValue(payload, fieldWith(schema, role));
  if (used !== undefined && used !== null) return used;
  return names.map((name) => ownValue(payload, name)).find((value) => value !== undefined && value !== null);
}

/** Limits a shape: a wider or taller frame would leave nothing to see. */
const clampAspect = (aspect: number) => Math.min(5, Math.max(0.2, aspect));

function askedAspect(payload: JsonRecord, schema: FormSchema | undefined): number | undefined {
  const [width, height] = [
    readByRole(payload, schema, "width", ["width"]),
    readByRole(payload, schema, "height", ["height"]),
  ];
  if (Number(width) > 0 && Number(height) > 0) return clampAspect(Number(width) / Number(height));
  const settings = [
    readByRole(payload, schema, "aspect-ratio", RATIO_NAMES),
    readByRole(payload, schema, "size", SIZE_NAMES),
    readByRole(payload, schema, "resolution", SIZE_NAMES),
  ];
  for (const value of settings) {
    const ratio = typeof value === "string" ? readRatio(value) : undefined;
    if (ratio !== undefined) return clampAspect(ratio);
  }
  return undefined;
}

/** The shape of the model's last result, where nothing was asked for that the model would follow. */
function lastAspect({ tracked, model, payload }: Asked): number | undefined {
  for (const { model: jobModel, media, files = [], payload: sent } of tracked) {
    // What was measured on the files comes before what their record says.
    const sized = jobModel === model ? [...files, ...media] : [];
    const item = sized.find(({ width, height }) => width && height);
    if (!item?.width || !item.height) continue;
    // An input decides the shape of many models: another input, another shape.
    if (addressesIn(sent).length > 0 !== addressesIn(payload).length > 0) continue;
    return clampAspect(item.width / item.height);
  }
  return undefined;
}

function readCount(payload: JsonRecord, schema: FormSchema | undefined): number {
  const count = Math.floor(Number(readByRole(payload, schema, "count", COUNT_NAMES)));
  return count >= 1 ? Math.min(MAX_FRAMES, count) : 1;
}

/** The inputs that can be seen. Masks are left out: they show where something changes, not what is seen. */
function readInputs(payload: JsonRecord, schema: FormSchema | undefined): ShownInput[] {
  if (!schema) return addressesIn(payload).flatMap((url) => guessInput(url) ?? []);
  const fields = schema.fields.filter((field): field is MediaField => field.kind === "media" && field.role !== "mask");
  return fields.flatMap((field) => {
    const urls = mediaAddresses(ownValue(payload, field.key)).filter((address) => address !== "");
    if (field.media === "image" || field.media === "video")
      return urls.map((url): ShownInput => ({ url, kind: field.media === "video" ? "video" : "image" }));
    return field.media === "file" ? urls.flatMap((url) => guessInput(url) ?? []) : [];
  });
}

function guessInput(url: string): ShownInput | undefined {
  const path = url.split(/[?#]/)[0] ?? "";
  if (/\.(png|jpe?g|webp|gif|avif)$/i.test(path)) return { url, kind: "image" };
  return /\.(mp4|webm|mov)$/i.test(path) ? { url, kind: "video" } : undefined;
}

/** The shape, the size and the length that were asked for, as a person reads them. */
function readSettings(payload: JsonRecord, schema: FormSchema | undefined): string[] {
  const width = readByRole(payload, schema, "width", ["width"]);
  const height = readByRole(payload, schema, "height", ["height"]);
  const sides = Number(width) > 0 && Number(height) > 0 ? `${Number(width)} × ${Number(height)}` : undefined;
  const ratio = readByRole(payload, schema, "aspect-ratio", RATIO_NAMES);
  const size = readByRole(payload, schema, "size", ["size", "image_size"]);
  const resolution = readByRole(payload, schema, "resolution", ["resolution"]);
  const words = [ratio, sides ?? size, resolution].flatMap((value) => settingWords(value) ?? []);
  const duration = durationWords(
    readByRole(payload, schema, "duration", DURATION_NAMES),
    fieldWith(schema, "duration"),
  );
  return [...new Set([...words, ...(duration === undefined ? [] : [duration])])];
}

function settingWords(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const words = visibleLine(String(value), MAX_SETTING_CHARS);
  if (words === "" || words === "auto") return undefined;
  return words.replace(/^(\d{2,5})\s*[x*]\s*(\d{2,5})$/i, "$1 × $2").replace(/^(\d{3,4})P$/, "$1p");
}

/** A length in seconds, unless the model counts in something else, such as frames. */
function durationWords(value: unknown, field: Field | undefined): string | undefined {
  const words = settingWords(value);
  if (words === undefined || !/^\d+(\.\d+)?$/.test(words)) return words;
  const unit = field?.unit === undefined || /^s(ec(ond)?s?)?$/i.test(field.unit) ? "s" : field.unit;
  return `${words} ${visibleLine(unit, MAX_SETTING_CHARS)}`;
}

/** One fact under a running job. */
export interface UsedFact {
  label: string;
  value: string;
}

/** What a run was given, for the line under its frame. What decides the look of the result comes first. */
export function usedFacts({ payload, schema, model }: Asked): UsedFact[] {
  const facts: UsedFact[] = [];
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== "") facts.push({ label, value });
  };
  const inputs = readInputs(payload, schema);
  const words = (kind: ShownInput["kind"]) => {
    const count = inputs.filter((input) => input.kind === kind).length;
    return count === 0 ? [] : [counted(count, kind)];
  };
  const duration = durationWords(
    readByRole(payload, schema, "duration", DURATION_NAMES),
    fieldWith(schema, "duration"),
  );
  const seedField = fieldWith(schema, "seed");
  const seed = usedValue(payload, seedField) ?? ownValue(payload, "seed");
  const count = readCount(payload, schema);
  add("Model", model === undefined ? undefined : visibleLine(model, 60));
  add("Input", [...words("image"), ...words("video")].join(", "));
  add("Results", count > 1 ? formatNumber(count) : undefined);
  add("Duration", duration);
  add(
    "Size",
    readSettings(payload, schema)
      .filter((setting) => setting !== duration)
      .join(", "),
  );
  if (seedField || seed !== undefined) add("Seed", settingWords(seed) ?? "Random");
  return facts;
}

const NO_PAYLOAD: JsonRecord = {};

/**
 * What a run will make, as far as it is known before: from its payload, the model's defaults where they were read, and
 * earlier results. Sends no request.
 */
export function useExpectedResult(
  model: string | undefined,
  payload: JsonRecord = NO_PAYLOAD,
): ExpectedResult & {
  usualAspect: number;
  facts: readonly UsedFact[];
  /** The job or its model is being read, so kind and shape may change in a moment. */
  isLoading: boolean;
} {
  const queries = modelQueries(useApi());
  const { data: detail, fetchStatus } = useQuery({ ...queries.detail(model ?? ""), enabled: false });
  const schema = useFormSchema(detail, useReadingHints(model ?? ""));
  const isLoading = model === undefined || (detail === undefined && fetchStatus === "fetching");
  const tracked = useTrackedJobs();
  return useMemo(() => {
    const asked = { model, payload, schema, type: detail?.type, tracked };
    const expected = expectedResult(asked);
    const usualAspect = mediaAspect({ kind: expected.kind });
    return { ...expected, usualAspect, facts: usedFacts(asked), isLoading };
  }, [model, payload, schema, detail?.type, tracked, isLoading]);
}

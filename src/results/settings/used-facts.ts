// What a job was made with, as short facts.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileFacts } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { findNamed } from "#lib/find-value.ts";
import { formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { fileSize } from "#media/file-kind.ts";
import { daysLeft } from "#media/retention.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useFormSchema } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import { useReadingHints } from "#schema-form/read/reading-hints.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";

/** One chip: what it is called and what it was. */
interface UsedFact {
  name: string;
  value: string;
}

interface UsedSources {
  job: JobRecord;
  files: readonly FileFacts[];
  /** The schema of the model as it is today; undefined until it was read. */
  schema: FormSchema | undefined;
  /** What the service applied to keys that were left out, as far as it is known. */
  defaults: JsonRecord;
}

/** Longer values are shown in "All settings" only. */
const MAX_VALUE_CHARS = 32;

/**
 * What a job was made with and what came of it, as short facts in a fixed order. What is not known is absent, and nothing
 * is guessed: pixels, length and size are those of the files.
 */
export function usedFacts({ job, files, schema, defaults }: UsedSources): UsedFact[] {
  const payload = job.payload ?? {};
  const all = { ...defaults, ...withoutNulls(payload) };
  const readSetting = (role: Role, names: RegExp) => {
    const key =
      schema?.fields.find((field) => field.role === role && Object.hasOwn(all, field.key))?.key ??
      Object.keys(all).find((name) => names.test(name));
    return key === undefined ? undefined : shortValue(all[key]);
  };
  const size = [
    readSetting("resolution", /^(resolution|image_resolution|video_resolution)$/i),
    readSetting("size", /^(size|image_size|video_size)$/i),
    readSetting("aspect-ratio", /^(aspect_?ratio|ratio)$/i),
  ];
  const qualityKey = Object.keys(all).find((name) => /quality/i.test(name));
  const facts: [string, string | undefined][] = [
    ["Model", job.model],
    ["Size", [...new Set(size.filter((part) => part !== undefined))].join(", ")],
    ["Quality", qualityKey && shortValue(all[qualityKey])],
    ...seedFact(getUsedSeeds(job, payload, schema)),
    ["Run time", runTimeText(job)],
    ["Pixels", pixelsText(files)],
    ["Duration", durationText(files)],
    ["Files", filesText(files)],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value: visibleLine(value, 80) }] : []));
}

/** Placeholders for facts that are still to be read from the files, about as long as the facts will be. */
export function awaitedFacts(job: JobRecord, files: readonly FileFacts[]): string[] {
  const kind = job.media[0]?.kind;
  const isOver = (daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0;
  if (kind === undefined || kind === "other" || isOver) return [];
  const isFresh = job.origin !== undefined && job.finishedAtMs === undefined;
  const hasPixels = files.some((file) => file.width !== undefined);
  const hasLength = files.some((file) => file.durationSeconds !== undefined);
  return [
    ...(isFresh ? ["Run time 6.2 s"] : []),
    ...(kind !== "audio" && !hasPixels ? ["Pixels 1024 × 1024"] : []),
    ...(kind !== "image" && !hasLength ? ["Duration 6.0 s"] : []),
    ...(files.every((file) => file.extension === undefined) ? ["Files 4 PNG, 11.8 MB"] : []),
  ];
}

/** A payload without nulls: the service echoes absent parameters as null. */
export function withoutNulls(payload: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null && value !== undefined));
}

function shortValue(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "on" : "off";
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text === "" || text.length > MAX_VALUE_CHARS ? undefined : text;
}

/** 0 and -1 often mean another seed each time: then only the service knows which it was. */
const isSeed = (value: unknown): value is number | string =>
  (typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))) && Number(value) > 0;

/** The seeds that the service reports, one for all files or one for each, else the one that was sent. */
export function getUsedSeeds(job: JobRecord, payload: JsonRecord, schema: FormSchema | undefined): string[] {
  // A seed in the echo of the request is not the seed that was used.
  const into = (plain: string) => !/^(payload|input|inputs|request|parameters|params|body)$/.test(plain);
  const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSeed);
  const reported = findNamed(job.raw, ["seeds", "seed", "used_seed", "actual_seed"], {
    into,
    depth: 4,
    accept: (value) => isSeed(value) || isList(value),
  })?.value;
  if (reported !== undefined) return [reported].flat().map(String);
  const key = schema?.fields.find(({ role }) => role === "seed")?.key ?? "seed";
  const sent = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return isSeed(sent) ? [String(sent)] : [];
}

function seedFact(seeds: readonly string[]): [string, string | undefined][] {
  const different = [...new Set(seeds)];
  return [[different.length > 1 ? "Seeds" : "Seed", different.join(", ")]];
}

function pixelsText(files: readonly FileFacts[]): string | undefined {
  const sizes = new Set(
    files.flatMap(({ width, height }) => (width !== undefined && height !== undefined ? `${width} × ${height}` : [])),
  );
  return sizes.size > 0 && sizes.size <= 3 ? [...sizes].join(", ") : undefined;
}

function durationText(files: readonly FileFacts[]): string | undefined {
  const lengths = new Set(
    files.flatMap(({ durationSeconds: seconds }) => (seconds ? formatElapsed(seconds * 1000) : [])),
  );
  return lengths.size > 0 && lengths.size <= 3 ? [...lengths].join(", ") : undefined;
}

/** "4 PNG, 11.8 MB": the bytes only where those of every file are known. */
function filesText(files: readonly FileFacts[]): string | undefined {
  const kinds = new Map<string, number>();
  for (const { extension } of files) if (extension) kinds.set(extension, (kinds.get(extension) ?? 0) + 1);
  const isKnown = files.length > 0 && files.every((file) => file.extension !== undefined);
  if (!isKnown) return undefined;
  const words = [...kinds].map(([extension, count]) =>
    files.length === 1 ? extension.toUpperCase() : `${formatNumber(count)} ${extension.toUpperCase()}`,
  );
  const bytes = files.map((file) => file.bytes);
  const isSizeKnown = bytes.every((size) => size !== undefined);
  const total = bytes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return isSizeKnown ? `${words.join(", ")}, ${fileSize(total)}` : words.join(", ");
}

function runTimeText(job: JobRecord): string | undefined {
  const took = job.status === "success" ? tookMs(job) : undefined;
  return took === undefined ? undefined : formatElapsed(took);
}

interface JobSchema {
  /** The parameters of the model as it is today; undefined until they are read, and where the service has none. */
  schema: FormSchema | undefined;
  /** What the service applies to absent keys; undefined until the schema is read. */
  defaults: JsonRecord | undefined;
  /** Whether more may still come: the detail is loading. */
  isLoading: boolean;
}

/** The parameters of a job's model. Its detail is cached for a quarter of an hour; a failure leaves them undefined. */
export function useJobSchema(model: string | undefined): JobSchema {
  const detail = useQuery({
    ...modelQueries(useApi()).detail(model ?? ""),
    enabled: model !== undefined,
    retry: false,
  });
  const schema = useFormSchema(detail.data, useReadingHints(model ?? ""));
  const defaults = useMemo(() => schema && readDefaults(schema), [schema]);
  const isLoading = model !== undefined && !detail.isError && schema === undefined;
  return { schema, defaults, isLoading };
}

function readDefaults(schema: FormSchema): JsonRecord {
  const named = schema.fields.filter((field: Field) => field.defaultValue !== undefined && field.defaultValue !== null);
  return Object.fromEntries(named.map((field) => [field.key, field.defaultValue]));
}

import { formatMicroUsd } from "#lib/money.ts";
import { formatDateTime, formatElapsed } from "#lib/time.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import type { PixelSize } from "./compare-scale.ts";

export interface CompareRow {
  name: string;
  /** One per job; undefined where it has no such value. */
  values: (string | undefined)[];
  isSame: boolean;
}

/** The names of the compared jobs: A, B, C. */
export function letterOf(place: number): string {
  return String.fromCharCode(65 + place);
}

// Exact, else estimated, else not known yet or not at all: never the dash of a setting that a job does not have.
function shortPrice({ priceMicroUsd, estimatedMicroUsd }: JobRecord): string {
  if (priceMicroUsd !== undefined) return formatMicroUsd(priceMicroUsd);
  return estimatedMicroUsd === undefined ? "Unknown" : `≈ ${formatMicroUsd(estimatedMicroUsd)}`;
}

/**
 * A table of the compared jobs: model, price and time, the pixels of their files where they are given, then what they were
 * asked for. Rows that differ first, in the order in which they first appear. Rows in which nothing is known are absent, but
 * for the price.
 */
export function compareRows(jobs: readonly JobRecord[], sizes: readonly (PixelSize | undefined)[] = []): CompareRow[] {
  const names = [...new Set(jobs.flatMap((job) => Object.keys(job.payload ?? {})))];
  const of = (name: string, value: (job: JobRecord, place: number) => string | undefined): CompareRow => {
    const values = jobs.map(value);
    return { name, values, isSame: values.every((one) => one === values[0]) };
  };
  const facts = [
    of("Price", shortPrice),
    of("Took", (job) => {
      const took = tookMs(job);
      return took === undefined ? undefined : formatElapsed(took);
    }),
    of("Pixels", (_, place) => {
      const known = sizes[place];
      return known && `${known.width} × ${known.height}`;
    }),
    of("Created", (job) => (job.createdAtSeconds === undefined ? undefined : formatDateTime(job.createdAtSeconds))),
  ].filter(({ values }) => values.some((value) => value !== undefined));
  const rows = [
    of("Model", (job) => job.model),
    ...facts,
    ...names.map((name) => of(name, (job) => shown(ownValue(job, name)))),
  ];
  return [...rows.filter((one) => !one.isSame), ...rows.filter((one) => one.isSame)];
}

function ownValue(job: JobRecord, name: string): unknown {
  return job.payload && Object.hasOwn(job.payload, name) ? job.payload[name] : undefined;
}

// The service echoes what was left out as null.
function shown(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

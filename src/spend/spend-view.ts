// What the Spend page shows: one calculation over the ledger, so that all of its figures are of the same lines.
import { dayStart } from "#lib/time.ts";
import { isCharge, type LedgerLine } from "#runs/ledger/ledger.ts";
import type { LineState, SpendFilter } from "./spend-filter.ts";
import { type Bucket, type BucketUnit, bucketAt, bucketsOf, rangeStart } from "./spend-ranges.ts";
import { type SpendEntry, type SpendGroup, type SpendSums, spendEntries, sumBy, sumEntries } from "./spend-summary.ts";

/** A colour of the chart: a model, or all further ones. */
export interface SpendSeries {
  /** Undefined: the further ones. */
  model: string | undefined;
  /** How many models it stands for. */
  models: number;
}

export interface SpendBucket extends Bucket {
  /** False before the first line that this browser has: nothing is known of that time, which does not mean zero. */
  hasData: boolean;
  sums: SpendSums;
  /** Charged for certain by series, in their order; together `sums.chargedMicroUsd`. */
  charged: number[];
}

export interface SpendView {
  fromMs: number;
  unit: BucketUnit;
  series: SpendSeries[];
  buckets: SpendBucket[];
  sums: SpendSums;
  /** Of today alone, under the same filters. */
  today: SpendSums;
  /** Of the project that is chosen, so that another model can be chosen. */
  models: SpendGroup[];
  /** Of the model that is chosen. */
  projects: SpendGroup[];
  /** The lines of the list, newest first. */
  listed: SpendEntry[];
  listedSums: SpendSums;
}

/** At most this many models have a colour of their own. */
const MAX_SERIES = 5;

export const modelOf = ({ model }: SpendEntry) => model ?? "";
export const projectOf = ({ projectId }: SpendEntry) => projectId ?? "";

/** Whether a line is in a state of the list. */
function isInState({ line, isEstimated }: SpendEntry, state: LineState): boolean {
  const { kind, amountMicroUsd } = line;
  switch (state) {
    case "charged":
      return isCharge(line) && !isEstimated;
    case "refunded":
      return kind === "refunded";
    case "pending":
      return kind === "unconfirmed";
    case "unknown":
      return amountMicroUsd === undefined && (isCharge(line) || kind === "unconfirmed");
    case "estimated":
      return isEstimated;
    case "not-charged":
      return kind === "not-charged" || kind === "absent";
  }
}

/** Everything that the page shows of a ledger. */
export function spendView(lines: readonly LedgerLine[], filter: SpendFilter, nowMs: number): SpendView {
  const all = spendEntries(lines);
  const firstMs = all.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  const lastMs = all.reduce((most, { atMs }) => Math.max(most, atMs), nowMs);
  const fromMs = rangeStart(filter.range, all.length === 0 ? undefined : firstMs, nowMs);
  const { unit, buckets } = bucketsOf(fromMs, lastMs);
  const inRange = all.filter(({ atMs }) => atMs >= fromMs);
  const isOfModel = (entry: SpendEntry) => filter.model === undefined || modelOf(entry) === filter.model;
  const isOfProject = (entry: SpendEntry) => filter.project === undefined || projectOf(entry) === filter.project;
  const ofProject = inRange.filter(isOfProject);
  const models = sumBy(ofProject, modelOf);
  const entries = ofProject.filter(isOfModel);
  const { state } = filter;
  const listed = state === undefined ? entries : entries.filter((entry) => isInState(entry, state));
  const series = seriesOf(models, filter.model);
  return {
    fromMs,
    unit,
    series,
    buckets: bucketSums(buckets, entries, series, firstMs),
    sums: sumEntries(entries),
    today: sumEntries(entries.filter(({ atMs }) => atMs >= dayStart(nowMs))),
    models,
    projects: sumBy(inRange.filter(isOfModel), projectOf),
    listed,
    listedSums: sumEntries(listed),
  };
}

/** The dearest models, each of its own colour, also while one of them is chosen. */
function seriesOf(models: readonly SpendGroup[], chosen: string | undefined): SpendSeries[] {
  const charged = models.filter(({ chargedMicroUsd, refunds }) => chargedMicroUsd !== 0 || refunds > 0);
  const own = charged.slice(0, MAX_SERIES).map(({ id }) => ({ model: id, models: 1 }));
  const others = charged.length - own.length;
  const series: SpendSeries[] = others > 0 ? [...own, { model: undefined, models: others }] : own;
  if (chosen === undefined || series.some(({ model }) => model === chosen)) return series;
  return [...own, { model: undefined, models: 1 }];
}

function bucketSums(
  buckets: readonly Bucket[],
  entries: readonly SpendEntry[],
  series: readonly SpendSeries[],
  firstMs: number,
): SpendBucket[] {
  const inBucket = buckets.map((): SpendEntry[] => []);
  for (const entry of entries) inBucket[bucketAt(buckets, entry.atMs) ?? -1]?.push(entry);
  const positions = new Map(series.map(({ model }, index) => [model, index]));
  const rest = positions.get(undefined) ?? 0;
  return buckets.map((bucket, index) => {
    const own = inBucket[index] ?? [];
    const charged = series.map(() => 0);
    for (const group of sumBy(own, modelOf)) {
      const place = positions.get(group.id) ?? rest;
      if (place < charged.length) charged[place] = (charged[place] ?? 0) + group.chargedMicroUsd;
    }
    return { ...bucket, hasData: bucket.endMs > firstMs, sums: sumEntries(own), charged };
  });
}

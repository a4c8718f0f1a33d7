// The calculations of Spend: buckets of time, sums over ledger lines, and all that the page shows.
import { dayStart } from "#lib/time.ts";
import { isCharge, type LedgerLine } from "#runs/ledger/ledger.ts";
import type { LineState, SpendFilter, SpendRange } from "./spend-filter.ts";

export type BucketUnit = "day" | "week" | "month";

/** A day, a week or a month, by the calendar of the person's own zone: from `startMs` up to `endMs`, without it. */
export interface Bucket {
  startMs: number;
  endMs: number;
}

/** With more bars than this each would be too narrow: then the next larger unit is used. */
const MAX_DAYS = 62;
const MAX_WEEKS = 60;
const DAY_MS = 24 * 3600_000;
/** A wrong clock may have written a line of any year. What is older than all buckets is summed in the first one. */
const MAX_BUCKETS = 240;

/** Midnight, some days before or after a moment. By the calendar, because a day of a clock change has 23 or 25 hours. */
function midnightAfterDays(ms: number, days: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** Midnight at which a range starts, ms. "All" starts with the first line. */
function rangeStart(range: SpendRange, firstMs: number | undefined, nowMs: number): number {
  if (range === "all") return dayStart(Math.min(firstMs ?? nowMs, nowMs));
  if (range === "month") {
    const date = new Date(nowMs);
    return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  }
  return midnightAfterDays(nowMs, 1 - Number(range));
}

function chooseUnit(fromMs: number, toMs: number): BucketUnit {
  const days = Math.round((toMs - fromMs) / DAY_MS) + 1;
  if (days <= MAX_DAYS) return "day";
  return days <= MAX_WEEKS * 7 ? "week" : "month";
}

/** The first moment of the day, week (from Monday) or month of a moment. */
function unitStart(ms: number, unit: BucketUnit): number {
  const date = new Date(ms);
  if (unit === "month") return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  return unit === "week" ? midnightAfterDays(ms, -((date.getDay() + 6) % 7)) : dayStart(ms);
}

/** The first moment of the next day, week or month. */
function nextStart(ms: number, unit: BucketUnit): number {
  const date = new Date(ms);
  if (unit === "month") return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  return midnightAfterDays(ms, unit === "week" ? 7 : 1);
}

/**
 * The buckets from one moment to another, both included, oldest first. The first one begins at `fromMs`, also within a week
 * or a month.
 */
function createBuckets(fromMs: number, toMs: number): { unit: BucketUnit; buckets: Bucket[] } {
  const unit = chooseUnit(fromMs, toMs);
  const buckets: Bucket[] = [];
  let startMs = unitStart(fromMs, unit);
  while (startMs <= toMs) {
    const endMs = nextStart(startMs, unit);
    buckets.push({ startMs: Math.max(startMs, fromMs), endMs });
    startMs = endMs;
  }
  const newest = buckets.slice(-MAX_BUCKETS);
  const [first] = newest;
  return { unit, buckets: first ? [{ ...first, startMs: Math.min(first.startMs, fromMs) }, ...newest.slice(1)] : [] };
}

/** The index of the bucket that a moment is in; undefined where it is in none. */
function bucketAt(buckets: readonly Bucket[], ms: number): number | undefined {
  let low = 0;
  let high = buckets.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const bucket = buckets[middle];
    if (bucket === undefined) return undefined;
    if (ms < bucket.startMs) high = middle - 1;
    else if (ms >= bucket.endMs) low = middle + 1;
    else return middle;
  }
  return undefined;
}

/**
 * One line, with the moment, the model and the project under which it counts. A refund counts under those of the charge of its
 * job, also where that was moved. So no day is below zero, and a project gets back what it paid.
 */
export interface SpendEntry {
  line: LedgerLine;
  atMs: number;
  model: string | undefined;
  projectId: string | undefined;
  isEstimated: boolean;
}

/** Sums over some lines. Amounts are whole micro-USD; what is estimated or not known is in none of the others. */
export interface SpendSums {
  /** Charged for certain, refunds taken off. */
  chargedMicroUsd: number;
  refundedMicroUsd: number;
  refunds: number;
  /** What may have been charged, for entries of a known amount. */
  pendingMicroUsd: number;
  /** How many entries may have been charged, also those of an unknown amount. */
  pending: number;
  /** How many of `pending` have an unknown amount. */
  pendingUnknown: number;
  /** Jobs of other clients by today's price, refunds taken off. */
  estimatedMicroUsd: number;
  /** How many jobs have an estimated price. */
  estimated: number;
  /** How many jobs and answers were charged at an unknown price. */
  unpriced: number;
  jobs: number;
  answers: number;
  tokens: number;
}

const NO_SUMS: SpendSums = {
  chargedMicroUsd: 0,
  refundedMicroUsd: 0,
  refunds: 0,
  pendingMicroUsd: 0,
  pending: 0,
  pendingUnknown: 0,
  estimatedMicroUsd: 0,
  estimated: 0,
  unpriced: 0,
  jobs: 0,
  answers: 0,
  tokens: 0,
};

/** The lines with what they count under, newest first. */
export function spendEntries(lines: readonly LedgerLine[]): SpendEntry[] {
  const charges = new Map<string, LedgerLine>();
  for (const line of lines) if (line.requestId !== undefined && isCharge(line)) charges.set(line.requestId, line);
  return lines
    .map((line) => {
      const charge = (line.kind === "refunded" && charges.get(line.requestId ?? "")) || line;
      return {
        line,
        atMs: charge.atMs,
        model: charge.model ?? line.model,
        projectId: charge.projectId,
        // A line without an amount is not estimated: its price is unknown.
        isEstimated: (charge.isEstimated ?? line.isEstimated ?? false) && line.amountMicroUsd !== undefined,
      };
    })
    .sort((a, b) => b.line.atMs - a.line.atMs);
}

/** Adds an entry to sums. */
function addEntry(sums: SpendSums, { line, isEstimated }: SpendEntry): void {
  const { kind, amountMicroUsd, tokens, answerId } = line;
  const amount = amountMicroUsd ?? 0;
  const isUnknown = amountMicroUsd === undefined;
  if (isCharge(line)) {
    if (isEstimated) {
      sums.estimated += 1;
      sums.estimatedMicroUsd += amount;
    } else sums.chargedMicroUsd += amount;
    if (isUnknown) sums.unpriced += 1;
    if (answerId === undefined) sums.jobs += 1;
    else sums.answers += 1;
    sums.tokens += tokens ? tokens.input + tokens.output : 0;
  } else if (kind === "refunded") {
    if (isEstimated) sums.estimatedMicroUsd -= amount;
    else {
      sums.chargedMicroUsd -= amount;
      sums.refundedMicroUsd += amount;
      sums.refunds += 1;
    }
  } else if (kind === "unconfirmed") {
    sums.pending += 1;
    sums.pendingMicroUsd += amount;
    if (isUnknown) sums.pendingUnknown += 1;
  }
}

/** Sums of entries, in whole micro-USD. */
export function sumEntries(entries: readonly SpendEntry[]): SpendSums {
  const sums = { ...NO_SUMS };
  for (const entry of entries) addEntry(sums, entry);
  return sums;
}

/** The sums of one model or project. */
export interface SpendGroup extends SpendSums {
  /** The id of the model or project; undefined for lines that name none. */
  id: string | undefined;
}

/** Whether anything was or may have been spent. */
const isSpending = ({ jobs, answers, pending, refunds }: SpendSums) => jobs + answers + pending + refunds > 0;

/** The sums by any id of the entries, most expensive first. Groups without a charge, a refund or an open charge are left out. */
export function sumBy(entries: readonly SpendEntry[], getId: (entry: SpendEntry) => string | undefined): SpendGroup[] {
  const groups = new Map<string | undefined, SpendSums>();
  for (const entry of entries) {
    const id = getId(entry);
    const sums = groups.get(id) ?? { ...NO_SUMS };
    groups.set(id, sums);
    addEntry(sums, entry);
  }
  const size = (group: SpendSums) => group.chargedMicroUsd + group.estimatedMicroUsd;
  return [...groups]
    .map(([id, sums]) => ({ id, ...sums }))
    .filter(isSpending)
    .sort((a, b) => size(b) - size(a) || b.jobs + b.answers - a.jobs - a.answers);
}

/** A part of the chart with one color: a model, or all models without a color of their own. */
export interface SpendSeries {
  /** Undefined: the models without a color of their own. */
  model: string | undefined;
  /** How many models it stands for. */
  models: number;
}

export interface SpendBucket extends Bucket {
  /** False before the first line that this browser has: nothing is known of that time, which does not mean zero. */
  hasData: boolean;
  sums: SpendSums;
  /** What was charged for certain for each series, in micro-USD; together `sums.chargedMicroUsd`. */
  charged: number[];
}

/** What the Spend page shows. */
export interface SpendView {
  fromMs: number;
  unit: BucketUnit;
  series: SpendSeries[];
  buckets: SpendBucket[];
  sums: SpendSums;
  /** The sums of today alone, under the same filters. */
  today: SpendSums;
  /** The sums by model under the filter by project alone, so that another model can be chosen. */
  models: SpendGroup[];
  /** The sums by project under the filter by model alone. */
  projects: SpendGroup[];
  /** The lines of the list, newest first. */
  listed: SpendEntry[];
  listedSums: SpendSums;
}

/** At most this many models have a color of their own. */
const MAX_SERIES = 5;

const getEntryModel = ({ model }: SpendEntry) => model ?? "";
export const getEntryProject = ({ projectId }: SpendEntry) => projectId ?? "";

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

/** Everything that the Spend page shows. One calculation over the ledger, so that all figures rest on the same lines. */
export function spendView(lines: readonly LedgerLine[], filter: SpendFilter, nowMs: number): SpendView {
  const all = spendEntries(lines);
  const firstMs = all.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  const lastMs = all.reduce((most, { atMs }) => Math.max(most, atMs), nowMs);
  const fromMs = rangeStart(filter.range, all.length === 0 ? undefined : firstMs, nowMs);
  const { unit, buckets } = createBuckets(fromMs, lastMs);
  const inRange = all.filter(({ atMs }) => atMs >= fromMs);
  const isOfModel = (entry: SpendEntry) => filter.model === undefined || getEntryModel(entry) === filter.model;
  const isOfProject = (entry: SpendEntry) => filter.project === undefined || getEntryProject(entry) === filter.project;
  const ofProject = inRange.filter(isOfProject);
  const models = sumBy(ofProject, getEntryModel);
  const entries = ofProject.filter(isOfModel);
  const { state } = filter;
  const listed = state === undefined ? entries : entries.filter((entry) => isInState(entry, state));
  const series = createSeries(models, filter.model);
  return {
    fromMs,
    unit,
    series,
    buckets: bucketSums(buckets, entries, series, firstMs),
    sums: sumEntries(entries),
    today: sumEntries(entries.filter(({ atMs }) => atMs >= dayStart(nowMs))),
    models,
    projects: sumBy(inRange.filter(isOfModel), getEntryProject),
    listed,
    listedSums: sumEntries(listed),
  };
}

/** The most expensive models, each with a color of its own, which stays while one of them is chosen. */
function createSeries(models: readonly SpendGroup[], chosen: string | undefined): SpendSeries[] {
  const charged = models.filter(({ chargedMicroUsd, refunds }) => chargedMicroUsd !== 0 || refunds > 0);
  const withColor = charged.slice(0, MAX_SERIES).map(({ id }) => ({ model: id, models: 1 }));
  const others = charged.length - withColor.length;
  const series: SpendSeries[] = others > 0 ? [...withColor, { model: undefined, models: others }] : withColor;
  if (chosen === undefined || series.some(({ model }) => model === chosen)) return series;
  return [...withColor, { model: undefined, models: 1 }];
}

/** The buckets with the sums of the entries in each. */
function bucketSums(
  buckets: readonly Bucket[],
  entries: readonly SpendEntry[],
  series: readonly SpendSeries[],
  firstMs: number,
): SpendBucket[] {
  const inBucket = buckets.map((): SpendEntry[] => []);
  for (const entry of entries) inBucket[bucketAt(buckets, entry.atMs) ?? -1]?.push(entry);
  const positions = new Map(series.map(({ model }, index) => [model, index]));
  const neutralIndex = positions.get(undefined) ?? 0;
  return buckets.map((bucket, index) => {
    const inThis = inBucket[index] ?? [];
    const charged = series.map(() => 0);
    for (const group of sumBy(inThis, getEntryModel)) {
      const seriesIndex = positions.get(group.id) ?? neutralIndex;
      if (seriesIndex < charged.length) charged[seriesIndex] = (charged[seriesIndex] ?? 0) + group.chargedMicroUsd;
    }
    return { ...bucket, hasData: bucket.endMs > firstMs, sums: sumEntries(inThis), charged };
  });
}

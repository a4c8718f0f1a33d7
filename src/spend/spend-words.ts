// What the figures of Spend say: amounts, counts, the names of times.

import { formatMicroUsd } from "#lib/money.ts";
import { formatDate, formatDayOfYear, formatMonth } from "#lib/time.ts";
import type { Bucket, BucketUnit } from "./spend-ranges.ts";
import type { SpendSums } from "./spend-summary.ts";

const number = (count: number) => count.toLocaleString("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** "1 job", "12 jobs". */
export const counted = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** What was charged, as far as it is known: "Unknown" where no price is, never $0.00. */
export function chargedText(sums: SpendSums): string {
  const priced = sums.jobs + sums.answers - sums.unpriced - sums.estimated;
  if (priced > 0 || sums.refunds > 0) return formatMicroUsd(sums.chargedMicroUsd).replace("-", "−");
  if (sums.estimated > 0) return `≈ ${formatMicroUsd(sums.estimatedMicroUsd)}`;
  return sums.unpriced + sums.pendingUnknown > 0 ? "Unknown" : formatMicroUsd(0);
}

/** What the amount leaves out: "≈ $0.10 estimated", "2 unknown", "$0.60 unconfirmed". */
export function besideAmount(sums: SpendSums): string[] {
  const isExact = sums.jobs + sums.answers - sums.unpriced - sums.estimated > 0 || sums.refunds > 0;
  const unknown = sums.unpriced + sums.pendingUnknown;
  return [
    sums.estimated > 0 && (isExact ? `≈ ${formatMicroUsd(sums.estimatedMicroUsd)} estimated` : "estimated"),
    (isExact || sums.estimated > 0) && unknown > 0 && `${number(unknown)} unknown`,
    sums.pending > sums.pendingUnknown && `${formatMicroUsd(sums.pendingMicroUsd)} unconfirmed`,
  ].filter((part) => part !== false);
}

/** A sum in full: "$0.12", "2 unknown", "$0.60 unconfirmed". What is only unconfirmed was not charged at $0.00. */
export function sumTexts(sums: SpendSums): string[] {
  const beside = besideAmount(sums);
  const isPendingAlone = sums.pending > 0 && sums.jobs + sums.answers + sums.refunds === 0;
  return isPendingAlone && beside.length > 0 ? beside : [chargedText(sums), ...beside];
}

/** "262 jobs" and "6.2M tokens". */
export function workOf({ jobs, answers, tokens }: SpendSums): string[] {
  const text = tokens > 0 ? `${compact.format(tokens)} tokens` : counted(answers, "answer");
  return [jobs > 0 && counted(jobs, "job"), answers > 0 && text].filter((part) => part !== false);
}

/** "2 refunds, $1.20, already taken off"; empty without any. */
export function refundText({ refunds, refundedMicroUsd }: SpendSums): string {
  return refunds === 0 ? "" : `${counted(refunds, "refund")}, ${formatMicroUsd(refundedMicroUsd)}, already taken off`;
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short" });

/** The name of a day, a week or a month: "Tue 10 Nov", "Week of 9 Nov 2026", "November 2026". */
export function bucketName({ startMs }: Bucket, unit: BucketUnit): string {
  const seconds = startMs / 1000;
  if (unit === "month") return formatMonth(seconds);
  return unit === "week"
    ? `Week from ${formatDate(seconds)}`
    : `${WEEKDAY.format(startMs)} ${formatDayOfYear(seconds)}`;
}

const MONTH_OF_AXIS = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit" });

/** The same under the chart, short. */
export function axisName({ startMs }: Bucket, unit: BucketUnit): string {
  return unit === "month" ? MONTH_OF_AXIS.format(startMs) : formatDayOfYear(startMs / 1000);
}

const UNIT_WORDS = { day: "Charged by day", week: "Charged by week", month: "Charged by month" } as const;

/** What the chart is called, with its unit. */
export const chartTitle = (unit: BucketUnit) => UNIT_WORDS[unit];

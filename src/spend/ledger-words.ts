// The transactions in words: on the Spend page, and as CSV.
import { TOTAL_CHARGED } from "#api/charge-words.ts";
import { csvText } from "#lib/csv-cell.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted, formatCompact, formatNumber } from "#lib/numbers.ts";
import { formatDate, formatDayOfYear, formatMonth, formatShortMonth, formatWeekday } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isCharge, type LedgerEvidence, type LedgerKind, type LedgerLine } from "#runs/ledger/ledger.ts";
import type { LineState } from "./spend-filter.ts";
import type { Bucket, BucketUnit, SpendEntry, SpendSeries, SpendSums } from "./spend-view.ts";

/** The names of sums. */
export const SUM_WORDS = { charged: TOTAL_CHARGED, refunded: "Refunded" } as const;

/** What happened, by the kind of a line. */
const KIND_WORDS: Record<LedgerKind, string> = {
  charged: "Charged",
  refunded: "Refunded",
  "not-charged": "Not charged",
  unconfirmed: "Unconfirmed",
  absent: "No job found",
  "possible-duplicate": "Possible duplicate",
};

const MAY_HAVE_CHARGED = "the service may have charged for it";

/** How a transaction is known: what this browser saw, and no more than that. */
const EVIDENCE_WORDS: Record<LedgerEvidence, string> = {
  answered: "The service accepted the run",
  recovered: "No response, but the job was found in the job list",
  probable: "No response; probably this job in the list",
  "status-failed": "Job failed, refunded in full",
  refused: "The service rejected the run",
  "no-answer": `No response; ${MAY_HAVE_CHARGED}`,
  "not-in-list": "No response, and no job found in the job list",
  duplicate: "A second identical job was created",
  imported: "Imported, price unknown",
  counted: "Counted from its tokens at the list price",
  "no-list-price": "The model list gives no price",
  "no-count": "The service gave no token count",
  sent: "Sent; no complete response received",
  "broken-off": `The response was stopped or cut off; ${MAY_HAVE_CHARGED}`,
};

const PRICE_UNKNOWN = "Price unknown";

/** What happened, or that the price of a charge is unknown. */
export function kindWords({ kind, amountMicroUsd }: LedgerLine): string {
  return isCharge({ kind }) && amountMicroUsd === undefined ? PRICE_UNKNOWN : KIND_WORDS[kind];
}

/** The states by which the list can be filtered. */
export const LINE_STATE_WORDS: Record<LineState, string> = {
  charged: KIND_WORDS.charged,
  refunded: KIND_WORDS.refunded,
  pending: KIND_WORDS.unconfirmed,
  unknown: PRICE_UNKNOWN,
  estimated: "Estimated",
  "not-charged": `${KIND_WORDS["not-charged"]} or not found`,
};

/** How a line is known, with the tokens from which the amount of a response was counted. */
export function evidenceText({ evidence, tokens, isEstimated, answerId }: LedgerLine): string {
  if (isEstimated && evidence === "imported") return "Imported, estimated at today’s price";
  if (answerId !== undefined && evidence === "refused") return "The service rejected the request";
  if (tokens === undefined || (evidence !== "counted" && evidence !== "no-list-price")) return EVIDENCE_WORDS[evidence];
  const count = counted(tokens.input + tokens.output, "token");
  return evidence === "counted" ? `Counted from ${count} at the list price` : `${count}; the model list gives no price`;
}

/** The names of the columns of the CSV. */
const CSV_HEAD = [
  "time_utc",
  "event",
  "how_known",
  "amount_micro_usd",
  "pending_micro_usd",
  "estimated_micro_usd",
  "estimated",
  "model",
  "project",
  "input_tokens",
  "output_tokens",
  "request_id",
  "intent_id",
  "counted_at_utc",
];

/** The amount of a line in the one of three columns where it counts: charges are positive, refunds negative. */
function amountColumns({ line, isEstimated }: SpendEntry): [moved: string, pending: string, estimated: string] {
  const { kind, amountMicroUsd } = line;
  if (amountMicroUsd === undefined) return ["", "", ""];
  if (kind === "unconfirmed") return ["", String(amountMicroUsd), ""];
  // An entry that moved no money counts as zero, also where it names an amount.
  const moved = kind === "refunded" ? -amountMicroUsd : isCharge(line) ? amountMicroUsd : 0;
  return isEstimated ? ["", "", String(moved)] : [String(moved), "", ""];
}

/**
 * Transactions as CSV (RFC 4180), oldest first, amounts in whole micro-USD. The sum of a column of amounts is the
 * figure of the screen.
 */
export function ledgerCsv(entries: readonly SpendEntry[], nameOf: (projectId: string) => string | undefined): string {
  const rows = entries
    .slice()
    .sort((a, b) => a.line.atMs - b.line.atMs)
    .map((entry) => {
      const { line, projectId, isEstimated } = entry;
      return [
        new Date(line.atMs).toISOString(),
        line.kind,
        evidenceText(line),
        ...amountColumns(entry),
        isEstimated ? "yes" : "",
        line.model ?? "",
        projectId === undefined ? "" : (nameOf(projectId) ?? projectId),
        String(line.tokens?.input ?? ""),
        String(line.tokens?.output ?? ""),
        line.requestId ?? "",
        line.intentId ?? line.answerId ?? "",
        new Date(entry.atMs).toISOString(),
      ];
    });
  return csvText([CSV_HEAD, ...rows]);
}

/** What was charged, as far as it is known: "Unknown" where no price is, never $0.00. */
export function chargedText(sums: SpendSums): string {
  const priced = sums.jobs + sums.answers - sums.unpriced - sums.estimated;
  if (priced > 0 || sums.refunds > 0) return formatMicroUsd(sums.chargedMicroUsd).replace("-", "−");
  if (sums.estimated > 0) return `≈ ${formatMicroUsd(sums.estimatedMicroUsd)}`;
  return sums.unpriced + sums.pendingUnknown > 0 ? "Unknown" : formatMicroUsd(0);
}

/** What `chargedText` leaves out: "≈ $0.10 estimated", "2 unknown", "$0.60 unconfirmed". */
export function besideAmount(sums: SpendSums): string[] {
  const isExact = sums.jobs + sums.answers - sums.unpriced - sums.estimated > 0 || sums.refunds > 0;
  const unknown = sums.unpriced + sums.pendingUnknown;
  return [
    sums.estimated > 0 && (isExact ? `≈ ${formatMicroUsd(sums.estimatedMicroUsd)} estimated` : "estimated"),
    (isExact || sums.estimated > 0) && unknown > 0 && `${formatNumber(unknown)} unknown`,
    sums.pending > sums.pendingUnknown && `${formatMicroUsd(sums.pendingMicroUsd)} unconfirmed`,
  ].filter((part) => part !== false);
}

/** A sum in full: "$0.12", "2 unknown", "$0.60 unconfirmed". Where all is unconfirmed, no $0.00 is shown before it. */
export function sumTexts(sums: SpendSums): string[] {
  const beside = besideAmount(sums);
  const isPendingAlone = sums.pending > 0 && sums.jobs + sums.answers + sums.refunds === 0;
  return isPendingAlone && beside.length > 0 ? beside : [chargedText(sums), ...beside];
}

/** "262 jobs" and "6.2M tokens". */
export function getWorkWords({ jobs, answers, tokens }: SpendSums): string[] {
  const text =
    tokens > 0 ? `${formatCompact(tokens)} ${tokens === 1 ? "token" : "tokens"}` : counted(answers, "response");
  return [jobs > 0 && counted(jobs, "job"), answers > 0 && text].filter((part) => part !== false);
}

/** "2 refunds, $1.20, deducted"; empty without any. */
export function refundText({ refunds, refundedMicroUsd }: SpendSums): string {
  return refunds === 0 ? "" : `${counted(refunds, "refund")}, ${formatMicroUsd(refundedMicroUsd)}, deducted`;
}

/** The name of a day, a week or a month: "Tue, Nov 10", "Week of Nov 9, 2026", "November 2026". */
export function bucketName({ startMs }: Bucket, unit: BucketUnit): string {
  const seconds = startMs / 1000;
  if (unit === "month") return formatMonth(seconds);
  return unit === "week" ? `Week of ${formatDate(seconds)}` : formatWeekday(seconds);
}

/** The short name of a day, week or month under the chart. */
export function axisName({ startMs }: Bucket, unit: BucketUnit): string {
  return unit === "month" ? formatShortMonth(startMs / 1000) : formatDayOfYear(startMs / 1000);
}

const UNIT_WORDS = { day: "Charged by day", week: "Charged by week", month: "Charged by month" } as const;

/** The title of the chart, with its unit. */
export const chartTitle = (unit: BucketUnit) => UNIT_WORDS[unit];

/** A model by its name, as the screen says it. */
export const modelName = (id: string | undefined) => visibleLine(id ?? "") || "Unknown model";

/** The name of a part of the chart, for its legend. */
export function seriesName({ model, models }: SpendSeries): string {
  if (model !== undefined) return modelName(model);
  return `Other, ${counted(models, "model")}`;
}

/** The number of the neutral color in `spend-chart.css`. */
const NEUTRAL = 5;

/** The color class of a part of the chart. All models without a color of their own share the last, neutral one. */
export const seriesColorClass = ({ model }: SpendSeries, index: number) =>
  `spend-${model === undefined ? NEUTRAL : index}`;

/** The color class of a model in lists beside the chart. */
export function modelColorClass(series: readonly SpendSeries[], model: string | undefined): string {
  const index = series.findIndex((part) => part.model !== undefined && part.model === model);
  return `spend-${index < 0 ? NEUTRAL : index}`;
}

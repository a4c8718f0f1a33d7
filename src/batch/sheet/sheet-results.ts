import type { MediaItem } from "#api/types.ts";
import { attemptsMoney, getRunPhase, type ItemView, isNotCharged } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { runWords } from "#runs/status-words.ts";
import { tookMs as jobTookMs } from "#storage/job-records.ts";
import type { SheetAxis } from "./sheet-axes.ts";

const NO_FILES: readonly MediaItem[] = [];

/** The files that a run made; empty before it has a result. */
export const filesMade = ({ job }: ItemView): readonly MediaItem[] => job?.media ?? NO_FILES;

/** The name of a run without headings. `index`: its row in the batch, from 0. */
export const runName = (index: number) => `Run ${index + 1}`;

/** Whether a run has a result. */
export const isDone = ({ state }: ItemView): boolean => getRunPhase(state) === "done";

export const FILTERS = ["all", "starred", "rejected", "unfinished"] as const;
export type SheetFilter = (typeof FILTERS)[number];

/** Whether a filter shows a result. */
export function passes(filter: SheetFilter, result: ItemView, isStarred: (result: ItemView) => boolean): boolean {
  if (filter === "starred") return isStarred(result);
  if (filter === "rejected") return result.item.isRejected === true;
  return filter === "all" || !isDone(result);
}

/** How long its job took, in milliseconds; undefined while it runs. */
function tookMs({ job, state }: ItemView): number | undefined {
  if (!job || state.kind !== "sent" || state.isRunning) return undefined;
  return jobTookMs(job);
}

/**
 * What a run costs, in micro-USD: 0 where it was refused or refunded; else what its attempts were or may have been charged; else
 * the agreed price; else today's price (`todaysPrice`). Undefined where none is known.
 */
export function getResultPrice(view: ItemView, todaysPrice?: MicroUsd): MicroUsd | undefined {
  const { item, job } = view;
  if (isNotCharged(view)) return 0;
  const { charged, refunded, possible } = attemptsMoney(view);
  const charge = charged - refunded + possible;
  if (charge > 0) return charge;
  return job?.priceMicroUsd ?? item.priceMicroUsd ?? todaysPrice;
}

/** What the captions under cells can show. */
export const CAPTIONS = ["seed", "price", "time", "prompt", "model"] as const;
export type CaptionPart = (typeof CAPTIONS)[number];
export const CAPTION_WORDS: Record<CaptionPart, string> = {
  seed: "Seed",
  price: "Price",
  time: "Run time",
  prompt: "Prompt",
  model: "Model",
};

/** The seed that a run was sent with, as text; undefined without one. */
export function getResultSeed({ item }: ItemView, seedAxis: SheetAxis | undefined): string | undefined {
  // The id of an axis value is the value as text.
  const seedOnAxis = seedAxis?.valueIds.get(item.id);
  if (seedOnAxis) return seedOnAxis;
  const { seed } = item.request.payload;
  return typeof seed === "number" || typeof seed === "string" ? String(seed) : undefined;
}

/** The state of a run in words, for accessible names and exports: "Failed: out of time". */
export function stateText({ state, job }: ItemView): string {
  const word = runWords(state).word;
  const reason = state.kind === "refused" ? state.refusal.message : job?.failureReason;
  return reason && state.kind !== "draft" ? `${word}: ${visibleLine(reason, 160)}` : word;
}

/** The texts of the captions for price and time. */
export function captionWords(result: ItemView, todaysPrice?: MicroUsd): { price: string; time: string | undefined } {
  const price = getResultPrice(result, todaysPrice);
  const took = tookMs(result);
  return {
    price: price === undefined ? "—" : formatMicroUsd(price),
    time: took === undefined ? undefined : formatElapsed(took),
  };
}

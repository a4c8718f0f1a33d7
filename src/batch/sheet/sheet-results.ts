import type { MediaItem } from "#api/types.ts";
import { attemptsMoney, type ItemView, isNotCharged } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { runWords } from "#runs/status-words.ts";
import { tookMs as jobTookMs, type TrackedJob } from "#storage/job-records.ts";
import type { SheetAxis } from "./sheet-axes.ts";

/** One run of a batch with all that its cell shows. */
export interface SheetResult {
  id: string;
  view: ItemView;
  /** Its job, once it was submitted. */
  job: TrackedJob | undefined;
  requestId: string | undefined;
  /** What it made. Empty until then. */
  files: readonly MediaItem[];
  isStarred: boolean;
  isRejected: boolean;
}

const NO_FILES: readonly MediaItem[] = [];

/** A run with its job and its star. */
export function resultOf(view: ItemView, jobs: ReadonlyMap<string, TrackedJob>, isStarred: boolean): SheetResult {
  const { item, state } = view;
  const requestId = state.kind === "sent" ? state.requestId : undefined;
  const job = requestId === undefined ? undefined : jobs.get(requestId);
  const files = job?.media ?? NO_FILES;
  return { id: item.id, view, job, requestId, files, isStarred, isRejected: item.isRejected === true };
}

/** What a run is called where no axis says more. `index`: from 0, in its batch. */
export const runName = (index: number) => `Run ${index + 1}`;

/** Whether its run has a result. */
export const isDone = ({ view: { state } }: SheetResult): boolean =>
  state.kind === "sent" && state.status === "success";

export const FILTERS = ["all", "starred", "rejected", "unfinished"] as const;
export type SheetFilter = (typeof FILTERS)[number];

/** Whether a filter shows a result. */
export function passes(filter: SheetFilter, result: SheetResult): boolean {
  if (filter === "starred") return result.isStarred;
  if (filter === "rejected") return result.isRejected;
  return filter === "all" || !isDone(result);
}

/** How long its job took, in ms: by the service's clock where it reports both ends. Undefined while it runs. */
export function tookMs({ job, view: { state } }: SheetResult): number | undefined {
  if (!job || state.kind !== "sent" || state.isRunning) return undefined;
  return jobTookMs(job);
}

/**
 * What its run costs, in micro-USD: nothing where it was refused or refunded, what was charged over its attempts or may have
 * been, the price that was agreed to, else today's. Undefined where nobody knows.
 */
export function priceOf({ view, job }: SheetResult, priced?: MicroUsd): MicroUsd | undefined {
  const { item } = view;
  if (isNotCharged(view)) return 0;
  const { charged, refunded, possible } = attemptsMoney(view);
  const most = charged - refunded + possible;
  if (most > 0) return most;
  return job?.priceMicroUsd ?? item.priceMicroUsd ?? priced;
}

/** What can stand under a cell. */
export const CAPTIONS = ["seed", "price", "time", "prompt", "model"] as const;
export type CaptionPart = (typeof CAPTIONS)[number];
export const CAPTION_WORDS: Record<CaptionPart, string> = {
  seed: "Seed",
  price: "Price",
  time: "Time",
  prompt: "Prompt",
  model: "Model",
};

/** The seed that its run was given, as text; undefined where it was given none. */
export function seedOf({ view: { item } }: SheetResult, seedAxis: SheetAxis | undefined): string | undefined {
  const known = seedAxis?.valueIds.get(item.id);
  if (known) return known;
  const { seed } = item.request.payload;
  return typeof seed === "number" || typeof seed === "string" ? String(seed) : undefined;
}

/** The state of a run in words, for its name and for what is exported: "Failed: out of time". */
export function stateText({ view: { state }, job }: SheetResult): string {
  const word = runWords(state).word;
  const reason = state.kind === "refused" ? state.refusal.message : job?.failureReason;
  return reason && state.kind !== "draft" ? `${word}: ${visibleLine(reason, 160)}` : word;
}

/** Price and time as a caption says them. */
export function captionWords(result: SheetResult, priced?: MicroUsd): { price: string; time: string | undefined } {
  const price = priceOf(result, priced);
  const took = tookMs(result);
  return {
    price: price === undefined ? "—" : formatMicroUsd(price),
    time: took === undefined ? undefined : formatElapsed(took),
  };
}

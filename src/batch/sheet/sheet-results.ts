import type { MediaItem } from "#api/types.ts";
import { attemptsMoney, getRunPhase, type ItemView, isNotCharged } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { runWords } from "#runs/status-words.ts";
import { tookMs as jobTookMs } from "#storage/job-records.ts";
import type { SheetAxis } from "./sheet-axes.ts";

const NO_FILES: readonly MediaItem[] = [];

/** What a run made. Empty until then. */
export const filesMade = ({ job }: ItemView): readonly MediaItem[] => job?.media ?? NO_FILES;

/** What a run is called where no axis says more. `index`: from 0, in its batch. */
export const runName = (index: number) => `Run ${index + 1}`;

/** Whether its run has a result. */
export const isDone = ({ state }: ItemView): boolean => getRunPhase(state) === "done";

export const FILTERS = ["all", "starred", "rejected", "unfinished"] as const;
export type SheetFilter = (typeof FILTERS)[number];

/** Whether a filter shows a result. */
export function passes(filter: SheetFilter, result: ItemView, isStarred: (result: ItemView) => boolean): boolean {
  if (filter === "starred") return isStarred(result);
  if (filter === "rejected") return result.item.isRejected === true;
  return filter === "all" || !isDone(result);
}

/** How long its job took, in ms: by the service's clock where it reports both ends. Undefined while it runs. */
function tookMs({ job, state }: ItemView): number | undefined {
  if (!job || state.kind !== "sent" || state.isRunning) return undefined;
  return jobTookMs(job);
}

/**
 * What its run costs, in micro-USD: nothing where it was refused or refunded, what was charged over its attempts or may have
 * been, the price that was agreed to, else today's. Undefined where nobody knows.
 */
export function getResultPrice(view: ItemView, priced?: MicroUsd): MicroUsd | undefined {
  const { item, job } = view;
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
export function getResultSeed({ item }: ItemView, seedAxis: SheetAxis | undefined): string | undefined {
  const known = seedAxis?.valueIds.get(item.id);
  if (known) return known;
  const { seed } = item.request.payload;
  return typeof seed === "number" || typeof seed === "string" ? String(seed) : undefined;
}

/** The state of a run in words, for its name and for what is exported: "Failed: out of time". */
export function stateText({ state, job }: ItemView): string {
  const word = runWords(state).word;
  const reason = state.kind === "refused" ? state.refusal.message : job?.failureReason;
  return reason && state.kind !== "draft" ? `${word}: ${visibleLine(reason, 160)}` : word;
}

/** Price and time as a caption says them. */
export function captionWords(result: ItemView, priced?: MicroUsd): { price: string; time: string | undefined } {
  const price = getResultPrice(result, priced);
  const took = tookMs(result);
  return {
    price: price === undefined ? "—" : formatMicroUsd(price),
    time: took === undefined ? undefined : formatElapsed(took),
  };
}

import type { MediaItem } from "#api/types.ts";
import { hasEnded, type ItemView } from "#batch/runner/batch-views.ts";
import { counted } from "#lib/numbers.ts";
import { type DeletedMedia, fileDeletion } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import type { EarlierFile } from "#results/earlier-files.tsx";
import { jobPrompt } from "#runs/job-inputs.ts";

/**
 * One file that a run has made, to be the input of another run. Its `name` says the row of the run and which of its files it is:
 * "Run 3, file 2".
 */
export interface ChainResult extends EarlierFile {
  /** Unique among the results of a batch. */
  key: string;
  itemId: string;
  /** The prompt of its run. */
  prompt: string | undefined;
  createdAtSeconds: number | undefined;
}

interface ChainResults {
  results: ChainResult[];
  /** Which results cannot be used and why, in sentences. */
  leftOut: string[];
}

interface ResultSources {
  /** All runs of the batch, from which the row numbers are counted. */
  all: readonly ItemView[];
  nowMs: number;
  /** The files that were deleted from this browser. */
  deleted: DeletedMedia;
}

type Reason = "none" | "running" | "expired" | "deleted" | "unusable";

const REASONS: Record<Reason, (count: number) => string> = {
  running: (count) => `${counted(count, "run has", "runs have")} no result yet.`,
  none: (count) => `${counted(count, "run")} ended without a result.`,
  expired: (count) => `${counted(count, "result has", "results have")} expired.`,
  deleted: (count) => `${counted(count, "result was", "results were")} deleted.`,
  unusable: (count) => `${counted(count, "result has", "results have")} a URL that models can’t load.`,
};

/** The files of some runs that can be inputs of other runs, in the same order, and what is excluded. */
export function chainResults(items: readonly ItemView[], { all, nowMs, deleted }: ResultSources): ChainResults {
  const rowNumbers = new Map(all.map(({ item }, at) => [item.id, at + 1]));
  const results: ChainResult[] = [];
  const counts = new Map<Reason, number>();
  const leaveOut = (reason: Reason) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const { item, state, job } of items) {
    const files = (job?.media ?? []).filter(({ isElsewhere }) => !isElsewhere);
    if (files.length === 0) {
      leaveOut(hasEnded(state) ? "none" : "running");
      continue;
    }
    for (const [at, file] of files.entries()) {
      const reason = fileDeletion(deleted, file.url) ? "deleted" : findReason(file, job?.createdAtSeconds, nowMs);
      if (reason) {
        leaveOut(reason);
        continue;
      }
      const run = `Run ${rowNumbers.get(item.id) ?? 1}`;
      results.push({
        key: `${item.id}/${at}`,
        itemId: item.id,
        name: files.length === 1 ? run : `${run}, file ${at + 1}`,
        file,
        prompt: jobPrompt(item.request.payload),
        createdAtSeconds: job?.createdAtSeconds,
      });
    }
  }
  const sentences = Object.entries(REASONS).flatMap(([reason, words]) => {
    const count = counts.get(reason as Reason);
    return count === undefined ? [] : [words(count)];
  });
  return { results, leftOut: sentences };
}

/** Why a file cannot be an input; undefined where it can. */
function findReason({ url }: MediaItem, createdAtSeconds: number | undefined, nowMs: number): Reason | undefined {
  if ((daysLeft(createdAtSeconds, nowMs) ?? 1) <= 0) return "expired";
  return /^(https?|data|blob):/i.test(url) ? undefined : "unusable";
}

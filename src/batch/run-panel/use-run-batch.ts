import { useMutation } from "@tanstack/react-query";
import { explainError } from "#api/explain-error.ts";
import { agreeToRun, cancelWaiting } from "#batch/runner/batch-edits.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import { StorageError } from "#storage/rows.ts";
import { useBatchDocument } from "../batch-document.ts";
import type { RunTotal } from "./run-total.ts";

/** How a press of Run ended, where nothing was submitted by it. */
export type RunRefusal = { kind: "changed"; count: number } | { kind: "failed"; words: string };

export interface RunBatch {
  /** Checks the prices, agrees to them, and begins. Nothing is submitted where a price turns out to be another. */
  run: (total: RunTotal) => void;
  isChecking: boolean;
  refusal: RunRefusal | undefined;
  dismissRefusal: () => void;
  resume: () => void;
  pause: () => void;
  /** Runs that were not submitted become drafts again. */
  cancelRemaining: () => void;
}

/** What can be done with the batch of the screen as a whole. Money is spent by `run` and `resume` alone. */
export function useRunBatch(): RunBatch {
  const { batch, prices } = useBatchDocument();
  const { runner, where } = useBatches();
  const running = useMutation({
    mutationFn: async (total: RunTotal): Promise<RunRefusal | undefined> => {
      const { changed } = await prices.check(total.ready.map(({ request }) => request));
      if (changed > 0) return { kind: "changed", count: changed };
      await agreeToRun(where, batch.id, total.prices, total.ready);
      for (const { request } of total.ready.slice(0, MAX_REMEMBERED)) rememberPrompt(jobPrompt(request.payload) ?? "");
      void runner.start(batch.id);
      return undefined;
    },
  });
  const cancelling = useMutation({
    mutationFn: async () => {
      runner.pause(batch.id);
      await cancelWaiting(where, batch.id, runner.sendingNow(batch.id));
    },
  });
  const error = running.error ?? cancelling.error;
  return {
    run: (total) => running.mutate(total),
    isChecking: running.isPending,
    refusal: running.data ?? (error ? { kind: "failed", words: failureWords(error) } : undefined),
    dismissRefusal: () => {
      running.reset();
      cancelling.reset();
    },
    resume: () => void runner.start(batch.id),
    pause: () => runner.pause(batch.id),
    cancelRemaining: () => cancelling.mutate(),
  };
}

/** Prompts of a large batch would push all others out of the memory of prompts. */
const MAX_REMEMBERED = 10;

function failureWords(error: Error): string {
  if (error instanceof StorageError) return `${error.message} Nothing was submitted.`;
  const { body, nextStep } = explainError(error, "estimate");
  return `The prices could not be checked, so nothing was submitted. ${body} ${nextStep}`;
}

// What the queue shows: its entries, their order, and which finished jobs the person has seen.
import { useRouterState } from "@tanstack/react-router";
import { create } from "zustand";
import { isFinal, isJobRunning } from "#api/jobs.ts";
import type { JobRequest } from "#api/types.ts";
import { getRunPhase } from "#batch/runner/batch-views.ts";
import type { BatchView } from "#batch/runner/use-batches.ts";
import { isUnderWay, type Upload } from "#media/upload/upload-store.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import type { Run } from "#runs/submit/submissions.ts";
import type { TrackedJob } from "#storage/job-records.ts";

/** When the page was opened. The queue shows jobs that finished since then; earlier ones are in History. */
export const OPENED_AT_MS = Date.now();

/** Finished jobs that the person has looked at, by their ids. */
export const useSeenResults = create<{ seen: ReadonlySet<string> }>(() => ({ seen: new Set() }));

/** Notes that the person has looked at a finished job, which then leaves the queue. */
export function markSeen(requestId: string): void {
  const { seen } = useSeenResults.getState();
  if (!seen.has(requestId)) useSeenResults.setState({ seen: new Set([...seen, requestId]) });
}

/** The model whose form is on the screen, and the job that is shown there, on its own page or in the viewer. */
export interface ShownPlace {
  modelId: string | undefined;
  requestId: string | undefined;
}

/** The model and the job that are on the screen now, from the URL. */
export function useShownPlace(): ShownPlace {
  const key = useRouterState({
    select: ({ matches, location }) => {
      const params: Record<string, unknown> = Object.assign({}, ...matches.map((match) => match.params));
      const search: { job?: unknown; open?: unknown } = matches.at(-1)?.search ?? {};
      const [, screen] = location.pathname.split("/");
      const open = typeof search.open === "string" ? search.open.replace(/~\d+$/, "") : undefined;
      const requestId = screen === "create" ? search.job : screen === "jobs" ? params.requestId : open;
      return JSON.stringify([screen === "create" ? params.modelId : undefined, requestId]);
    },
  });
  const [modelId, requestId]: unknown[] = JSON.parse(key);
  return { modelId: textOrNothing(modelId), requestId: textOrNothing(requestId) };
}

const textOrNothing = (value: unknown) => (typeof value === "string" ? value : undefined);

/** A run that has no job yet: on its way, or without a response. */
export type OpenSubmit = Extract<SubmitState, { phase: "sending" | "retrying" | "unconfirmed" }>;

/** One line of the queue. */
type QueueEntry =
  | { kind: "submit"; key: string; request: JobRequest; state: OpenSubmit }
  | { kind: "job"; key: string; job: TrackedJob; isDone: boolean }
  | { kind: "batch"; key: string; view: BatchView }
  | { kind: "upload"; key: string; upload: Upload };

interface QueueSources {
  /** Newest first. */
  tracked: readonly TrackedJob[];
  /** The runs that a form shows. */
  runs: readonly Run[];
  batches: readonly BatchView[];
  uploads: readonly Upload[];
  /** Finished jobs that the person has looked at. */
  seen: ReadonlySet<string>;
  /** The job on the screen. It stays in the queue until another one is shown. */
  shownId: string | undefined;
  /** Jobs that finished before this are left out. Unix ms. */
  sinceMs: number;
}

/** Phases in which a run of a batch may have a job that runs. */
const UNDER_WAY = new Set(["running", "unconfirmed"]);
/** At most this many finished jobs are listed. */
const MAX_DONE = 10;
/** At most this many running jobs are listed; `more` counts the others. */
const MAX_JOBS = 20;

interface QueueContents {
  entries: QueueEntry[];
  /** Running jobs that are not listed. */
  more: number;
  /** How many entries are under way, for the badge. */
  unfinished: number;
  /** A job runs at the service, or a run is on its way to it. */
  isRunning: boolean;
  /** This tab submits a batch, run after run. That ends with the page. */
  isSubmitting: boolean;
}

/**
 * What the queue shows, in an order that no progress changes: runs without a job, then jobs and batches by the time they
 * began, newest first, then uploads. A job of a batch is inside its batch.
 */
export function queueEntries(sources: QueueSources): QueueContents {
  const { tracked, uploads } = sources;
  const batches = sources.batches.filter(isBatchQueued);
  const inBatches = new Set(
    sources.batches.flatMap(({ items }) =>
      items.flatMap(({ state, earlierJobs = [] }) =>
        state.kind === "sent" ? [state.requestId, ...earlierJobs] : earlierJobs,
      ),
    ),
  );
  const outsideBatches = tracked.filter(({ requestId }) => !inBatches.has(requestId));
  const running = outsideBatches.filter(isJobRunning);
  const done = new Set(outsideBatches.filter((job) => isJustDone(job, sources)).slice(0, MAX_DONE));
  const shown = new Set([...running.slice(0, MAX_JOBS), ...done]);
  const submits = openSubmits(sources);
  const jobsAndBatches = [
    ...outsideBatches
      .filter((job) => shown.has(job))
      .map((job) => ({
        atMs: job.submittedAtMs,
        entry: { kind: "job", key: job.requestId, job, isDone: done.has(job) } as const,
      })),
    ...batches.map((view) => ({
      atMs: view.batch.createdAtMs,
      entry: { kind: "batch", key: view.batch.id, view } as const,
    })),
  ].sort((a, b) => b.atMs - a.atMs);
  return {
    entries: [
      ...submits,
      ...jobsAndBatches.map(({ entry }) => entry),
      ...uploads.filter(isQueued).map((upload) => ({ kind: "upload", key: upload.id, upload }) as const),
    ],
    more: Math.max(0, running.length - MAX_JOBS),
    unfinished:
      submits.length +
      running.length +
      batches.filter(({ sums }) => !sums.isOver).length +
      uploads.filter((upload) => isUnderWay(upload)).length,
    isRunning:
      submits.length + running.length > 0 ||
      batches.some(({ items }) =>
        items.some(({ state }) => state.kind !== "absent" && UNDER_WAY.has(getRunPhase(state))),
      ),
    isSubmitting: batches.some(({ run, sums }) => run.phase === "running" && sums.waiting > 0),
  };
}

/** Whether an upload is listed: not when it is done and the person has seen its URL in the field. */
const isQueued = ({ state }: Upload): boolean => state.phase !== "done" || !state.isSeen;

/** Whether a batch is listed: some of its runs were agreed to, and the person did not dismiss it. */
const isBatchQueued = ({ batch, items, sums }: BatchView): boolean => !batch.isDismissed && sums.drafts < items.length;

/** The runs without a job that are listed. A run of a batch is shown inside its batch instead. */
function openSubmits({ runs, batches }: QueueSources): Extract<QueueEntry, { kind: "submit" }>[] {
  const ofBatches = batches.flatMap(({ items }) => items);
  const intents = new Set(ofBatches.flatMap(({ item }) => [item.intentId, ...(item.earlierIntentIds ?? [])]));
  return runs.flatMap(({ intentId, request, state }) => {
    const isOpen = state.phase === "sending" || state.phase === "retrying" || state.phase === "unconfirmed";
    const isOfBatch = intentId !== undefined && intents.has(intentId);
    if (!isOpen || isOfBatch) return [];
    return [{ kind: "submit", key: `submit ${request.model}`, request, state } as const];
  });
}

/** Whether a job finished since the page was opened and the person has not looked at it, or looks at it now. */
function isJustDone(job: TrackedJob, { seen, shownId, sinceMs }: QueueSources): boolean {
  if (!isFinal(job.status) || job.origin === "imported" || (job.finishedAtMs ?? 0) < sinceMs) return false;
  return !seen.has(job.requestId) || job.requestId === shownId;
}

import { HOME_ORGANISATION, SANDBOX_KEYS } from "./authenticate.ts";
import { createFaultCounter } from "./faults.ts";
import { createJobHistory } from "./job-history.ts";
import { createJobStore } from "./job-store.ts";
import { createLedger } from "./ledger.ts";
import { makeMedia } from "./media/make-media.ts";
import type { MediaEncoders } from "./media/media-encoders.ts";
import type { MediaMaker } from "./media-maker.ts";
import type { Personality } from "./personality.ts";
import { createSandboxClock } from "./sandbox-clock.ts";
import type { SandboxContext } from "./sandbox-context.ts";
import { SandboxError } from "./sandbox-error.ts";
import type { SandboxJob } from "./sandbox-job.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { seededUuid } from "./seeded-ids.ts";
import { createSettings } from "./settings.ts";
import { createUploadStore } from "./upload-store.ts";

/** 1,000 dollars. */
export const OPENING_BALANCE = 1_000_000_000;

/** The state of a new sandbox. What the groups of endpoints bring along is added once they are made. */
export function createContext(options: SandboxOptions): SandboxContext {
  const seed = options.seed ?? 1;
  const clock = createSandboxClock(options.now ?? (() => Date.now()), options.speed ?? 1);
  const ledger = createLedger(options.openingBalanceMicroUsd ?? OPENING_BALANCE);
  const historyUser = SANDBOX_KEYS["sandbox-key"];
  const owner = historyUser?.kind === "valid" ? historyUser.user : HOME_ORGANISATION;
  const jobs = createJobStore(createJobHistory(options.history ?? 0, seed, clock.now(), owner));
  const personalities: Personality[] = [];
  // The start time keeps ids apart between runs: a browser remembers jobs and files of the run before.
  const run = `${seed} ${clock.now()}`;
  let ids = 0;
  return {
    seed,
    clock,
    keys: { ...SANDBOX_KEYS, ...options.keys },
    settings: createSettings(clock, () => personalities.map(({ name }) => name)),
    personalities,
    textModelIds: new Set(),
    ledger,
    jobs,
    uploads: createUploadStore(run),
    faultCounter: createFaultCounter(),
    makeMedia: options.makeMedia ?? mediaMaker(options.media),
    wait: options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    nextId() {
      ids += 1;
      return seededUuid("id", run, ids);
    },
    settle: createSettler(
      () => jobs.all(),
      () => clock.now(),
      ledger.refund,
    ),
  };
}

/** Posts the refund of every job that has failed by now, each once (spec 3: automatically and exactly). */
function createSettler(
  all: () => readonly SandboxJob[],
  now: () => number,
  refund: (id: string, atMs: number) => void,
): () => void {
  let seen = 0;
  let waiting: SandboxJob[] = [];
  return () => {
    const jobs = all();
    for (; seen < jobs.length; seen += 1) {
      const job = jobs[seen];
      if (job?.ending.status === "failed") waiting.push(job);
    }
    const nowMs = now();
    for (const job of waiting) if (job.finishesAtMs <= nowMs) refund(job.requestId, job.finishesAtMs);
    waiting = waiting.filter((job) => job.finishesAtMs > nowMs);
  };
}

function mediaMaker(encoders: MediaEncoders | undefined): MediaMaker {
  if (encoders !== undefined) return (spec) => makeMedia(spec, encoders);
  return () => Promise.reject(new SandboxError(503, "This sandbox was made without media encoders."));
}

import { createRateLimiter } from "./access.ts";
import { answerRequest } from "./answer-request.ts";
import { HOME_ORGANISATION, SANDBOX_KEYS } from "./authenticate.ts";
import { CAPACITY, createBodyReader } from "./capacity.ts";
import { jobEndpoints } from "./endpoints/job-endpoints.ts";
import { mediaEndpoints } from "./endpoints/media-endpoints.ts";
import { modelEndpoints } from "./endpoints/model-endpoints.ts";
import { settingsEndpoints } from "./endpoints/settings-endpoints.ts";
import { submitEndpoints } from "./endpoints/submit-endpoints.ts";
import { uploadEndpoints } from "./endpoints/upload-endpoints.ts";
import { createUploadStore } from "./endpoints/upload-store.ts";
import { createFaultCounter } from "./faults.ts";
import { type Inspection, inspectSandbox, type RequestLogEntry } from "./inspection.ts";
import { createJobHistory } from "./jobs/job-history.ts";
import { createJobStore } from "./jobs/job-store.ts";
import type { SandboxJob } from "./jobs/sandbox-job.ts";
import { createLedger } from "./ledger.ts";
import { makeMedia } from "./media/make-media.ts";
import type { MediaEncoders } from "./media/media-encoders.ts";
import type { MediaMaker } from "./media/media-store.ts";
import { QUIRKS } from "./quirks/queue-quirks.ts";
import type { Quirk } from "./quirks/quirk.ts";
import { createSandboxClock } from "./sandbox-clock.ts";
import type { EndpointGroup, SandboxContext, SandboxOptions } from "./sandbox-context.ts";
import { SandboxError } from "./sandbox-error.ts";
import { seededUuid } from "./seeded-ids.ts";
import { createSettings, type SandboxSettings } from "./settings.ts";
import { textEndpoints } from "./text/text-endpoints.ts";

export interface Sandbox {
  /**
   * Answers every path below `/sandbox/`. A lost reply is `Response.error()`: an adapter over real HTTP must then destroy
   * the connection without an answer, as it must when the body of an answer ends in an error.
   */
  fetch(request: Request): Promise<Response>;
  /** What really happened: money, jobs, requests. For tests and simulations. */
  inspect(): Inspection;
  /** Changes settings while it runs, as `PUT /sandbox/settings` does. Throws on a wrong value. */
  configure(patch: Partial<SandboxSettings>): void;
  /** Gives up the files that were uploaded. Nothing may be asked of it afterwards. */
  close(): void;
}

/** Each group of endpoints; the order is that of matching. */
export const ENDPOINT_GROUPS: readonly ((context: SandboxContext) => EndpointGroup)[] = [
  modelEndpoints,
  submitEndpoints,
  jobEndpoints,
  uploadEndpoints,
  mediaEndpoints,
  textEndpoints,
  settingsEndpoints,
];

/** How many requests the log has; the oldest are dropped. */
const LOGGED_REQUESTS = 10_000;

/**
 * The service of the specification in memory, deterministic from its seed and its clock. What it does not do is listed
 * in `limits.ts` and shown in the studio's Settings.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const context = createContext(options);
  const groups = ENDPOINT_GROUPS.map((make) => make(context));
  for (const id of groups.flatMap((group) => group.textModelIds ?? [])) context.textModelIds.add(id);
  // The quirks of the groups come first, because cutting or hiding an answer must come last.
  context.quirks.push(...groups.flatMap((group) => group.quirks ?? []), ...QUIRKS);
  const { quirks = [], faults = [], rateLimits = {}, tokensPerSecond = null } = options;
  context.settings.change({ quirks, faults, rateLimits, tokensPerSecond });

  const routes = groups.flatMap((group) => group.routes);
  const limiter = createRateLimiter(context.clock.now);
  const log: RequestLogEntry[] = [];
  return {
    async fetch(request) {
      const { response, entry } = await answerRequest({ context, routes, limiter, origin: options.origin }, request);
      log.push(entry);
      if (log.length > LOGGED_REQUESTS) log.shift();
      return response;
    },
    inspect: () => inspectSandbox(context, options.openingBalanceMicroUsd ?? OPENING_BALANCE, log),
    configure: (patch) => context.settings.change({ ...patch }),
    close: () => context.uploads.close(),
  };
}

/** 1,000 dollars. */
const OPENING_BALANCE = 1_000_000_000;

/** The state of a new sandbox. What the groups of endpoints add to it is added once they are made. */
export function createContext(options: SandboxOptions): SandboxContext {
  const seed = options.seed ?? 1;
  const capacity = { ...CAPACITY, ...options.capacity };
  const clock = createSandboxClock(options.now ?? (() => Date.now()), options.speed ?? 1);
  const ledger = createLedger(options.openingBalanceMicroUsd ?? OPENING_BALANCE, capacity.charges);
  const historyUser = SANDBOX_KEYS["sandbox-key"];
  const owner = historyUser?.kind === "valid" ? historyUser.user : HOME_ORGANISATION;
  const jobs = createJobStore(createJobHistory(options.history ?? 0, seed, clock.now(), owner));
  clock.onSpeed((ratio, nowMs) => changePace(jobs.all(), ratio, nowMs));
  const quirks: Quirk[] = [];
  // The start time makes ids differ between runs: a browser remembers jobs and files of the run before.
  const run = `${seed} ${clock.now()}`;
  let ids = 0;
  return {
    seed,
    clock,
    keys: { ...SANDBOX_KEYS, ...options.keys },
    settings: createSettings(clock, () => quirks.map(({ name }) => name)),
    quirks,
    textModelIds: new Set(),
    ledger,
    jobs,
    uploads: createUploadStore(run, {
      capacity,
      ...(options.openFile && { openFile: options.openFile }),
      ...(options.wait && { wait: options.wait }),
    }),
    capacity,
    readText: createBodyReader(capacity),
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

/** Moves the ends of jobs under way: what is left of each then takes `ratio` times as long. */
function changePace(jobs: readonly SandboxJob[], ratio: number, nowMs: number): void {
  for (const job of jobs) {
    if (job.finishesAtMs > nowMs) job.finishesAtMs = nowMs + Math.round((job.finishesAtMs - nowMs) * ratio);
  }
}

/** Posts the refund of every job that has failed by now, each once (spec 3: automatically and exactly). */
function createSettler(
  all: () => readonly SandboxJob[],
  now: () => number,
  refund: (id: string, atMs: number) => void,
): () => void {
  let seen = 0;
  let failing: SandboxJob[] = [];
  return () => {
    const jobs = all();
    for (; seen < jobs.length; seen += 1) {
      const job = jobs[seen];
      if (job?.ending.status === "failed") failing.push(job);
    }
    const nowMs = now();
    for (const job of failing) if (job.finishesAtMs <= nowMs) refund(job.requestId, job.finishesAtMs);
    failing = failing.filter((job) => job.finishesAtMs > nowMs);
  };
}

function mediaMaker(encoders: MediaEncoders | undefined): MediaMaker {
  if (encoders !== undefined) return (spec) => makeMedia(spec, encoders);
  return () => Promise.reject(new SandboxError(503, "This sandbox was made without media encoders."));
}

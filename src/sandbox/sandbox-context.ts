import type { MicroUsd } from "#lib/money.ts";
import type { KeyEntry, Route } from "./authenticate.ts";
import type { Capacity, ReadText } from "./capacity.ts";
import type { OpenFile } from "./endpoints/stored-file.ts";
import type { UploadStore } from "./endpoints/upload-store.ts";
import type { Fault, FaultCounter } from "./faults.ts";
import type { JobStore } from "./jobs/job-store.ts";
import type { Ledger } from "./ledger.ts";
import type { MediaEncoders } from "./media/media-encoders.ts";
import type { MediaMaker } from "./media/media-store.ts";
import type { Quirk } from "./quirks/quirk.ts";
import type { SandboxClock, Speed } from "./sandbox-clock.ts";
import type { RateLimits, SettingsStore } from "./settings.ts";

/** The state of one sandbox, handed to every group of endpoints. */
export interface SandboxContext {
  seed: number;
  clock: SandboxClock;
  keys: Readonly<Record<string, KeyEntry>>;
  settings: SettingsStore;
  ledger: Ledger;
  jobs: JobStore;
  uploads: UploadStore;
  capacity: Capacity;
  /** Reads a body as text, within the capacity. */
  readText: ReadText;
  faultCounter: FaultCounter;
  makeMedia: MediaMaker;
  /** Waits real milliseconds: only quirks and streams do, never a job. */
  wait(ms: number): Promise<void>;
  /** A new id in the form of a UUID: deterministic from the seed, never the same twice. */
  nextId(): string;
  /** Posts the refunds of jobs that have failed by now, so that the ledger is up to date. */
  settle(): void;
  /** Ids of the catalogue of text models (spec 1: the two catalogues are separate), from the groups of endpoints. */
  textModelIds: Set<string>;
  /** Every quirk that can be chosen, in the order in which they apply. */
  quirks: Quirk[];
}

/**
 * A group of endpoints, such as the text endpoints: `textEndpoints(context): EndpointGroup`. Before `handle` is called
 * the sandbox has authenticated the caller, counted the rate limit, checked the pool, read the JSON body (`readsJson`)
 * and raised asked faults; a thrown `SandboxError` becomes the error body of spec 7.
 */
export interface EndpointGroup {
  routes: readonly Route[];
  /** Ids of text models, where the group has them. */
  textModelIds?: readonly string[];
  quirks?: readonly Quirk[];
}

export interface SandboxOptions {
  /** The same seed, clock and requests give the same ids, times and media. Default 1. */
  seed?: number;
  /** The real clock in milliseconds. Default `Date.now`, looked up at each call so that fake timers count. */
  now?: () => number;
  /** How many times as fast as the clock jobs are worked on. Default 1. */
  speed?: Speed;
  /** Origin of the links in answers, such as `http://127.0.0.1:4173`. Default: the origin of each request. */
  origin?: string;
  /** Encoders of the platform. Without them media answers 503. */
  media?: MediaEncoders;
  /** Replaces painting and encoding, for tests that check what is asked for. */
  makeMedia?: MediaMaker;
  /** Every organisation's balance at the start, in micro-USD. Default 1,000 dollars. */
  openingBalanceMicroUsd?: MicroUsd;
  /** Number of finished jobs that `sandbox-key` has from before; up to 100,000 cost next to nothing. Default 0. */
  history?: number;
  /** Names from `quirks/`. */
  quirks?: readonly string[];
  faults?: readonly Fault[];
  rateLimits?: Partial<RateLimits>;
  /** Pace of text answers, 1 to 2,000. Default: the pace of each model. */
  tokensPerSecond?: number;
  /** Default `CAPACITY`. */
  capacity?: Partial<Capacity>;
  /** Opens the place where an upload is stored. Default: Blobs. */
  openFile?: OpenFile;
  /** More keys than `SANDBOX_KEYS`. */
  keys?: Readonly<Record<string, KeyEntry>>;
  /** Waits real milliseconds; only slow answers do. */
  wait?: (ms: number) => Promise<void>;
}

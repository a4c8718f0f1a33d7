import type { KeyEntry, Route } from "./authenticate.ts";
import type { FaultCounter } from "./faults.ts";
import type { JobStore } from "./job-store.ts";
import type { Ledger } from "./ledger.ts";
import type { MediaMaker } from "./media-maker.ts";
import type { Personality } from "./personality.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { SettingsStore } from "./settings.ts";
import type { UploadStore } from "./upload-store.ts";

/** The state of one sandbox, handed to every group of endpoints. */
export interface SandboxContext {
  seed: number;
  clock: SandboxClock;
  keys: Readonly<Record<string, KeyEntry>>;
  settings: SettingsStore;
  ledger: Ledger;
  jobs: JobStore;
  uploads: UploadStore;
  faultCounter: FaultCounter;
  makeMedia: MediaMaker;
  /** Waits real milliseconds: only personalities and streams do, never a job. */
  wait(ms: number): Promise<void>;
  /** A new id in the form of a UUID: deterministic from the seed, never the same twice. */
  nextId(): string;
  /** Posts the refunds of jobs that have failed by now, so that the ledger is up to date. */
  settle(): void;
  /** Ids of the catalogue of text models (spec 1: the two catalogues are separate), from the groups of endpoints. */
  textModelIds: Set<string>;
  /** Every personality that can be chosen, in the order in which they apply. */
  personalities: Personality[];
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
  personalities?: readonly Personality[];
}

import type { MicroUsd } from "#lib/money.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import type { StoreName } from "#storage/keys.ts";
import type { Batch, BatchItem } from "../stored-batches.ts";
import type { RunEffects } from "../submit/effects.ts";
import type { SubmitOrder } from "../submit/run.ts";
import type { Sent } from "./item-states.ts";

/** Why a batch pauses: what became of a run, or a rule of the batch. */
export type PauseReason =
  | SubmitState
  | { phase: "rule"; rule: "failures"; count: number }
  | { phase: "rule"; rule: "limit"; limitMicroUsd: MicroUsd }
  | { phase: "rule"; rule: "star" };

/** What is stored now of a batch. */
export interface Stored {
  /** Undefined where there is none. */
  batch: Batch | undefined;
  sent: Sent;
  /** Jobs with a star. */
  starred: ReadonlySet<string>;
}

/** Everything the runner does to the world. */
export interface BatchEffects extends RunEffects {
  /** Reads a batch and what was sent: all once, and then what is announced. Rejects where the database cannot be read. */
  read(id: string): Promise<Stored>;
  /**
   * The same, with what no tab has announced of the batch, of these intents, and of their jobs: one may have died before it
   * did. Rejects as `read` does.
   */
  readAnew(id: string, intentIds: readonly string[]): Promise<Stored>;
  /** Sends one run as its own intent. Resolves to its state afterwards. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls back after rows of a store changed, in any tab. Returns the way to stop. */
  onChange(store: StoreName, listener: () => void): () => void;
}

/** One run of the runner, from Resume to a pause. */
export interface BatchRun {
  id: string;
  /** False once it was paused: nothing is sent any more. */
  isOn(): boolean;
  /** The intents that are on their way from here, with their runs. */
  sending: Map<string, BatchItem>;
  /** Ends a wait early. */
  wake: { ring(): void; wait(): Promise<void> };
}

/** While it waits, it looks again this often. */
export const AGAIN_MS = 1_500;

/** A wait that ends when something happened. */
export function createWake(): BatchRun["wake"] {
  let ring = () => {};
  let rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return {
    ring: () => {
      ring();
      rung = new Promise<void>((resolve) => {
        ring = resolve;
      });
    },
    wait: () => rung,
  };
}

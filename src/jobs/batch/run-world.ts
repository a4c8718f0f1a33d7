import type { MicroUsd } from "#lib/money.ts";
import type { StoreName } from "#storage/keys.ts";
import type { RowStore } from "#storage/rows.ts";
import type { BatchItem } from "../stored-batches.ts";
import type { SubmitOrder } from "../submit/run.ts";
import type { SubmitState } from "../submit/submit-state.ts";

/** Why a batch pauses: what became of a run, or a rule of the batch. */
export type PauseReason =
  | SubmitState
  | { phase: "rule"; rule: "failures"; count: number }
  | { phase: "rule"; rule: "limit"; limitMicroUsd: MicroUsd }
  | { phase: "rule"; rule: "star" };

export interface BatchWorld {
  accountId: string;
  rows: RowStore;
  sleep(ms: number): Promise<void>;
  nowMs(): number;
  /** Sends one run as its own intent. Resolves to its state afterwards. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls back after rows of a store changed, in any tab. Returns the way to stop. */
  onChange(store: StoreName, listener: () => void): () => void;
  locks: {
    tryHold<T>(name: string, work: () => Promise<T>): Promise<{ held: true; result: T } | { held: false }>;
  };
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

/** A wait that ends when something happened. Never throws. */
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

// What the runner of batches needs, and what it knows of one batch while it runs.
import type { createAlarm } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import type { RunEffects } from "#runs/submit/effects.ts";
import type { SubmitOrder } from "#runs/submit/run.ts";
import type { StoreName } from "#storage/keys.ts";
import type { Batch, BatchItem } from "#storage/stored-batches.ts";
import type { Sent } from "./item-states.ts";

/** Why a batch pauses: what became of a run, or a rule of the batch. */
export type PauseReason =
  | Extract<SubmitState, { phase: "rejected" | "unconfirmed" | "not-sent" }>
  /** The storage failed before a run or after it: what became of that run is not known here. */
  | { phase: "storage-failed" }
  | { phase: "rule"; rule: "failures"; count: number }
  | { phase: "rule"; rule: "limit"; limitMicroUsd: MicroUsd }
  | { phase: "rule"; rule: "star" };

/** A batch as it is stored now, with what was sent. */
export interface Stored {
  /** Undefined where the batch was deleted. */
  batch: Batch | undefined;
  /** The intents and jobs of the account, to be looked up. */
  sent: Sent;
  /** Jobs with a star. */
  starred: ReadonlySet<string>;
}

/** What the runner of batches needs of the browser. */
export interface BatchEffects extends RunEffects {
  /**
   * Reads a batch and what was sent. The first call reads all rows, later ones those that a tab announced as changed. Rejects
   * where the database cannot be read.
   */
  read(id: string): Promise<Stored>;
  /**
   * The same, and reads the batch, these intents and their jobs by key: a tab may have died after it changed them and before it
   * announced that. Rejects as `read` does.
   */
  readAnew(id: string, intentIds: readonly string[]): Promise<Stored>;
  /** Sends one run as its own intent. Resolves to its state afterwards. Rejects where the lock of its model cannot be asked for. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls back after rows of a store changed, in any tab. Returns the way to stop. */
  onChange(store: StoreName, listener: () => void): () => void;
}

/** What a batch does in this tab from Resume to a pause. */
export interface BatchRun {
  id: string;
  /** False once it was paused: nothing is sent any more. */
  isOn(): boolean;
  /** The intents that this tab is submitting, with their runs. `run-lanes.ts` adds and removes them. */
  sending: Map<string, BatchItem>;
  /** Ends a wait early. */
  alarm: ReturnType<typeof createAlarm>;
}

/** So often a batch that waits reads again, and a model that was busy is tried again. */
export const AGAIN_MS = 1_500;

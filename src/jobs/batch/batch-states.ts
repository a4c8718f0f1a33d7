import { isFinal } from "#api/job-status.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import type { OutboxRow } from "../submit/outbox-row.ts";
import type { Batch, BatchItem } from "./batch-row.ts";

/** Where one lined-up run stands, told from the record alone: exactly what was sent, whatever page sent it. */
export type ItemState =
  | { kind: "waiting" }
  | { kind: "sending" }
  | { kind: "sent"; requestId: string; isRunning: boolean }
  | { kind: "unconfirmed" }
  /** Looked for, and no job was found. */
  | { kind: "absent" }
  | { kind: "refused"; message: string };

export interface ItemView {
  item: BatchItem;
  state: ItemState;
}

function stateOf(row: OutboxRow | undefined, statusOf: (requestId: string) => string | undefined): ItemState {
  switch (row?.state) {
    case undefined:
    case "not-sent":
      return { kind: "waiting" };
    case "sending":
    case "retrying":
      return { kind: "sending" };
    case "accepted": {
      const [requestId = ""] = row.requestIds;
      return { kind: "sent", requestId, isRunning: !isFinal(statusOf(requestId) ?? "queued") };
    }
    case "unconfirmed":
      return { kind: "unconfirmed" };
    case "absent":
      return { kind: "absent" };
    case "rejected":
      return { kind: "refused", message: row.refusal?.message ?? "" };
  }
}

/** Every item of a batch with its state. */
export function viewItems(batch: Batch, outbox: readonly OutboxRow[], tracked: readonly TrackedJob[]): ItemView[] {
  const rows = new Map(outbox.map((row) => [row.intentId, row]));
  const statuses = new Map(tracked.map(({ requestId, status }) => [requestId, status]));
  return batch.items.map((item) => ({
    item,
    state: stateOf(rows.get(item.intentId), (requestId) => statuses.get(requestId)),
  }));
}

/** What a batch comes to: how many wait, and what they would cost together. */
export function batchSums(views: readonly ItemView[]): { waiting: number; sent: number; waitingMicroUsd: number } {
  const waiting = views.filter(({ state }) => state.kind === "waiting");
  return {
    waiting: waiting.length,
    sent: views.filter(({ state }) => state.kind === "sent").length,
    waitingMicroUsd: waiting.reduce((total, { item }) => total + item.priceMicroUsd, 0),
  };
}

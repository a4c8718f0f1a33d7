import { abortableDelay } from "#lib/delay.ts";
import { onChange } from "#storage/changes.ts";
import type { RowStore } from "#storage/rows.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { OutboxRow } from "../submit/submit-state.ts";
import type { SentRow } from "./item-states.ts";

/** What batches need of the outbox. Fits `useSyncExternalStore`; nothing here throws or rejects. */
export interface LiveOutbox {
  snapshot(): readonly SentRow[];
  /** Whether the rows were read, or could not be: until then the snapshot is that of no rows. */
  isRead(): boolean;
  subscribe(listener: () => void): () => void;
}

export interface OutboxWorld {
  rows: RowStore;
  accountId: string;
  /** The intents that this page is sending for batches. */
  sendingNow(): Iterable<string>;
  onChange: typeof onChange;
  sleep(ms: number): Promise<void>;
  nowMs(): number;
}

/** The world of this browser. */
export const browserWorld = { onChange, sleep: (ms: number) => abortableDelay(ms), nowMs: () => performance.now() };

/** All rows are read again at the earliest after this long, and after so many times as long as it took to read them. */
const WHOLE_AGAIN_MS = 1_000;
const REST_FACTOR = 20;
/** While this page sends, almost every write is its own: all rows are read again this seldom. */
const WHOLE_WHILE_SENDING_MS = 60_000;

const withoutLists = ({ intentId, state, priceMicroUsd, requestIds, refusal }: OutboxRow): SentRow => ({
  intentId,
  state,
  priceMicroUsd,
  requestIds,
  refusal,
});

const isSame = (a: SentRow, b: SentRow) =>
  a.state === b.state && a.priceMicroUsd === b.priceMicroUsd && a.requestIds.join() === b.requestIds.join();

/** States that a row leaves without this page sending anything. */
const OPEN = new Set<SentRow["state"]>(["sending", "retrying", "unconfirmed", "absent"]);

/**
 * The outbox of an account, for batches of thousands of runs. Each row holds the list of jobs that were there before, so that
 * all of them are megabytes: after each write only those are read that this page sends, or whose outcome is open. What other
 * pages sent is found a little later, by reading all of them again at leisure.
 */
export function createLiveOutbox(world: OutboxWorld): LiveOutbox {
  const { rows, accountId } = world;
  let known = new Map<string, SentRow>();
  let shown: readonly SentRow[] = [];
  let isRead = false;
  let reading = false;
  let again = false;
  let wholeIsDue = false;
  let restsUntilMs = 0;
  let isWaiting = false;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();

  function show(next: Map<string, SentRow>): void {
    const isEqual =
      next.size === known.size &&
      [...next.values()].every((row) => {
        const before = known.get(row.intentId);
        return before !== undefined && isSame(before, row);
      });
    if (isEqual && isRead) return;
    known = next;
    shown = [...next.values()];
    isRead = true;
    for (const listener of listeners) listener();
  }

  async function readWhole(): Promise<void> {
    const fromMs = world.nowMs();
    const all = await readAll(rows, outboxRows, accountId).catch(() => undefined);
    show(all ? new Map(all.map((row) => [row.intentId, withoutLists(row)])) : known);
    restsUntilMs = world.nowMs() + Math.max(WHOLE_AGAIN_MS, REST_FACTOR * (world.nowMs() - fromMs));
  }

  /** What is put off is done once it may be, also where nothing is written any more. */
  function waitForWhole(): void {
    if (isWaiting || !stop) return;
    isWaiting = true;
    void world.sleep(Math.max(WHOLE_AGAIN_MS, restsUntilMs - world.nowMs())).then(() => {
      isWaiting = false;
      if (wholeIsDue && stop) void (mayReadWhole() ? read() : waitForWhole());
    });
  }

  function mayReadWhole(): boolean {
    if (!isRead) return true;
    const now = world.nowMs();
    const isSending = new Set(world.sendingNow()).size > 0;
    return now >= restsUntilMs + (isSending ? WHOLE_WHILE_SENDING_MS : 0);
  }

  async function readOpen(): Promise<void> {
    const open = [...known.values()].filter(({ state }) => OPEN.has(state));
    const asked = [...new Set([...world.sendingNow(), ...open.map(({ intentId }) => intentId)])];
    const found = await Promise.all(asked.map((id) => readOne(rows, outboxRows, id))).catch(() => undefined);
    if (!found) return;
    const next = new Map(known);
    for (const row of found) if (row) next.set(row.intentId, withoutLists(row));
    show(next);
  }

  async function read(): Promise<void> {
    again = reading;
    if (reading) return;
    reading = true;
    if (wholeIsDue && mayReadWhole()) {
      wholeIsDue = false;
      await readWhole();
    } else {
      if (wholeIsDue) waitForWhole();
      await readOpen();
    }
    reading = false;
    if (again) await read();
  }

  function begin(): void {
    wholeIsDue = true;
    stop = world.onChange("outbox", () => {
      wholeIsDue = true;
      void read();
    });
    void read();
  }

  return {
    snapshot: () => shown,
    isRead: () => isRead,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) begin();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

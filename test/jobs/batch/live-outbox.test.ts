import { describe, expect, test } from "vitest";
import { createLiveOutbox } from "#jobs/batch/live-outbox.ts";
import { outboxChange } from "#jobs/submit/outbox.ts";
import type { OutboxState } from "#jobs/submit/submit-state.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { outboxRow } from "../../setup/outbox-row.ts";
import { settled } from "../../simulation/sim-world.ts";
import { createVirtualTime } from "../../simulation/virtual-time.ts";

/** An outbox of these rows, and what of it was read. */
async function openOutbox(first: Record<string, OutboxState>) {
  const rows = createMemoryRows();
  const time = createVirtualTime();
  const sending = new Set<string>();
  const listeners = new Set<() => void>();
  const reads = { whole: 0, single: [] as string[] };
  const write = async (states: Record<string, OutboxState>) => {
    const changes = Object.entries(states).map(([intentId, state]) =>
      // One slot for each model.
      outboxChange("key", outboxRow({ intentId, state, request: { model: intentId, payload: {} } })),
    );
    await rows.edit({ store: "outbox", key: "" }, () => ({ changes, result: undefined }));
    for (const listener of listeners) listener();
    await settled();
  };
  await write(first);
  const outbox = createLiveOutbox({
    rows: {
      ...rows,
      get: (store, key) => {
        reads.single.push(key);
        return rows.get(store, key);
      },
      all: (store, accountId) => {
        reads.whole += 1;
        return rows.all(store, accountId);
      },
    },
    accountId: "key",
    sendingNow: () => sending,
    onChange: (_store, listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    nowMs: time.nowMs,
    sleep: (ms) => new Promise((resolve) => time.after(ms, () => resolve())),
  });
  let told = 0;
  const stop = outbox.subscribe(() => {
    told += 1;
  });
  await settled();
  const states = () => Object.fromEntries(outbox.snapshot().map(({ intentId, state }) => [intentId, state]));
  const pass = async (ms: number) => {
    const untilMs = time.nowMs() + ms;
    time.after(ms, () => {});
    do await settled();
    while (time.step(untilMs));
    await settled();
  };
  return { outbox, write, sending, reads, states, pass, stop, told: () => told, listeners };
}

describe("what batches see of the outbox", () => {
  test("is read as a whole once, and then only what this page sends or what is open", async () => {
    const { write, sending, reads, states, outbox } = await openOutbox({ old: "accepted", lost: "unconfirmed" });
    expect(outbox.isRead()).toBe(true);
    expect(states()).toEqual({ old: "accepted", lost: "unconfirmed" });
    for (let index = 0; index < 50; index += 1) {
      sending.add(`run-${index}`);
      await write({ [`run-${index}`]: "sending" });
      expect(states()[`run-${index}`]).toBe("sending");
      await write({ [`run-${index}`]: "accepted" });
      sending.delete(`run-${index}`);
      expect(states()[`run-${index}`]).toBe("accepted");
    }
    await write({ lost: "accepted" });
    expect(states().lost).toBe("accepted");
    expect(reads.whole).toBe(1);
    // Never a row that is settled.
    expect(reads.single).not.toContain("old");
    expect(reads.single.length).toBeLessThan(250);
  });

  test("finds what another page sent, at leisure, and not less while this one sends", async () => {
    const { write, sending, reads, states, pass } = await openOutbox({ old: "accepted" });
    await write({ elsewhere: "sending" });
    expect(states().elsewhere).toBeUndefined();
    await pass(2_000);
    expect(states().elsewhere).toBe("sending");
    await write({ elsewhere: "accepted" });
    expect(states().elsewhere).toBe("accepted");
    const before = reads.whole;
    sending.add("mine");
    await write({ another: "accepted" });
    await pass(30_000);
    expect(reads.whole).toBe(before);
    await pass(60_000);
    expect(states()).toMatchObject({ another: "accepted" });
    // Also the last write of a page that has just sent all of its own.
    await write({ third: "accepted" });
    sending.delete("mine");
    await pass(3_000);
    expect(states()).toMatchObject({ third: "accepted" });
  });

  test("is told only where something of it changed", async () => {
    const { write, told, outbox, stop, listeners, pass } = await openOutbox({ lost: "unconfirmed" });
    const before = outbox.snapshot();
    expect(told()).toBe(1);
    await write({ lost: "unconfirmed" });
    await pass(5_000);
    expect(told()).toBe(1);
    expect(outbox.snapshot()).toBe(before);
    stop();
    expect(listeners.size).toBe(0);
  });
});

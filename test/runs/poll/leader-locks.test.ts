import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leaseLeaderLock } from "#runs/poll/leadership.ts";
import { openRows } from "#storage/database.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

beforeEach(() => {
  freshDatabase();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
});
afterEach(() => vi.useRealTimers());

/** Resolves when every write that was begun is done: writes to one store are made in the order of their beginning. */
async function answered(): Promise<void> {
  const rows = await openRows();
  await rows.edit({ store: "settings", key: "barrier" }, () => ({ changes: [], result: undefined }));
}

async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds; step += 5) {
    vi.advanceTimersByTime(5_000);
    await answered();
  }
}

function claim(steal = false) {
  const log: string[] = [];
  const giveUp = leaseLeaderLock("watch").claim({
    steal,
    onLead: () => log.push("lead"),
    onLost: () => log.push("lost"),
  });
  return { log, giveUp };
}

// P7
test("a lease in the database has one holder, and passes on when released", async () => {
  const first = claim();
  await answered();
  const second = claim();
  await pass(10);
  expect([first.log, second.log]).toEqual([["lead"], []]);
  first.giveUp();
  await answered();
  await pass(10);
  expect(second.log).toEqual(["lead"]);
  second.giveUp();
});

// P7
test("another tab leads within 25 s when one crashes with its lease", async () => {
  const dead = leaseLeaderLock("watch", () => Date.now());
  const log: string[] = [];
  const stopTimer = vi.spyOn(globalThis, "setInterval").mockReturnValueOnce(0 as never);
  dead.claim({ steal: false, onLead: () => log.push("lead"), onLost: () => {} });
  stopTimer.mockRestore();
  await answered();
  expect(log).toEqual(["lead"]);
  const second = claim();
  await pass(25);
  expect(second.log).toEqual(["lead"]);
  second.giveUp();
});

// P7
test("a visible tab takes the lease from a silent one, which then follows", async () => {
  const first = claim();
  await answered();
  const second = claim(true);
  await answered();
  await pass(10);
  expect(first.log).toEqual(["lead", "lost"]);
  expect(second.log).toEqual(["lead"]);
  first.giveUp();
  second.giveUp();
});

test("a lease that is given up while it is being written keeps no other tab waiting", async () => {
  const first = claim();
  first.giveUp();
  await answered();
  const second = claim();
  await pass(5);
  expect([first.log, second.log]).toEqual([[], ["lead"]]);
  second.giveUp();
});

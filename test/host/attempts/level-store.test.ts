import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { type Attempt, RETENTION_MS } from "#host/attempts/attempt-store.ts";
import { createAttemptStore } from "#host/attempts/create-attempt-store.ts";
import { type LevelDatabase, openLevelDatabase } from "#host/attempts/level-database.ts";
import { createLevelStore, type LevelStoreOptions } from "#host/attempts/level-store.ts";

let parent: string;
let folder: string;
let reported: string[];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "safelight-level-"));
  folder = join(parent, "attempts");
  reported = [];
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function open(options: Partial<LevelStoreOptions> = {}) {
  const store = createLevelStore({ folder: () => folder, report: (line) => reported.push(line), ...options });
  onTestFinished(() => store.close());
  return store;
}

const attempt: Attempt = { fingerprint: "f", owner: "host", run: 1, state: { kind: "sent" } };

it("writes nothing before it is needed", async () => {
  const store = open();
  expect(existsSync(folder)).toBe(false);
  await store.memoryId();
  expect(existsSync(folder)).toBe(true);
});

it("refuses while another host has the folder, and not afterwards", async () => {
  const first = open();
  await first.add("a", attempt);
  const second = open();
  const refusal = "Another Safelight server already uses this data folder.";
  await expect(second.add("b", attempt)).rejects.toThrow(refusal);
  await expect(second.memoryId()).rejects.toThrow(refusal);
  expect(reported).toEqual([`The data folder ${folder} cannot be used (LEVEL_LOCKED).`]);
  await first.close();
  expect((await second.add("a", attempt)).kind).toBe("known");
});

it("refuses where no folder can be made, and works once it can", async () => {
  writeFileSync(folder, "in the way");
  const store = open();
  await expect(store.add("a", attempt)).rejects.toThrow(/^The Safelight server cannot use its data folder \(E\w+\)\./);
  rmSync(folder);
  expect(await store.add("a", attempt)).toEqual({ kind: "added" });
});

it("opens the folder again after a write that failed", async () => {
  let isFull = false;
  let opened = 0;
  const openDatabase = async (path: string): Promise<LevelDatabase> => {
    const database = await openLevelDatabase(path);
    opened += 1;
    let isBroken = false;
    const write: LevelDatabase["write"] = async (...all) => {
      isBroken ||= isFull;
      if (isBroken) throw Object.assign(new Error(), { code: "ENOSPC" });
      await database.write(...all);
    };
    return { ...database, write, isBroken: () => isBroken };
  };
  const store = open({ openDatabase });
  await store.add("a", attempt);
  isFull = true;
  await expect(store.add("b", attempt)).rejects.toThrow("cannot use its data folder (ENOSPC)");
  await expect(store.add("b", attempt)).rejects.toThrow("cannot use its data folder (ENOSPC)");
  isFull = false;
  expect(await store.add("b", attempt)).toEqual({ kind: "added" });
  expect((await store.add("a", attempt)).kind).toBe("known");
  expect(opened).toBe(3);
});

// M13
it("counts the 24 hours over restarts, whatever the clock of the process begins with", async () => {
  let nowMs = 0;
  const first = open({ elapsedMs: () => nowMs });
  await first.add("a", attempt);
  nowMs += RETENTION_MS - 1000;
  await first.add("b", attempt);
  await first.close();
  nowMs = 5_000_000;
  const second = open({ elapsedMs: () => nowMs });
  await second.memoryId();
  nowMs += 900;
  expect((await second.get("a"))?.run).toBe(1);
  nowMs += 100;
  expect(await second.get("a")).toBeUndefined();
  expect((await second.get("b"))?.run).toBe(1);
});

it("has what was written at once, and all of it after being opened again", async () => {
  const database = await openLevelDatabase(folder);
  const written = Array.from({ length: 100 }, (_, at) =>
    database.write([{ key: `k${at % 10}`, value: `v${at}` }], { sync: at % 2 === 0 }),
  );
  expect(database.get("k9")?.toString()).toBe("v99");
  await Promise.all(written);
  await database.write([{ key: "k0", value: null }], { sync: false });
  await database.close();
  const again = await openLevelDatabase(folder);
  onTestFinished(() => again.close());
  expect(again.get("k0")).toBeUndefined();
  expect(await again.list("k", 2)).toEqual([
    ["k1", "v91"],
    ["k2", "v92"],
  ]);
});

it("takes a folder for each port, and for a random one a temporary folder that it removes", async () => {
  const named = createAttemptStore({ port: 4173, dataFolder: folder, redisUrl: undefined });
  await named.memoryId();
  await named.close();
  expect(existsSync(join(folder, "attempts-4173"))).toBe(true);
  rmSync(folder, { recursive: true });
  const random = createAttemptStore({ port: 0, dataFolder: folder, redisUrl: undefined });
  await random.add("a", attempt);
  await random.close();
  expect(existsSync(folder)).toBe(false);
});

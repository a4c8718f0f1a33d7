import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it } from "vitest";
import { seenFinished } from "#jobs/archive/seen-finished.ts";
import { announceChanges } from "#storage/changes.ts";
import { writeIndex } from "#storage/seen-jobs.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const now = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const media = [{ id: "0", kind: "image", url: "https://files.example/a.png" }];
const job = (requestId: string, over: Record<string, unknown> = {}) => ({
  requestId,
  model: "m",
  status: "success",
  prompt: "",
  media,
  createdAtSeconds: now - DAY,
  ...over,
});

beforeEach(freshDatabase);

describe("finished jobs from elsewhere that History has seen", () => {
  it("are those whose files the service still has", async () => {
    const stored = [
      job("a"),
      job("failed", { status: "failed", media: [] }),
      job("expired", { createdAtSeconds: now - 61 * DAY }),
      job("deleted", { media: [] }),
      job("lean", { media: [], lacksOutcome: true }),
      job("other"),
      { requestId: 7 },
    ];
    await writeIndex("account", new Map([[0, stored]]), {});
    const found = await seenFinished("account", ({ requestId }) => requestId !== "other");
    expect(found.map(({ requestId }) => requestId)).toEqual(["a", "lean"]);
    expect(await seenFinished("another", () => true)).toEqual([]);
  });

  it("are read again once the index has changed", async () => {
    await writeIndex("account", new Map([[0, [job("a")]]]), {});
    expect(await seenFinished("account", () => true)).toHaveLength(1);
    await writeIndex("account", new Map([[0, [job("a"), job("b")]]]), {});
    announceChanges({ seen: "all" });
    expect(await seenFinished("account", () => true)).toHaveLength(2);
  });
});

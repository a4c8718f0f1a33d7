import { waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { HistoryEntry } from "#screens/history/history-entry.ts";
import { createJobIndex } from "#screens/history/search/job-index.ts";
import { CHUNK, createSeenJobs } from "#screens/history/search/seen-jobs.ts";
import { readEntry, storedEntry } from "#screens/history/search/seen-rows.ts";
import { openSandboxMedia } from "../../../media/sandbox-media.ts";
import { someEntry } from "../some-entry.ts";

const entry = (place: number, over: Partial<HistoryEntry> = {}) =>
  someEntry(`job-${place}`, {
    prompt: `Prompt ${place}`,
    payload: { prompt: `Prompt ${place}` },
    createdAtSeconds: 1_700_000_000 - place,
    ...over,
  });
const many = (count: number) => Array.from({ length: count }, (_, place) => entry(place));

describe("the jobs seen so far", () => {
  it("are held once, newest first, in any order of reading", () => {
    const seen = createSeenJobs();
    seen.note([entry(3), entry(1)]);
    seen.note([entry(2), entry(1), entry(0)]);
    expect(seen.entries().map((one) => one.requestId)).toEqual(["job-0", "job-1", "job-2", "job-3"]);
    expect(seen.texts()[2]).toContain("prompt 2");
  });

  it("have their texts made in small portions, and again after a change", () => {
    const seen = createSeenJobs([many(600)]);
    let asked = 0;
    expect(seen.makeTexts(() => asked++ > 0)).toBe(false);
    expect(seen.makeTexts(() => false)).toBe(true);
    expect(seen.texts()).toHaveLength(600);
    seen.note([entry(600)]);
    expect(seen.texts()[600]).toContain("prompt 600");
  });

  it("take a new status, and keep a price that no record has", () => {
    const seen = createSeenJobs([[entry(0, { status: "queued", priceMicroUsd: 5 })]]);
    expect([...seen.note([entry(0)])]).toEqual([0]);
    expect(seen.entries()[0]).toMatchObject({ status: "success", priceMicroUsd: 5 });
    expect([...seen.note([entry(0)])]).toEqual([]);
  });

  it("report which records of the database changed", () => {
    const seen = createSeenJobs();
    expect([...seen.note(many(CHUNK * 2 + 1))]).toEqual([0, 1, 2]);
    expect([...seen.note([entry(CHUNK, { status: "failed" })])]).toEqual([1]);
  });

  it("leave out what is too large to keep a hundred thousand of", () => {
    const inline = { id: "0", kind: "image", url: `data:image/png;base64,${"A".repeat(5000)}` } as const;
    const stored = storedEntry(entry(0, { media: [inline], payload: { image: "x".repeat(9000) } }));
    expect(stored).toMatchObject({ media: [], payload: undefined, prompt: "Prompt 0" });
  });

  it.each([null, 7, [], {}, { requestId: 1, status: "success" }])("are none when read back as %j", (raw) => {
    expect(readEntry(raw)).toBeUndefined();
  });

  it("are unchanged after JSON", () => {
    const full = entry(1, {
      media: [{ id: "0", kind: "video", url: "https://x.example/a.mp4", width: 4, height: 3 }],
      priceMicroUsd: 1,
    });
    expect(readEntry(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });
});

describe("the index of a key", () => {
  let sandbox: ReturnType<typeof openSandboxMedia> | undefined;
  afterEach(() => sandbox?.close());

  it("reads all jobs on request, stores them, and opens them after a restart", async () => {
    sandbox = openSandboxMedia({ history: 1300 });
    const index = createJobIndex("account-a");
    await index.readAll(sandbox.api);
    expect(index.state()).toMatchObject({ phase: "ready", isComplete: true, error: undefined });
    expect(index.state().entries).toHaveLength(1300);

    const again = createJobIndex("account-a");
    await waitFor(() => expect(again.state().phase).toBe("ready"));
    expect(again.state().entries.map((one) => one.requestId)).toEqual(
      index.state().entries.map((one) => one.requestId),
    );
    expect(again.state().isComplete).toBe(true);

    const other = createJobIndex("account-b");
    await waitFor(() => expect(other.state().phase).toBe("ready"));
    expect(other.state().entries).toHaveLength(0);
  });

  it("includes jobs seen before it opens", async () => {
    const index = createJobIndex("account-c");
    index.note([entry(1)]);
    await waitFor(() => expect(index.state().entries).toHaveLength(1));
    expect(index.state().isComplete).toBe(false);
  });

  it("reports why reading ended early, and holds what was read", async () => {
    sandbox = openSandboxMedia({ history: 1300, faults: [{ endpoint: "list", status: 403 }] });
    const index = createJobIndex("account-d");
    await index.readAll(sandbox.api);
    expect(index.state().error).toMatchObject({ status: 403 });
    sandbox.sandbox.configure({ faults: [] });
    await index.readAll(sandbox.api);
    expect(index.state().entries).toHaveLength(1300);
  });
});

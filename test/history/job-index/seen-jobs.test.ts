import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createJobIndex } from "#history/job-index/job-index.ts";
import { CHUNK, createSeenJobs, indexedRecord, joinRow } from "#history/job-index/seen-jobs.ts";
import {
  isComplete,
  isWhole,
  placeFrom,
  placeOfVisit,
  reachSeconds,
  readPlace,
  START,
} from "#runs/job-list/job-pages.ts";
import { type JobRecord, newRecord, readStoredJob } from "#storage/job-records.ts";
import { someJob } from "../../setup/some-job.ts";
import { until } from "../../setup/until.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const entry = (place: number, over: Partial<JobRecord> = {}) =>
  someJob(`job-${place}`, {
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
    const stored = indexedRecord(
      entry(0, { media: [inline], payload: { prompt: "Prompt 0", image: "x".repeat(9000) } }),
    );
    expect(stored).toMatchObject({ media: [], payload: undefined, prompt: "Prompt 0" });
  });

  it.each([null, 7, [], {}, { requestId: 1, status: "success" }])("are none when read back as %j", (raw) => {
    expect(readStoredJob(raw)).toBeUndefined();
  });

  it("are unchanged after JSON", () => {
    const full = entry(1, {
      media: [{ id: "0", kind: "video", url: "https://x.example/a.mp4", width: 4, height: 3 }],
      priceMicroUsd: 1,
    });
    expect(readStoredJob(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });
});

describe("what this browser knows of jobs in the index", () => {
  beforeEach(freshDatabase);
  const row = newRecord({ requestId: "job-1", origin: "answered", submittedAtMs: 1, priceMicroUsd: 7 });
  const opened = async (accountId: string) => {
    const index = createJobIndex(accountId);
    await until(() => expect(index.store.getState().isOpen).toBe(true));
    return index;
  };

  it("is their price and what was sent, whichever was there first, also after a restart", async () => {
    const sent = { ...row, payload: { prompt: "Hen" } };
    const lean = entry(1, { payload: undefined, lacksOutcome: true });
    const known = { priceMicroUsd: 7, payload: { prompt: "Hen" }, status: "success" };
    const first = await opened("account-own");
    first.note([entry(0), lean]);
    first.noteOwn([sent]);
    expect(first.get("job-1")).toMatchObject(known);
    expect(first.store.getState().entries).toHaveLength(2);

    const second = await opened("account-own-2");
    second.noteOwn([sent]);
    expect(second.store.getState().entries).toEqual([]);
    second.note([lean]);
    expect(second.get("job-1")).toMatchObject(known);
    const restarted = async () => expect((await opened("account-own-2")).get("job-1")).toMatchObject(known);
    await vi.waitFor(restarted);
  });

  it("is the end that it saw, and never that the service has lost a job that its list still has", async () => {
    const index = await opened("account-end");
    index.note([entry(1, { status: "queued" })]);
    index.noteOwn([{ ...row, status: "gone" }]);
    expect(index.get("job-1")?.status).toBe("queued");
    index.noteOwn([{ ...row, status: "failed", failureReason: "Why." }]);
    expect(index.get("job-1")).toMatchObject({ status: "failed", failureReason: "Why." });
  });

  it("is whatever a single record told, also of a job beyond its bound, and with files that came inline", async () => {
    const media = [{ id: "0", kind: "image", url: "data:image/png;base64,AAAA" } as const];
    const index = await opened("account-read");
    index.note([entry(1, { payload: undefined, media: [], lacksOutcome: true })]);
    index.noteRead([entry(1, { media }), entry(90_000, { media })]);
    expect(index.get("job-1")).toMatchObject({ media, payload: { prompt: "Prompt 1" } });
    expect(index.get("job-90000")).toMatchObject({ media });
    // A list that tells less takes nothing away.
    index.note([entry(1, { payload: undefined, media: [], lacksOutcome: true })]);
    expect(index.get("job-1")).toMatchObject({ media, payload: { prompt: "Prompt 1" } });
    index.note([entry(1, { payload: undefined, media: [] })]);
    expect(index.get("job-1")).toMatchObject({ media });
  });

  it("is asked of the rows that changed alone", async () => {
    const index = await opened("account-many");
    index.note(many(100));
    let reads = 0;
    const rows = many(100).map((one) => ({
      ...newRecord({ requestId: one.requestId, origin: "answered", submittedAtMs: 1 }),
      get priceMicroUsd() {
        reads += 1;
        return 7;
      },
    }));
    index.noteOwn(rows);
    const first = reads;
    expect(first).toBeGreaterThanOrEqual(100);
    index.noteOwn([
      { ...newRecord({ requestId: "job-0", origin: "answered", submittedAtMs: 1 }), priceMicroUsd: 8 },
      ...rows.slice(1),
    ]);
    expect(reads).toBe(first);
  });
});

describe("where an index goes on reading", () => {
  beforeEach(freshDatabase);
  afterEach(() => void vi.useRealTimers());
  const page = (first: number, count: number, over: Partial<JobRecord> = {}) => ({
    jobs: many(first + count)
      .slice(first)
      .map((job) => ({ ...job, ...over })),
    total: 5000,
  });

  it("is what came since, unless the newest page has just been read: the same page noted again is no other", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
    const index = createJobIndex("account-head");
    await index.opened;
    const head = { ...page(0, 100), hasMore: false };
    index.noteHead(head, 100);
    index.beginVisit(1_700_000_000);
    expect(isComplete(index.place())).toBe(true);
    vi.setSystemTime(1_700_000_060_000);
    index.noteHead(head, 100);
    index.beginVisit(1_700_000_060);
    expect(index.place().gaps).toEqual([{ before: undefined, after: 1_700_000_000 - 60 }]);
  });

  it("is not moved by the newest page in the middle of a list without times", async () => {
    const index = createJobIndex("account-middle");
    await index.opened;
    const untimed = { createdAtSeconds: undefined };
    const head = page(0, 100, untimed);
    index.noteHead(head, 100);
    const place = index.place();
    expect(place).toMatchObject({ isUntimed: true, offset: 100 });
    index.notePage(place, { ...page(100, 1000, untimed), place: { ...place, offset: 1100 } }, 1_700_000_000);
    const next = page(0, 100, untimed);
    index.noteHead(next, 100);
    expect(index.place().offset).toBe(1100);
  });
});

describe("a listed job with what this browser's row knows", () => {
  const row = newRecord({ requestId: "job-1", origin: "answered", submittedAtMs: 1, priceMicroUsd: 7 });

  it("keeps the time of the list, and its order where the list tells none", () => {
    const own = { ...row, status: "success", createdAtSeconds: 90 };
    expect(joinRow(own, entry(1, { createdAtSeconds: undefined }))).toMatchObject({ priceMicroUsd: 7 });
    expect(joinRow(own, entry(1, { createdAtSeconds: undefined })).createdAtSeconds).toBeUndefined();
    const late = joinRow({ ...own, createdAtSeconds: undefined }, entry(1, { status: "queued", createdAtSeconds: 90 }));
    expect(late).toMatchObject({ status: "success", createdAtSeconds: 90 });
    expect(joinRow(undefined, row)).toBe(row);
  });
});

describe("the newest jobs of a large account", () => {
  it("are indexed up to a bound, and the rest is left to the service", () => {
    const seen = createSeenJobs([many(3000)]);
    expect(seen.trim(1000)).toEqual(new Set([0, 1, 2]));
    expect(seen.size()).toBe(1000);
    expect(seen.entries().at(-1)?.requestId).toBe("job-999");
    expect(seen.chunk(1)).toEqual([]);
    expect(seen.has("job-1000")).toBe(false);
  });

  it("leave the place with the second from which all is known", () => {
    const place = { ...START, gaps: [{ before: 500, after: undefined }], newestSeconds: 900 };
    expect(reachSeconds(START)).toBe(Number.POSITIVE_INFINITY);
    expect(reachSeconds(place)).toBe(500);
    const bounded = placeFrom(place, 500);
    expect([isComplete(bounded), isWhole(bounded), reachSeconds(bounded)]).toEqual([true, false, 500]);
    expect(readPlace(JSON.parse(JSON.stringify(bounded)))).toEqual(bounded);
    // What came since is still read.
    expect(placeOfVisit(bounded).gaps).toEqual([{ before: undefined, after: 840 }]);
    expect(reachSeconds(placeOfVisit(bounded))).toBe(500);
  });
});

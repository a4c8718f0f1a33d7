import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { EARLIER, layoutList } from "#history/list-layout.ts";
import { findDays, mergeJobs, serviceQuestion } from "#history/use-listing.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { someJob } from "../setup/some-job.ts";

// (spec 4.1)
describe("what the service can answer of a search", () => {
  it.each([
    [{}, {}],
    [
      { model: "m", status: "failed" },
      { model_id: "m", status: ["failed"] },
    ],
    [{ q: "type:video status:failed" }, { model_type: ["video"], status: ["failed"] }],
    [{ q: "status:done" }, { status: ["success"] }],
    [
      { q: "after:2026-11-01", type: "image" },
      { model_type: ["image"], created_after: new Date(2026, 10, 1).getTime() / 1000 },
    ],
  ])("is all of %j", (search, params) => {
    expect(serviceQuestion(search)).toEqual({ params, isExact: true });
  });

  it.each([
    [{ q: "fox" }, {}],
    [{ q: "is:starred type:video" }, { model_type: ["video"] }],
    [{ q: "-status:failed" }, {}],
    [{ q: "status:failed", status: "success" }, { status: ["success"] }],
    [{ q: "status:dispatched" }, {}],
    [{ q: "cost>0.5 after:2026-02-31" }, {}],
  ])("is a part of %j", (search, params) => {
    expect(serviceQuestion(search)).toEqual({ params, isExact: false });
  });
});

const job = (place: number, over: Partial<JobRecord> = {}) =>
  someJob(`job-${place}`, { createdAtSeconds: 10_000 - place, ...over });
const jobs = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => job(from + place));
const WHOLE = Number.NEGATIVE_INFINITY;

function merge(found: JobRecord[], listed: JobRecord[], reachSeconds = WHOLE) {
  const known = new Map(found.map((entry) => [entry.requestId, entry]));
  return mergeJobs({ found, listed, reachSeconds, known: (id) => known.get(id) });
}
const ids = (entries: readonly JobRecord[]) => entries.map(({ requestId }) => Number(requestId.slice(4)));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);

describe("one list of index and service", () => {
  it("has each job once, newest first", () => {
    expect(ids(merge(jobs(3, 20), [...jobs(0, 10), ...jobs(15, 30)]))).toEqual(range(0, 30));
  });

  it("holds back what the index knows beyond a stretch that is not read", () => {
    // Read down to job 9; of 50 to 59 it knows only by chance.
    const found = [...jobs(0, 10), ...jobs(50, 60)];
    expect(ids(merge(found, jobs(0, 5), 10_000 - 9))).toEqual(range(0, 10));
  });

  it("grows at its end alone while the index is filled", () => {
    const page = jobs(0, 100);
    let before: readonly JobRecord[] = [];
    for (const read of [0, 40, 100, 400, 1000]) {
      const reach = read === 0 ? Number.POSITIVE_INFINITY : 10_000 - (read - 1);
      const now = merge(jobs(0, read), page, reach);
      expect(ids(now).slice(0, before.length)).toEqual(ids(before));
      before = now;
    }
    expect(before).toHaveLength(1000);
  });

  it("shows what the service says now, and the index's own object where nothing is new", () => {
    const found = [job(0, { status: "queued" }), job(1, { priceMicroUsd: 7 })];
    const merged = merge(found, [job(0), job(1)]);
    expect(merged[0]?.status).toBe("success");
    expect(merged[1]).toBe(found[1]);
  });

  it("follows the service's order where records carry no times", () => {
    const untimed = (place: number) => job(place, { createdAtSeconds: undefined });
    const found = [1, 2, 3, 0].map(untimed);
    expect(ids(merge(found, [0, 1].map(untimed)))).toEqual([0, 1, 2, 3]);
    // While it is not all read, nobody knows what lies between.
    expect(ids(merge(found, [0, 1].map(untimed), Number.POSITIVE_INFINITY))).toEqual([0, 1]);
  });
});

const NOW = new Date(2026, 10, 20, 12).getTime();
const HOUR = 3600;

/** A service whose records tell no times, though its filters know them. */
function untimed(ages: Record<string, number>) {
  const calls: JobListParams[] = [];
  const listJobs = async (params: JobListParams) => {
    calls.push(params);
    const { created_after: after = 0, created_before: before = Number.POSITIVE_INFINITY } = params;
    const jobs = Object.entries(ages)
      .filter(([, hours]) => NOW / 1000 - hours * HOUR >= after && NOW / 1000 - hours * HOUR < before)
      .slice(0, 1000)
      .map(([requestId]) => ({ requestId }) as Job);
    return { jobs, total: undefined };
  };
  return { api: { listJobs }, calls };
}
const day = (back: number) => new Date(2026, 10, 20 - back).getTime() / 1000;

describe("days of jobs whose records have no time", () => {
  it("are found day by day, no further back than needed", async () => {
    const { api, calls } = untimed({ a: 1, b: 11, c: 13, d: 50, e: 51, f: 400 });
    const days = await findDays({
      api,
      client: new QueryClient(),
      ids: ["a", "b", "c", "d"],
      filters: { model_id: "m" },
      nowSeconds: NOW / 1000,
    });
    expect(Object.fromEntries(days)).toEqual({ a: day(0), b: day(0), c: day(1), d: day(2) });
    expect(calls.length).toBeLessThanOrEqual(4);
    expect(calls.every((params) => params.model_id === "m")).toBe(true);
  });

  it("are found in halves of a day with more jobs than one answer holds", async () => {
    const many = Object.fromEntries(Array.from({ length: 2600 }, (_, place) => [`job-${place}`, place / 220]));
    const { api, calls } = untimed(many);
    const days = await findDays({
      api,
      client: new QueryClient(),
      ids: ["job-1", "job-1500", "job-2599"],
      filters: {},
      nowSeconds: NOW / 1000,
    });
    expect(Object.fromEntries(days)).toEqual({ "job-1": day(0), "job-1500": day(0), "job-2599": day(0) });
    expect(calls.length).toBeLessThan(10);
  });

  it("are asked for once where a day is over, however often they are looked for", async () => {
    const { api, calls } = untimed({ a: 1, b: 30, c: 55 });
    const client = new QueryClient();
    const find = (ids: string[]) => findDays({ api, client, ids, filters: {}, nowSeconds: NOW / 1000 });
    await find(["a", "b"]);
    expect(calls).toHaveLength(2);
    expect(Object.fromEntries(await find(["b", "c"]))).toEqual({ b: day(1), c: day(2) });
    // Today once more, and one day further back.
    expect(calls).toHaveLength(4);
  });

  it("call an old job only earlier", async () => {
    const { api, calls } = untimed({ a: 1, f: 2400 });
    const days = await findDays({
      api,
      client: new QueryClient(),
      ids: ["a", "f"],
      filters: {},
      nowSeconds: NOW / 1000,
    });
    expect(days.get("f")).toBe(EARLIER);
    expect(calls).toHaveLength(14);
  });

  // M13
  it("are asked for by the service's clock, whatever this device's says", async () => {
    const asked: JobListParams[][] = [];
    for (const aheadMs of [0, 3, -3].map((days) => days * 24 * HOUR * 1000)) {
      vi.useFakeTimers({ toFake: ["Date"], now: NOW + aheadMs });
      const { api, calls } = untimed({ a: 1, b: 60, f: 2400 });
      await findDays({ api, client: new QueryClient(), ids: ["a", "b", "f"], filters: {}, nowSeconds: NOW / 1000 });
      asked.push(calls);
      vi.useRealTimers();
    }
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).toEqual(asked[0]);
  });

  it("are used for the list's headings only", () => {
    const entry = (requestId: string, daySeconds: number) => someJob(requestId, { daySeconds });
    const entries = [...["a", "b", "c", "d"].map((id) => entry(id, day(0))), entry("e", day(1)), entry("f", EARLIER)];
    const lines = layoutList([...entries, ...["g", "h", "i", "j", "k", "l"].map((id) => entry(id, EARLIER))], {
      density: "table",
      width: 800,
      nowMs: NOW,
    });
    const days = lines.filter((line) => line.kind === "day");
    expect(days.map(({ label, first, end }) => [label, first, end])).toEqual([
      ["Today", 0, 4],
      ["Yesterday", 4, 5],
      ["Earlier", 5, 12],
    ]);
  });
});

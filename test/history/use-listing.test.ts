import { describe, expect, it } from "vitest";
import { mergeJobs, serviceQuestion } from "#history/use-listing.ts";
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

import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { EARLIER, findDays } from "#history/job-days.ts";
import { layoutList } from "#history/list-layout.ts";
import { someJob } from "../setup/some-job.ts";

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

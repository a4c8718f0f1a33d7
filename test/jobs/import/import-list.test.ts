import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { cutOffImport, type ImportProgress, importNextJobs, NOTHING_IMPORTED } from "#jobs/import/import-list.ts";
import { openRows, reopenRows } from "#storage/database.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

beforeEach(freshDatabase);
afterEach(reopenRows);

const NOON = 1_795_000_000;

interface ServiceOptions {
  /** Seconds before noon at which jobs were made. */
  ages: readonly number[];
  /** Most jobs of one answer, whatever is asked for. */
  cap?: number;
  isTimed?: boolean;
  unit?: "items" | "pages";
  isOldestFirst?: boolean;
  total?: "true" | "none" | "page";
  /** Whether `created_before` takes its own second along. */
  isInclusive?: boolean;
}

function service(options: ServiceOptions) {
  const { ages, cap = 1000, isTimed = true, unit = "items", total = "true", isInclusive = false } = options;
  const sorted = ages.map((age, place) => ({ id: `job-${place}`, second: NOON - age }));
  sorted.sort((a, b) => (options.isOldestFirst ? a.second - b.second : b.second - a.second));
  const calls: JobListParams[] = [];
  const listJobs = async (params: JobListParams) => {
    calls.push(params);
    const limit = Math.min(cap, params.limit ?? 20);
    const before = params.created_before ?? Number.POSITIVE_INFINITY;
    const found = sorted.filter(({ second }) => second < before || (isInclusive && second === before));
    const from = (params.offset ?? 0) * (unit === "pages" ? limit : 1);
    const jobs = found.slice(from, from + limit).map(
      ({ id, second }): Job => ({
        requestId: id,
        model: "m",
        status: "success",
        media: [],
        payload: undefined,
        createdAtSeconds: isTimed ? second : undefined,
        updatedAtSeconds: undefined,
        failureReason: undefined,
        raw: {},
      }),
    );
    const count = total === "true" ? found.length : total === "page" ? jobs.length : undefined;
    return { jobs, total: count };
  };
  return { api: { listJobs }, calls };
}

async function importAll(api: Parameters<typeof importNextJobs>[0]): Promise<ImportProgress> {
  let progress = NOTHING_IMPORTED;
  for (let page = 0; progress.next !== undefined; page += 1) {
    if (page > 100) throw new Error("It never ends.");
    progress = await importNextJobs(api, "a", progress);
  }
  return progress;
}

const ageList = (count: number) => Array.from({ length: count }, (_, place) => place * 3);
const stored = async () => (await (await openRows()).all("jobs", "a")).length;

// P14, P25.
describe("the import of a job list", () => {
  test("reads a thousand jobs with one call, and known jobs add nothing", async () => {
    const { api, calls } = service({ ages: ageList(1_200) });
    const first = await importNextJobs(api, "a", NOTHING_IMPORTED);
    expect(first).toMatchObject({ read: 1_000, added: 1_000, total: 1_200 });
    expect(calls).toHaveLength(1);
    expect(await importNextJobs(api, "a", NOTHING_IMPORTED)).toMatchObject({ read: 1_000, added: 0 });
    expect(await importNextJobs(api, "a", first)).toMatchObject({ read: 1_200, added: 1_200, next: undefined });
    expect(await stored()).toBe(1_200);
  });

  test.each<[string, Partial<ServiceOptions>]>([
    ["newest first, with times", { cap: 100 }],
    ["with an inclusive bound", { isInclusive: true, cap: 100 }],
    ["without times", { isTimed: false, cap: 100 }],
    ["oldest first", { isOldestFirst: true, cap: 100 }],
    // Here only a whole answer says that there may be more.
    ["without times, counting pages", { isTimed: false, unit: "pages" }],
    ["without a total", { total: "none" }],
    ["with the total of the page", { total: "page" }],
  ])("reads a list %s to its end", async (_name, options) => {
    const { cap = 1_000 } = options;
    const all = cap + 135;
    const { api } = service({ ages: ageList(all), ...options });
    const first = await importNextJobs(api, "a", NOTHING_IMPORTED);
    expect(first).toMatchObject({ read: cap, added: cap });
    expect(first.next).toBeDefined();
    expect(await importAll(api)).toMatchObject({ read: all, added: 135 });
    expect(await stored()).toBe(all);
  });

  test("reads each job once, however many were made in one second", async () => {
    const ages = fc.array(fc.nat(40), { maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(ages, fc.boolean(), fc.boolean(), async (found, isInclusive, isTimed) => {
        freshDatabase();
        const counts = new Map<number, number>();
        const spread = found.filter((age) => {
          counts.set(age, (counts.get(age) ?? 0) + 1);
          return (counts.get(age) ?? 0) <= 8;
        });
        const { api } = service({ ages: spread, cap: 20, isInclusive, isTimed });
        expect(await importAll(api)).toMatchObject({ read: spread.length, added: spread.length });
        expect(await stored()).toBe(spread.length);
      }),
      { numRuns: cases(30, 300) },
    );
  });

  test("is one call where the list is short", async () => {
    const { api, calls } = service({ ages: ageList(30) });
    expect(await importAll(api)).toMatchObject({ read: 30, added: 30, next: undefined });
    expect(calls).toHaveLength(1);
  });

  test("is known as cut off after a restart, and goes on where it was", async () => {
    const { api, calls } = service({ ages: ageList(1_500) });
    expect(await cutOffImport("a")).toBeUndefined();
    await importNextJobs(api, "a", NOTHING_IMPORTED);
    reopenRows();
    const before = await cutOffImport("a");
    expect(before).toMatchObject({ read: 1_000, added: 1_000, total: 1_500 });
    await importNextJobs(api, "a", before ?? NOTHING_IMPORTED);
    expect(calls.at(-1)).toEqual({ limit: 1_000, created_before: NOON - 999 * 3 + 1 });
    expect(await cutOffImport("a")).toBeUndefined();
    expect(await stored()).toBe(1_500);
  });

  test("cut off while it is written, counts what was written and then the rest", async () => {
    const { api } = service({ ages: ageList(450) });
    const heard: ImportProgress[] = [];
    const isOut = (progress: ImportProgress) => {
      heard.push(progress);
      if (heard.length === 2) throw new Error("closed");
    };
    await expect(importNextJobs(api, "a", NOTHING_IMPORTED, isOut)).rejects.toThrow("closed");
    const before = await cutOffImport("a");
    expect(before).toMatchObject({ read: 200, added: 200 });
    expect(await importNextJobs(api, "a", before ?? NOTHING_IMPORTED)).toMatchObject({ read: 450, added: 450 });
    expect(await stored()).toBe(450);
  });
});

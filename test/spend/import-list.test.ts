import "fake-indexeddb/auto";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { cutOffImport, type ImportProgress, importNextJobs, NOTHING_IMPORTED } from "#spend/import-list.ts";
import { openRows, reopenRows } from "#storage/database.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { readImportBefore } from "../storage/rows-of-before.ts";

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
  total?: "true" | "none" | "page" | "of all times";
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
    const counts = { true: found.length, page: jobs.length, "of all times": sorted.length, none: undefined };
    return { jobs, total: counts[total] };
  };
  return { asker: { api: { listJobs }, client: new QueryClient() }, calls };
}

async function importAll(asker: Parameters<typeof importNextJobs>[0]): Promise<ImportProgress> {
  let progress = NOTHING_IMPORTED;
  for (let page = 0; progress.place !== undefined; page += 1) {
    if (page > 100) throw new Error("It never ends.");
    progress = await importNextJobs(asker, "a", progress);
  }
  return progress;
}

const ageList = (count: number) => Array.from({ length: count }, (_, place) => place * 3);
const stored = async () => (await (await openRows()).all("jobs", "a")).length;

// P14, P25.
describe("the import of a job list", () => {
  test("reads a thousand jobs with one call, and known jobs add nothing", async () => {
    const { asker, calls } = service({ ages: ageList(1_200) });
    const first = await importNextJobs(asker, "a", NOTHING_IMPORTED);
    expect(first).toMatchObject({ read: 1_000, added: 1_000, total: 1_200 });
    expect(calls).toHaveLength(1);
    expect(await importNextJobs(asker, "a", NOTHING_IMPORTED)).toMatchObject({ read: 1_000, added: 0 });
    expect(await importNextJobs(asker, "a", first)).toMatchObject({ read: 1_200, added: 1_200, place: undefined });
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
    const { asker } = service({ ages: ageList(all), ...options });
    const first = await importNextJobs(asker, "a", NOTHING_IMPORTED);
    expect(first).toMatchObject({ read: cap, added: cap });
    expect(first.place).toBeDefined();
    expect(await importAll(asker)).toMatchObject({ read: all, added: 135 });
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
        const { asker } = service({ ages: spread, cap: 20, isInclusive, isTimed });
        expect(await importAll(asker)).toMatchObject({ read: spread.length, added: spread.length });
        expect(await stored()).toBe(spread.length);
      }),
      { numRuns: cases(30, 300) },
    );
  });

  test("is at its end where the total is that of all times", async () => {
    const { asker } = service({ ages: ageList(1_500), total: "of all times" });
    const first = await importNextJobs(asker, "a", NOTHING_IMPORTED);
    expect(first).toMatchObject({ read: 1_000, total: 1_500 });
    expect(await importNextJobs(asker, "a", first)).toMatchObject({ read: 1_500, place: undefined });
  });

  test("counts each job once where older records have no times", async () => {
    const { api, client } = service({ ages: ageList(450), cap: 100 }).asker;
    const listJobs = async (params: JobListParams) => {
      const { jobs, total } = await api.listJobs(params);
      const hasTime = ({ createdAtSeconds = 0 }: Job) => createdAtSeconds > NOON - 250 * 3;
      return { jobs: jobs.map((job) => (hasTime(job) ? job : { ...job, createdAtSeconds: undefined })), total };
    };
    expect(await importAll({ api: { listJobs }, client })).toMatchObject({ read: 450, added: 450 });
  });

  test("is one call where the list is short", async () => {
    const { asker, calls } = service({ ages: ageList(30) });
    expect(await importAll(asker)).toMatchObject({ read: 30, added: 30, place: undefined });
    expect(calls).toHaveLength(1);
  });

  test("is known as cut off after a restart, and goes on where it was", async () => {
    const { asker, calls } = service({ ages: ageList(1_500) });
    expect(await cutOffImport("a")).toBeUndefined();
    await importNextJobs(asker, "a", NOTHING_IMPORTED);
    reopenRows();
    const before = await cutOffImport("a");
    expect(before).toMatchObject({ read: 1_000, added: 1_000, total: 1_500 });
    await importNextJobs(asker, "a", before ?? NOTHING_IMPORTED);
    expect(calls.at(-1)).toEqual({ limit: 1_000, created_before: NOON - 999 * 3 + 1 });
    expect(await cutOffImport("a")).toBeUndefined();
    expect(await stored()).toBe(1_500);
  });

  test("cut off while it is written, counts what was written and then the rest", async () => {
    const { asker } = service({ ages: ageList(450) });
    const heard: ImportProgress[] = [];
    const isOut = (progress: ImportProgress) => {
      heard.push(progress);
      if (heard.length === 2) throw new Error("closed");
    };
    await expect(importNextJobs(asker, "a", NOTHING_IMPORTED, isOut)).rejects.toThrow("closed");
    const before = await cutOffImport("a");
    expect(before).toMatchObject({ read: 200, added: 200 });
    expect(await importNextJobs(asker, "a", before ?? NOTHING_IMPORTED)).toMatchObject({ read: 450, added: 450 });
    expect(await stored()).toBe(450);
  });

  test.each([
    ["by time", {}, { before: NOON - 999 * 3 + 1, skip: 1_000, read: 1_000, atBound: ["job-999"] }],
    ["by number", { isTimed: false }, { skip: 1_000, read: 1_000, atBound: [] }],
  ])("goes on %s where the version before left it", async (_name, options, next) => {
    const { asker } = service({ ages: ageList(1_500), ...options });
    const body = { read: 1_000, added: 1_000, total: 1_500, next };
    const row = { key: "import|a", scope: "a", v: 1, body };
    const rows = await openRows();
    await rows.edit({ store: "settings", key: row.key }, () => ({
      changes: [{ kind: "put", store: "settings", row }],
      result: undefined,
    }));
    const before = await cutOffImport("a");
    expect(before).toMatchObject({ read: 1_000, added: 1_000, total: 1_500 });
    expect(await importNextJobs(asker, "a", before ?? NOTHING_IMPORTED)).toMatchObject({
      read: 1_500,
      added: 1_500,
      place: undefined,
    });
    expect(await stored()).toBe(500);
  });

  test("is read by the version before as one that is at its end, which can begin anew", async () => {
    const { asker } = service({ ages: ageList(1_500) });
    await importNextJobs(asker, "a", NOTHING_IMPORTED);
    const row = await (await openRows()).get("settings", "import|a");
    expect(readImportBefore(row?.body)).toEqual({ read: 1_000, added: 1_000, total: 1_500, next: undefined });
  });

  test("ends where the service gives the same page for ever, and counts each job once", async () => {
    const { api, client } = service({ ages: ageList(1_500), total: "none" }).asker;
    const deaf = { client, api: { listJobs: () => api.listJobs({ limit: 1_000 }) } };
    expect(await importAll(deaf)).toMatchObject({ read: 1_000, added: 1_000 });
  });
});

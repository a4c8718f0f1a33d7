import { describe, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { findOffsetUnit } from "#jobs/offset-unit.ts";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { LIST_QUIRKS } from "#sandbox/quirks/list-quirks.ts";
import { readAllJobs, readOf } from "#screens/history/search/read-all.ts";
import {
  isComplete,
  NOTHING_READ,
  planAfterPage,
  planOfVisit,
  type ReadPlan,
  readPlan,
} from "#screens/history/search/read-plan.ts";
import { createSeenJobs } from "#screens/history/search/seen-jobs.ts";
import { openMemorySandbox } from "../../../api/memory-sandbox.ts";
import { cases } from "../../../setup/cases.ts";
import { withKey } from "../../../setup/with-key.ts";

const noRest = () => Promise.resolve();

/** A list of jobs with times, as the specification words it; `before` is exclusive or not, which it leaves open. */
function service(ids: { id: string; at: number | undefined }[], { isInclusive = false, pages = false } = {}) {
  const calls: JobListParams[] = [];
  const jobs = [...ids];
  const listJobs: Api["listJobs"] = async (params) => {
    calls.push(params);
    const { limit = 20, offset = 0, created_after: after, created_before: before } = params;
    const listed = jobs
      .filter(({ at }) => after === undefined || (at ?? 0) >= after)
      .filter(({ at }) => before === undefined || (isInclusive ? (at ?? 0) <= before : (at ?? 0) < before))
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
    const from = pages ? offset * limit : offset;
    return { jobs: listed.slice(from, from + limit).map(toJob), total: undefined };
  };
  return { calls, jobs, api: { listJobs } };
}

const toJob = ({ id, at }: { id: string; at: number | undefined }): Job => ({
  requestId: id,
  model: "m",
  status: "success",
  media: [],
  payload: undefined,
  createdAtSeconds: at,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
});

const past = (count: number, perSecond = 1) =>
  Array.from({ length: count }, (_, place) => ({
    id: `job-${place}`,
    at: 1_700_000_000 - Math.floor(place / perSecond),
  }));

interface Reading {
  seen: Map<string, number>;
  plan: ReadPlan;
}

async function read(api: Pick<Api, "listJobs">, over: Partial<Parameters<typeof readAllJobs>[0]> = {}, from?: Reading) {
  const reading = from ?? { seen: new Map<string, number>(), plan: NOTHING_READ };
  await readAllJobs({
    api,
    plan: reading.plan,
    signal: new AbortController().signal,
    wait: noRest,
    offsetUnit: async () => "items",
    onPage: (jobs) => {
      const fresh = jobs.filter((job) => !reading.seen.has(job.requestId)).length;
      for (const { requestId } of jobs) reading.seen.set(requestId, (reading.seen.get(requestId) ?? 0) + 1);
      return fresh;
    },
    onPlan: (plan) => {
      reading.plan = plan;
      return plan;
    },
    ...over,
  });
  return reading;
}

describe("reading every job into the index", () => {
  it.each([true, false])("loses none, with an inclusive `created_before` (%s) or not", async (isInclusive) => {
    const { api, calls } = service(past(7500, 3), { isInclusive });
    const { seen, plan } = await read(api);
    expect(seen.size).toBe(7500);
    expect(isComplete(plan)).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(9);
  });

  it("loses none while jobs are added before each page", async () => {
    const { api, calls, jobs } = service(past(12_000));
    let arrived = 0;
    const arriving = {
      listJobs: (params: JobListParams) => {
        jobs.push({ id: `new-${arrived}`, at: 1_700_000_001 + arrived++ });
        return api.listJobs(params);
      },
    };
    const reading = await read(arriving);
    reading.plan = planOfVisit(reading.plan);
    await read(arriving, {}, reading);
    expect(reading.seen.size).toBe(12_000 + arrived);
    expect(calls.length).toBeLessThanOrEqual(15);
  });

  it("continues where it stopped, and reads the jobs added meanwhile", async () => {
    const { api, jobs } = service(past(5000));
    const controller = new AbortController();
    const reading: Reading = { seen: new Map(), plan: NOTHING_READ };
    let pages = 0;
    const stopping = read(
      {
        listJobs: (params) => {
          if (++pages > 2) controller.abort();
          return api.listJobs(params);
        },
      },
      { signal: controller.signal, wait: async (_, signal) => signal.throwIfAborted() },
      reading,
    );
    await expect(stopping).rejects.toMatchObject({ name: "AbortError" });
    expect(reading.seen.size).toBeLessThan(5000);
    for (let place = 0; place < 2500; place++) jobs.push({ id: `new-${place}`, at: 1_700_000_100 + place });
    // As stored in the database and read back.
    reading.plan = planOfVisit(readPlan(JSON.parse(JSON.stringify(reading.plan))) ?? NOTHING_READ);
    await read(api, {}, reading);
    expect(reading.seen.size).toBe(7500);
  });

  it.each(["items", "pages"] as const)("reads records without times by an offset that counts %s", async (unit) => {
    const untimed = past(3500).map((job) => ({ ...job, at: undefined }));
    const { api } = service(untimed, { pages: unit === "pages" });
    const { seen, plan } = await read(api, { offsetUnit: async () => unit });
    expect(seen.size).toBe(3500);
    expect(isComplete(plan)).toBe(true);
  });

  it("ends although one second holds more jobs than a page", async () => {
    const { api, calls } = service([...past(1500, 1500), { id: "older", at: 1_600_000_000 }]);
    const { seen } = await read(api);
    expect(seen.has("older")).toBe(true);
    expect(calls.length).toBeLessThan(8);
  });

  // (spec 7)
  it("waits after 429, 502 and 503, and ends on other errors", async () => {
    const { api } = service(past(2500));
    const failing = (status: number, times: number) => {
      let left = times;
      return {
        listJobs: (params: JobListParams) =>
          left-- > 0 ? Promise.reject(new RefusedError({ status, message: "" })) : api.listJobs(params),
      };
    };
    for (const status of [429, 502, 503]) expect((await read(failing(status, 4))).seen.size).toBe(2500);
    await expect(read(failing(401, 1))).rejects.toMatchObject({ status: 401 });
    await expect(read(failing(429, 99))).rejects.toMatchObject({ status: 429 });
  });

  // `CASES=100000` reads the whole of it: so many jobs take the sandbox some seconds.
  const COUNT = cases(3_000, 20_000);
  it("reads a long history once while a job is added each second", async () => {
    let nowMs = Date.UTC(2026, 10, 1);
    const sandbox = createSandbox({ history: COUNT, now: () => nowMs });
    const api = createApi(
      withKey({
        queueBaseUrl: "http://sandbox.test/sandbox/api/v1/queue",
        inferenceBaseUrl: "http://sandbox.test/sandbox",
        key: "sandbox-key",
        fetch: (input, init) => sandbox.fetch(new Request(input, init)),
      }),
    );
    let lists = 0;
    const arriving = {
      listJobs: async (params: JobListParams) => {
        lists++;
        nowMs += 1000;
        await api.submit({ model: "lumen-2", payload: { prompt: `Arrival ${lists}` } });
        return api.listJobs(params);
      },
    };
    const index = createSeenJobs();
    const intoIndex = {
      onPage: (jobs: Job[]) => {
        const fresh = jobs.filter((job) => !index.has(job.requestId)).length;
        index.note(jobs);
        return fresh;
      },
    };
    const reading = await read(arriving, intoIndex);
    reading.plan = planOfVisit(reading.plan);
    await read(arriving, intoIndex, reading);
    const ids = index.entries().map((entry) => entry.requestId);
    expect(new Set(ids).size).toBe(COUNT + lists);
    expect(ids).toHaveLength(COUNT + lists);
    // One for each page, one more while jobs arrive, and the second visit.
    expect(lists).toBeLessThanOrEqual(1.25 * (COUNT / 1000) + 4);
  });
});

describe("a list in pages", () => {
  it.each([
    [{ total: 50 }, 3, false],
    // It is the total of all times.
    [{ total: 50 }, 0, true],
    [{ total: 3 }, 3, true],
    [{ total: undefined }, 3, true],
    [{ total: undefined, next: { cursor: "c" } }, 3, false],
    [{ total: undefined, hasMore: true }, 0, false],
    [{ total: 50, hasMore: false }, 3, true],
  ])("with %j ends after a short page with %i new jobs: %s", (told, fresh, isLast) => {
    const jobs = past(3).map(toJob);
    expect(readOf({ jobs, ...told }, 10, fresh).isLast).toBe(isLast);
    expect(readOf({ ...told, jobs: [] }, 10, 0).isLast).toBe(true);
  });

  const LISTS = [
    ...LIST_QUIRKS.map(({ name }) => [name]),
    ["list-by-cursor", "list-enveloped", "lean-list"],
    ["list-by-cursor", "untimed-records"],
    ["list-by-cursor", "lean-list", "untimed-records"],
    ["offset-in-pages", "list-with-has-more"],
    ["offset-in-pages", "untimed-records"],
    ["list-bare", "untimed-records"],
  ];

  it.each(LISTS.map((quirks) => [quirks.join(", "), quirks] as const))("is read whole: %s", async (_, quirks) => {
    for (const history of [130, 1300]) {
      const memory = openMemorySandbox({ history, quirks: [...quirks] });
      let lists = 0;
      const listJobs: Api["listJobs"] = (params, signal) => {
        if (++lists > 50) throw new Error("The list is read without end.");
        return memory.api.listJobs(params, signal);
      };
      const api = { listJobs };
      const { seen, plan } = await read(api, { offsetUnit: () => findOffsetUnit(api) });
      expect([seen.size, isComplete(plan)]).toEqual([history, true]);

      // As History does: the newest page is there already, and smaller than those that follow.
      const head = await api.listJobs({ limit: 100 });
      const reading = {
        seen: new Map(head.jobs.map(({ requestId }) => [requestId, 1])),
        plan: planAfterPage(planOfVisit(NOTHING_READ), readOf(head, 100, head.jobs.length)),
      };
      await read(api, { offsetUnit: () => findOffsetUnit(api) }, reading);
      expect([reading.seen.size, isComplete(reading.plan)]).toEqual([history, true]);
    }
  });
});

describe("a stored plan", () => {
  it.each([null, {}, { gaps: [], offset: "0", isUntimed: false }, { gaps: [null], offset: 0, isUntimed: false }])(
    "that is invalid, %j, starts again",
    (raw) => {
      expect(readPlan(raw)).toBeUndefined();
    },
  );
});

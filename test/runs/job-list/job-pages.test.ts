import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import { mayRetryRead } from "#api/retry-policy.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { matchingFiles } from "#history/bulk-download.ts";
import { createSeenJobs } from "#history/job-index/seen-jobs.ts";
import type { ReadingPlace } from "#runs/job-list/job-pages.ts";
import { isComplete, placeAfter, placeOfVisit, readJobPage, readPlace, START } from "#runs/job-list/job-pages.ts";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { LIST_QUIRKS } from "#sandbox/quirks/list-quirks.ts";
import { openMemorySandbox } from "../../api/memory-sandbox.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { withKey } from "../../setup/with-key.ts";
import { type ListOptions, listOf, past, toJob } from "./list-of.ts";

interface Reading {
  seen: Map<string, number>;
  place: ReadingPlace;
}

interface ReadOptions {
  from?: Reading;
  onJobs?: (jobs: Job[]) => void;
}

/** Reads a list to its end. */
async function read(api: Pick<Api, "listJobs">, { from, onJobs }: ReadOptions = {}) {
  const reading = from ?? { seen: new Map<string, number>(), place: START };
  const context = { client: new QueryClient(), signal: new AbortController().signal };
  while (!isComplete(reading.place)) {
    const page = await readJobPage(reading.place, { api, known: () => reading.seen }, context);
    for (const { requestId } of page.jobs) reading.seen.set(requestId, (reading.seen.get(requestId) ?? 0) + 1);
    onJobs?.(page.jobs);
    reading.place = page.place;
  }
  return reading;
}

describe("reading every job of a list", () => {
  it.each([true, false])("loses none, with an inclusive `created_before` (%s) or not", async (isInclusive) => {
    const { api, calls } = listOf(past(7500, 3), { isInclusive });
    const { seen, place } = await read(api);
    expect(seen.size).toBe(7500);
    expect(isComplete(place)).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(9);
  });

  it("loses none while jobs are added before each page", async () => {
    const { api, calls, jobs } = listOf(past(12_000));
    let arrived = 0;
    const arriving = {
      listJobs: (params: JobListParams) => {
        jobs.push({ id: `new-${arrived}`, at: 1_700_000_001 + arrived++ });
        return api.listJobs(params);
      },
    };
    const reading = await read(arriving);
    reading.place = placeOfVisit(reading.place);
    await read(arriving, { from: reading });
    expect(reading.seen.size).toBe(12_000 + arrived);
    expect(calls.length).toBeLessThanOrEqual(15);
  });

  it("continues where it stopped, and reads the jobs added meanwhile", async () => {
    const { api, jobs } = listOf(past(5000));
    const reading: Reading = { seen: new Map(), place: START };
    let pages = 0;
    const stopping = read(
      {
        listJobs: (params) => {
          if (++pages > 2) throw new Error("closed");
          return api.listJobs(params);
        },
      },
      { from: reading },
    );
    await expect(stopping).rejects.toThrow("closed");
    expect(reading.seen.size).toBeLessThan(5000);
    for (let place = 0; place < 2500; place++) jobs.push({ id: `new-${place}`, at: 1_700_000_100 + place });
    // As stored in the database and read back.
    reading.place = placeOfVisit(readPlace(JSON.parse(JSON.stringify(reading.place))) ?? START);
    await read(api, { from: reading });
    expect(reading.seen.size).toBe(7500);
  });

  it.each(["items", "pages"] as const)("reads records without times by an offset that counts %s", async (unit) => {
    const untimed = past(3500).map((job) => ({ ...job, at: undefined }));
    const { api } = listOf(untimed, { unit });
    const { seen, place } = await read(api);
    expect(seen.size).toBe(3500);
    expect(isComplete(place)).toBe(true);
  });

  it.each<ListOptions>([{}, { unit: "pages" }, { unit: "pages", total: "filtered", most: 100 }, { unit: "cursor" }])(
    "loses none where the list is oldest first, also of those that come later: %j",
    async (options) => {
      const { api, jobs } = listOf(past(3500), { isOldestFirst: true, ...options });
      const reading = await read(api);
      expect([reading.seen.size, isComplete(reading.place)]).toEqual([3500, true]);
      for (let number = 0; number < 30; number++) jobs.push({ id: `new-${number}`, at: 1_700_000_100 + number });
      reading.place = placeOfVisit(readPlace(JSON.parse(JSON.stringify(reading.place))) ?? START);
      await read(api, { from: reading });
      expect(reading.seen.size).toBe(3530);
    },
  );

  it("ends where the service knows neither bounds nor offsets", async () => {
    const { api, calls } = listOf(past(3000), { isDeaf: true });
    const { seen } = await read(api);
    expect(seen.size).toBe(1000);
    expect(calls.length).toBeLessThan(8);
  });

  it("goes on after a page that is as short as a service's own limit", async () => {
    const { api } = listOf(past(730), { most: 100 });
    expect((await read(api)).seen.size).toBe(730);
  });

  const SECOND = 1_700_000_000;
  const at = (count: number, second: number) =>
    Array.from({ length: count }, (_, number) => ({ id: `job-${second}-${number}`, at: second }));
  it.each([
    ["ten jobs of one second", at(10, SECOND), {}],
    ["twenty, and ten older ones of one second", [...at(20, SECOND), ...at(10, SECOND - 5)], {}],
    ["thirty of one second, in pages of twenty", at(30, SECOND), { most: 20 }],
    ["seventy-five of one second, in pages of twenty", [...at(75, SECOND), ...at(3, SECOND - 9)], { most: 20 }],
    ["1,200 of one second", [...at(1200, SECOND), ...at(1, SECOND - 60)], {}],
  ])("loses none and ends with %s", async (_, jobs, options) => {
    for (const isInclusive of [true, false]) {
      const { api, calls } = listOf(jobs, { isInclusive, ...options });
      expect((await read(api)).seen.size).toBe(jobs.length);
      expect(calls.length).toBeLessThan(12);
    }
  });

  it("does not take a list for oldest first because its newest job has no time yet", async () => {
    const jobs = [{ id: "queued", at: undefined }, ...past(30)];
    const page = { jobs: jobs.map(toJob), total: undefined };
    expect(placeAfter(START, page, 1000, 31)).toMatchObject({ isUntimed: true, gaps: [] });
    expect(placeAfter(START, page, 1000, 31).isOldestFirst).toBeUndefined();
  });

  it("reads one page of a list without times where nothing is new, and of one that comes oldest first", async () => {
    for (const options of [{ isTimed: false }, { isTimed: true, isOldestFirst: true }]) {
      const jobs = past(3500).map((job) => (options.isTimed ? job : { ...job, at: undefined }));
      const { api, calls } = listOf(jobs, options);
      const reading = await read(api);
      const before = calls.length;
      reading.place = placeOfVisit(reading.place);
      await read(api, { from: reading });
      // Two more ask what an offset counts: once in a connection.
      expect(calls.length - before).toBeLessThanOrEqual(3);
      expect(isComplete(reading.place)).toBe(true);
    }
  });

  it("ends where the last page of a list that is read by cursors names no next one", async () => {
    const { api, calls } = listOf(past(300), { unit: "cursor", shows: "no time", most: 100 });
    expect((await read(api)).seen.size).toBe(300);
    expect(calls.length).toBeLessThan(8);
  });

  it("is read by offsets where the service does not know bounds, also while a job arrives with each page", async () => {
    const { api, calls, jobs } = listOf(past(3000), { isUnbounded: true });
    const listJobs: Api["listJobs"] = (params) => {
      jobs.push({ id: `new-${jobs.length}`, at: SECOND + jobs.length });
      return api.listJobs(params);
    };
    const { seen } = await read({ listJobs });
    expect(past(3000).every(({ id }) => seen.has(id))).toBe(true);
    expect(calls.length).toBeLessThan(10);
  });

  it("is one page where it was read by number, comes in order now, and has nothing new", async () => {
    const { api, calls } = listOf(past(3500));
    const reading = await read(api);
    const before = calls.length;
    reading.place = placeOfVisit({ ...reading.place, isUntimed: true, offset: 3500 });
    await read(api, { from: reading });
    expect([calls.length - before, isComplete(reading.place)]).toEqual([1, true]);
  });

  it("is not ended by its newest page, which was read in smaller pages a moment ago", async () => {
    const list = listOf(past(730), { unit: "pages", shows: "no time", most: 100 });
    const reading = await read(list.api);
    list.jobs.unshift(...Array.from({ length: 250 }, (_, number) => ({ id: `new-${number}`, at: 1_700_000_100 })));
    const head = await list.api.listJobs({ limit: 100 });
    reading.place = placeAfter(placeOfVisit(reading.place), head, 100, 100);
    for (const { requestId } of head.jobs) reading.seen.set(requestId, 1);
    expect((await read(list.api, { from: reading })).seen.size).toBe(980);
  });

  it("steps over seconds that fill a page together, where the bound is inclusive and offsets count nothing", async () => {
    const { api } = listOf(past(80, 12), { isInclusive: true, unit: "nothing", most: 20 });
    expect((await read(api)).seen.size).toBe(80);
  });

  it("is not ended by numbers that go back to what was read by time in the same visit", () => {
    const place = { ...START, gaps: [{ before: 500, after: undefined }], endsAtKnown: true as const };
    const jobs = [480, 490, 470].map((at) => toJob({ id: `job-${at}`, at }));
    expect(placeAfter(place, { jobs, total: 9 }, 3, 3).endsAtKnown).toBeUndefined();
    expect(placeAfter({ ...place, ...START }, { jobs, total: 9 }, 3, 3)).toMatchObject({
      offset: 3,
      endsAtKnown: true,
    });
  });

  it("loses none without times when a visit was broken off in the middle", async () => {
    const { api, jobs } = listOf(past(3500).map((job) => ({ ...job, at: undefined })));
    const reading = await read(api);
    for (let number = 0; number < 2500; number++) jobs.unshift({ id: `new-${number}`, at: undefined });
    reading.place = placeOfVisit(reading.place);
    let pages = 0;
    const listJobs: Api["listJobs"] = (params) => {
      if (params.limit === 1000 && ++pages > 1) throw new Error("closed");
      return api.listJobs(params);
    };
    await expect(read({ listJobs }, { from: reading })).rejects.toThrow("closed");
    expect(reading.seen.size).toBe(4500);
    reading.place = placeOfVisit(reading.place);
    await read(api, { from: reading });
    expect(reading.seen.size).toBe(6000);
  });

  it("finds more than a page of new jobs where the service does not know bounds", async () => {
    const { api, jobs, calls } = listOf(past(1500), { isUnbounded: true });
    const reading = await read(api);
    expect(reading.seen.size).toBe(1500);
    for (let number = 0; number < 2500; number++) jobs.unshift({ id: `new-${number}`, at: SECOND + 100 + number });
    reading.place = placeOfVisit(reading.place);
    await read(api, { from: reading });
    expect(reading.seen.size).toBe(4000);
    const before = calls.length;
    reading.place = placeOfVisit(reading.place);
    await read(api, { from: reading });
    expect(calls.length - before).toBe(1);
  });

  it("loses none where the service counts pages of fewer jobs than it is asked for", async () => {
    const jobs = past(730).map((job) => ({ ...job, at: undefined }));
    const { api } = listOf(jobs, { unit: "pages", most: 100 });
    const head = await api.listJobs({ limit: 100 });
    const seen = new Map(head.jobs.map(({ requestId }) => [requestId, 1]));
    const reading = { seen, place: placeAfter(START, head, 100, 100) };
    expect((await read(api, { from: reading })).seen.size).toBe(730);
  });

  it("ends although one second holds more jobs than a page", async () => {
    const { api, calls } = listOf([...past(1500, 1500), { id: "older", at: 1_600_000_000 }]);
    const { seen } = await read(api);
    expect(seen.has("older")).toBe(true);
    expect(calls.length).toBeLessThan(8);
  });

  // (spec 7)
  it("tries each page again after 429, 502, 503 and no answer, and ends on other errors", async () => {
    const { api } = listOf(past(7500));
    const all = (failing: (asked: number) => unknown) => {
      let asked = 0;
      let found = 0;
      const client = new QueryClient({ defaultOptions: { queries: { retry: mayRetryRead, retryDelay: 0 } } });
      const listJobs: Api["listJobs"] = (params) => {
        const error = failing(asked++);
        return error === undefined ? api.listJobs(params) : Promise.reject(error);
      };
      const onRead = (jobs: number) => {
        found = jobs;
      };
      const { signal } = new AbortController();
      return matchingFiles({ api: { listJobs }, client, params: {}, keep: (jobs) => jobs, signal, onRead }).then(
        () => found,
      );
    };
    const refused = (status: number) => new RefusedError({ status, message: "" });
    for (const status of [429, 502, 503])
      expect(await all((asked) => (asked % 5 < 4 ? refused(status) : undefined))).toBe(7500);
    expect(await all((asked) => (asked % 2 ? new NoAnswerError() : undefined))).toBe(7500);
    await expect(all((asked) => (asked === 3 ? refused(401) : undefined))).rejects.toMatchObject({ status: 401 });
    await expect(all(() => refused(429))).rejects.toMatchObject({ status: 429 });
  });

  it("stops when it is told to, at once", async () => {
    const controller = new AbortController();
    let aborted = 0;
    const listJobs: Api["listJobs"] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          aborted++;
          reject(signal.reason);
        });
        queueMicrotask(() => controller.abort(new DOMException("Stopped.", "AbortError")));
      });
    const { signal } = controller;
    const client = new QueryClient();
    const reading = matchingFiles({
      api: { listJobs },
      client,
      params: {},
      keep: (jobs) => jobs,
      signal,
      onRead: () => {},
    });
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(aborted).toBe(1);
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
    const onJobs = (jobs: Job[]) => void index.note(jobs);
    const reading = await read(arriving, { onJobs });
    reading.place = placeOfVisit(reading.place);
    await read(arriving, { onJobs, from: reading });
    const ids = index.entries().map((entry) => entry.requestId);
    expect(new Set(ids).size).toBe(COUNT + lists);
    expect(ids).toHaveLength(COUNT + lists);
    // One for each page, one more while jobs arrive, and the second visit.
    expect(lists).toBeLessThanOrEqual(1.25 * (COUNT / 1000) + 4);
  });
});

// The numbers are small, and so are the pages: what matters is how they meet.
const LIMIT = 50;
const NEWEST = 1_700_000_000;

/** Services that give every job by some way: by bounds, by offsets or by cursors. */
const services = fc
  .record({
    ages: fc.array(fc.nat(60), { minLength: 1, maxLength: 170 }),
    options: fc.record({
      isInclusive: fc.boolean(),
      unit: fc.constantFrom("items" as const, "pages" as const, "cursor" as const),
      isOldestFirst: fc.boolean(),
      isUnbounded: fc.boolean(),
      most: fc.constantFrom(10, 20, 25, 32, 1000),
      shows: fc.constantFrom("every time" as const, "no time" as const, "some times" as const),
      total: fc.constantFrom("none" as const, "filtered" as const, "all" as const, "page" as const),
      saysMore: fc.boolean(),
    }),
    arrivals: fc.nat(4),
    stopsAfter: fc.nat(6),
  })
  // A page that is short of what was asked for, and a total that counts it alone, say that there is nothing more.
  .filter(({ options: { total, most, saysMore, unit } }) => {
    if (most > LIMIT || saysMore || unit === "cursor") return true;
    return total !== "page" && (total !== "none" || most !== 32);
  });

describe("a list of any service", () => {
  const MAX_CALLS = 250;

  /** Reads to the end, or so many pages. `arrivals` jobs come before each of the first answers. */
  async function readOn(list: ReturnType<typeof listOf>, reading: Reading, arrivals: number, most = MAX_CALLS) {
    const context = { client: new QueryClient(), signal: new AbortController().signal };
    const begun = list.calls.length;
    const listJobs: Api["listJobs"] = (params) => {
      if (list.calls.length - begun > MAX_CALLS) throw new Error("The list is read without end.");
      for (let number = 0; number < arrivals && list.calls.length < 12; number++) arrive(list);
      return list.api.listJobs(params);
    };
    for (let pages = 0; pages < most && !isComplete(reading.place); pages++) {
      const options = { api: { listJobs }, limit: LIMIT, known: () => reading.seen };
      const page = await readJobPage(reading.place, options, context);
      for (const { requestId } of page.jobs) reading.seen.set(requestId, 1);
      reading.place = page.place;
    }
  }
  const arrive = ({ jobs }: ReturnType<typeof listOf>) =>
    jobs.unshift({ id: `new-${jobs.length}`, at: NEWEST + jobs.length });
  const missed = ({ jobs }: ReturnType<typeof listOf>, { seen }: Reading) => jobs.filter(({ id }) => !seen.has(id));

  it("is read to its end, from its newest page on, and again after it was broken off", async () => {
    await fc.assert(
      fc.asyncProperty(services, async ({ ages, options, arrivals, stopsAfter }) => {
        const list = listOf(
          ages.map((age, number) => ({ id: `job-${number}`, at: NEWEST - age })),
          options,
        );
        const head = await list.api.listJobs({ limit: 20 });
        const reading: Reading = {
          seen: new Map(head.jobs.map(({ requestId }) => [requestId, 1])),
          place: placeAfter(placeOfVisit(START), head, 20, head.jobs.length),
        };
        const old = list.jobs.map(({ id }) => id);
        await readOn(list, reading, arrivals, stopsAfter);
        reading.place = placeOfVisit(readPlace(JSON.parse(JSON.stringify(reading.place))) ?? START);
        await readOn(list, reading, arrivals);
        // What arrived while it was read is the next visit's.
        expect(old.filter((id) => !reading.seen.has(id))).toEqual([]);
      }),
      { numRuns: cases(150, 3000) },
    );
  });

  it("gives each later visit what came since the one before", async () => {
    await fc.assert(
      fc.asyncProperty(services, async ({ ages, options, arrivals, stopsAfter }) => {
        // Without times nothing tells that a list is oldest first.
        fc.pre(!options.isOldestFirst || (options.shows === "every time" && new Set(ages).size > 30));
        const list = listOf(
          ages.map((age, number) => ({ id: `job-${number}`, at: NEWEST - age })),
          options,
        );
        const reading: Reading = { seen: new Map(), place: START };
        await readOn(list, reading, 0);
        for (let number = 0; number < 20 * stopsAfter; number++) arrive(list);
        for (const came of [0, arrivals, 0]) {
          reading.place = placeOfVisit(reading.place);
          await readOn(list, reading, came);
        }
        expect(missed(list, reading)).toEqual([]);
      }),
      { numRuns: cases(150, 3000) },
    );
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
  ])("with %j ends after a short page with %i new jobs: %s", (reported, fresh, isLast) => {
    const jobs = past(3, 3).map(toJob);
    const place = { ...START, gaps: [{ before: NEWEST + 1, after: undefined }] };
    expect(isComplete(placeAfter(place, { jobs, ...reported }, 10, fresh))).toBe(isLast);
    expect(isComplete(placeAfter(place, { ...reported, jobs: [] }, 10, 0))).toBe(true);
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
      const { seen, place } = await read(api);
      expect([seen.size, isComplete(place)]).toEqual([history, true]);

      // As History does: the newest page is there already, and smaller than those that follow.
      const head = await api.listJobs({ limit: 100 });
      const reading = {
        seen: new Map(head.jobs.map(({ requestId }) => [requestId, 1])),
        place: placeAfter(placeOfVisit(START), head, 100, head.jobs.length),
      };
      await read(api, { from: reading });
      expect([reading.seen.size, isComplete(reading.place)]).toEqual([history, true]);
    }
  });
});

describe("a stored place", () => {
  it.each([null, {}, { gaps: [], offset: "0", isUntimed: false }, { gaps: [null], offset: 0, isUntimed: false }])(
    "that is invalid, %j, starts again",
    (raw) => {
      expect(readPlace(raw)).toBeUndefined();
    },
  );
});

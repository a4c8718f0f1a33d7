import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Api, createApi } from "#api/create-api.ts";
import { followWaking } from "#app/job-watcher.ts";
import { createQueryClient } from "#connection/client.ts";
import { importJobs } from "#runs/import-jobs.ts";
import { jobQueries, MAX_SINGLE, nextMissing, recordFromCache, watchListQuery } from "#runs/poll/job-queries.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import type { Submissions } from "#runs/submit/submissions.ts";
import { createSandbox, type Sandbox } from "#sandbox/create-sandbox.ts";
import { openRows } from "#storage/database.ts";
import { trackedRows } from "#storage/job-records.ts";
import { readAll } from "#storage/typed-rows.ts";
import { resetPage, setVisibility } from "../../setup/page-stand-in.ts";
import { until } from "../../setup/until.ts";
import { withKey } from "../../setup/with-key.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const ACCOUNT = "a";
const ORIGIN = "http://sandbox.test";
const SERVICE_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
  freshDatabase();
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
});
afterEach(() => {
  resetPage();
  vi.useRealTimers();
});

interface Seen {
  atMs: number;
  /** Path and query, without the ids of jobs. */
  address: string;
}

interface Watch {
  sandbox: Sandbox;
  api: Api;
  queryClient: QueryClient;
  /** Every GET about jobs, with its time by the monotonic clock. */
  seen: Seen[];
  pass(ms: number): Promise<void>;
}

/** Jobs of another client, imported, and polled as the watcher does it in a tab that leads (`watching.test.tsx`). */
async function watch(count: number, { createdBeforeMs = 0, prompt = "stuck:hour" } = {}): Promise<Watch> {
  // The service's own clock follows neither the device's nor its changes.
  let aheadMs = 0;
  const sandbox = createSandbox({
    now: () => SERVICE_MS + aheadMs + performance.now(),
    wait: () => Promise.resolve(),
    makeMedia: async () => ({ bytes: new Uint8Array(8), contentType: "image/png" }),
  });
  const seen: Seen[] = [];
  let underWay = 0;
  const send: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const address = `${pathname.replace(/requests\/.+/, "requests/id")}${search}`;
    if (init?.method === "GET" && pathname.includes("/requests")) seen.push({ atMs: performance.now(), address });
    underWay += 1;
    try {
      const answer = await sandbox.fetch(new Request(input, init));
      return new Response(await answer.text(), answer);
    } finally {
      underWay -= 1;
    }
  };
  const target = { queueBaseUrl: `${ORIGIN}/sandbox/api/v1/queue`, inferenceBaseUrl: `${ORIGIN}/sandbox` };
  const api = createApi(withKey({ ...target, key: "sandbox-key", fetch: send }));
  const made = [];
  for (let index = 0; index < count; index += 1) {
    made.push(await api.submit({ model: "halide-turbo", payload: { prompt: `${prompt} ${index}`, mode: "std" } }));
    aheadMs += 2 * SECOND;
  }
  aheadMs += createdBeforeMs;
  await importJobs(ACCOUNT, made);
  seen.length = 0;

  const queryClient = createQueryClient();
  const active = await readAll(await openRows(), trackedRows, ACCOUNT);
  onTestFinished(recordFromCache({ api, accountId: ACCOUNT, queryClient }));
  const list = { api, accountId: ACCOUNT, queryClient, active };
  if (count > MAX_SINGLE) onTestFinished(new QueryObserver(queryClient, watchListQuery(list)).subscribe(() => {}));
  else {
    for (const { requestId } of active) {
      onTestFinished(new QueryObserver(queryClient, jobQueries(api).detail(requestId)).subscribe(() => {}));
    }
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += SECOND) {
      await vi.advanceTimersByTimeAsync(SECOND);
      // A poll may wait for its turn, which is a matter of this clock.
      while (underWay > 0 || queryClient.isFetching() > 0) await vi.advanceTimersByTimeAsync(1);
    }
  };
  return { sandbox, api, queryClient, seen, pass };
}

const gapsOf = (seen: readonly Seen[]) => seen.slice(1).map(({ atMs }, place) => atMs - (seen[place]?.atMs ?? 0));

function expectWithin(gaps: readonly number[], minMs: number, maxMs: number): void {
  expect(gaps.length).toBeGreaterThan(5);
  // A second more, which is the step of this clock.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(minMs);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(maxMs + SECOND);
}

// Spec 8.
describe("the pace", () => {
  test.each([1, 6])("polls of %i jobs are 5 to 10 s apart for ten minutes", async (jobs) => {
    const { seen, pass } = await watch(jobs);
    await pass(10 * MINUTE);
    expectWithin(gapsOf(seen), 5 * SECOND, 10 * SECOND);
  });

  test("an old job is polled every 15 s", async () => {
    const { seen, pass } = await watch(1, { createdBeforeMs: 31 * MINUTE });
    await pass(2 * MINUTE);
    expectWithin(gapsOf(seen).slice(1), 13 * SECOND, 15 * SECOND);
  });

  test("a hundred jobs cost at most twelve requests a minute, all of them the list, and each is seen finished", async () => {
    const { seen, sandbox, pass } = await watch(100);
    await pass(3 * MINUTE);
    expect(seen.length).toBeGreaterThan(12);
    expect(seen.length).toBeLessThanOrEqual(36);
    expect(seen.every(({ address }) => address.includes("limit=1000"))).toBe(true);
    sandbox.configure({ speed: 60 });
    await pass(2 * MINUTE);
    const stored = await readAll(await openRows(), trackedRows, ACCOUNT);
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(["success"]));
  });

  test("of the jobs that the list did not show two are polled at once, and they take turns", () => {
    const missing = ["a", "b", "c", "d", "e", "f"];
    expect(nextMissing(undefined, 1)).toEqual([]);
    expect(nextMissing({ missing: ["a"] }, 1)).toEqual(["a"]);
    const turns = Array.from({ length: 40 }, (_, turn) => nextMissing({ missing }, SERVICE_MS + turn * 7_123));
    expect(turns.every(({ length }) => length === 2)).toBe(true);
    expect(new Set(turns.flat())).toEqual(new Set(missing));
  });
});

// M13
describe("a device whose clock is wrong", () => {
  test.each([
    ["is right", {}],
    ["is three days ahead", { beforeMs: 3 * DAY_MS }],
    ["is three days behind", { beforeMs: -3 * DAY_MS }],
    ["is set three days ahead meanwhile", { meanwhileMs: 3 * DAY_MS }],
    ["is set three days back meanwhile", { meanwhileMs: -3 * DAY_MS }],
  ])("%s: the same pace, and the window of the service's own times", async (_name, changes) => {
    const { beforeMs = 0, meanwhileMs = 0 }: { beforeMs?: number; meanwhileMs?: number } = changes;
    vi.setSystemTime(SERVICE_MS + beforeMs);
    const { sandbox, seen, pass } = await watch(6, { createdBeforeMs: 20 * MINUTE });
    await pass(MINUTE);
    vi.setSystemTime(Date.now() + meanwhileMs);
    await pass(MINUTE);
    expectWithin(gapsOf(seen), 7 * SECOND, 10 * SECOND);
    const oldest = Math.min(...sandbox.inspect().jobs.map(({ createdAtMs }) => Math.floor(createdAtMs / 1000)));
    const windows = new Set(seen.map(({ address }) => address.slice(address.indexOf("?"))));
    expect([...windows]).toEqual([`?created_after=${oldest - 600}&limit=1000`]);
  });
});

// P10
test("a job that the service has lost stays listed as gone and is not polled", async () => {
  const { sandbox, seen, pass } = await watch(1);
  sandbox.configure({ faults: [{ endpoint: "job", status: 404 }] });
  await pass(2 * MINUTE);
  await until(async () => {
    const [row] = await readAll(await openRows(), trackedRows, ACCOUNT);
    expect(row?.status).toBe("gone");
  });
  const asked = seen.length;
  expect(asked).toBeGreaterThanOrEqual(3);
  await pass(5 * MINUTE);
  expect(seen).toHaveLength(asked);
});

// P10
test("a job that has ended keeps its end when the service no longer has it", async () => {
  const { sandbox, api, seen, pass } = await watch(1, { prompt: "A lamp" });
  const statusIs = (status: string) =>
    until(async () => {
      const [row] = await readAll(await openRows(), trackedRows, ACCOUNT);
      expect(row?.status).toBe(status);
    });
  await pass(20 * MINUTE);
  await statusIs("success");
  sandbox.configure({ faults: [{ endpoint: "job", status: 404 }] });
  // Another page, which has not seen the end.
  const queryClient = createQueryClient();
  onTestFinished(recordFromCache({ api, accountId: ACCOUNT, queryClient }));
  const [job] = sandbox.inspect().jobs;
  const detail = jobQueries(api).detail(job?.requestId ?? "");
  onTestFinished(new QueryObserver(queryClient, detail).subscribe(() => {}));
  const asked = seen.length;
  await pass(3 * MINUTE);
  expect(seen.length - asked).toBeGreaterThanOrEqual(3);
  await statusIs("success");
});

// P8
test("polls that fail go on, about once a minute, and are as frequent as before once one succeeds", async () => {
  const { sandbox, api, seen, pass } = await watch(1);
  sandbox.configure({ faults: [{ endpoint: "job", status: 503 }] });
  await pass(10 * MINUTE);
  const [job] = sandbox.inspect().jobs;
  const at = { requestId: job?.requestId ?? "", createdAtSeconds: undefined };
  expect(getPollControl(api).pace(at)).toMatchObject({ maxMs: MINUTE, slowBecause: "failing" });
  const asked = seen.length;
  await pass(5 * MINUTE);
  expect(seen.length - asked).toBeGreaterThanOrEqual(5);
  expect(seen.length - asked).toBeLessThanOrEqual(7);
  sandbox.configure({ faults: [] });
  await pass(MINUTE);
  seen.length = 0;
  await pass(2 * MINUTE);
  expectWithin(gapsOf(seen), 5 * SECOND, 10 * SECOND);
});

// P24
test("a long watch leaves no timers behind", async () => {
  const { sandbox, seen, pass } = await watch(6);
  sandbox.configure({ faults: [{ endpoint: "list", status: 503, times: 5 }] });
  const fiveMinutes = async () => {
    const timers: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      await pass(SECOND);
      timers.push(vi.getTimerCount());
    }
    // The median: at some moments the cache has dropped the jobs; what is left behind is there at all of them.
    return { timers: timers.sort((a, b) => a - b)[150] ?? 0, polls: seen.length };
  };
  // After five failures the first list that came gives every job its place in the cache.
  await pass(6 * MINUTE);
  const second = await fiveMinutes();
  const third = await fiveMinutes();
  expect(third.polls).toBeGreaterThan(second.polls + 5);
  // One left behind by every poll would be twenty.
  expect(third.timers).toBe(second.timers);
});

// P3
describe("a page that wakes up", () => {
  const wake = () => {
    for (const name of ["visibilitychange", "resume"]) document.dispatchEvent(new Event(name));
    for (const name of ["pageshow", "online", "focus"]) window.dispatchEvent(new Event(name));
  };
  /** What of the submits was woken or looked at again. */
  const acts: string[] = [];
  const note = (name: string) => async () => void acts.push(name);
  const submissions = {
    wake: () => void acts.push("wake"),
    resume: note("resume"),
    refresh: note("refresh"),
    refreshIntents: note("refresh intents"),
  } as unknown as Submissions;

  async function watchAwake(jobs: number) {
    acts.length = 0;
    const watched = await watch(jobs);
    const stop = followWaking(watched.api, submissions, watched.queryClient);
    onTestFinished(stop);
    /** The clock goes on and no timer runs, as in a frozen page: only an event can bring the poll. */
    const sleep = async (ms: number, events = wake) => {
      vi.setSystemTime(Date.now() + ms);
      events();
      while (watched.queryClient.isFetching() > 0) await vi.advanceTimersByTimeAsync(1);
    };
    return { ...watched, sleep, stop };
  }

  test.each([1, 6])("polls %i jobs once, however many events say so", async (jobs) => {
    const { seen, pass, sleep } = await watchAwake(jobs);
    await pass(MINUTE);
    const before = seen.length;
    await sleep(10 * MINUTE);
    expect(seen).toHaveLength(before + 1);
    await sleep(0);
    expect(seen).toHaveLength(before + 1);
  });

  test.each([
    ["document", "visibilitychange"],
    ["document", "resume"],
    ["window", "pageshow"],
    ["window", "online"],
    ["window", "focus"],
  ] as const)("polls and resumes open submits when the %s says %s", async (target, name) => {
    const { seen, pass, sleep } = await watchAwake(1);
    await pass(MINUTE);
    const before = seen.length;
    acts.length = 0;
    await sleep(10 * MINUTE, () => globalThis[target].dispatchEvent(new Event(name)));
    expect(seen).toHaveLength(before + 1);
    expect(acts).toEqual(["wake", "resume"]);
  });

  test("does not poll again what was answered less than five seconds ago", async () => {
    const { seen, pass, sleep } = await watchAwake(1);
    await pass(2 * MINUTE);
    while (performance.now() - (seen.at(-1)?.atMs ?? 0) > 2 * SECOND) await pass(SECOND);
    const before = seen.length;
    await sleep(0);
    expect(seen).toHaveLength(before);
  });

  test("does nothing while the page is hidden, and nothing after the end", async () => {
    const { seen, pass, sleep, stop } = await watchAwake(1);
    await pass(MINUTE);
    const before = seen.length;
    setVisibility("hidden");
    await sleep(10 * MINUTE);
    expect(seen).toHaveLength(before);
    setVisibility("visible");
    stop();
    acts.length = 0;
    await sleep(10 * MINUTE);
    expect([seen.length, acts]).toEqual([before + 1, []]);
  });

  test("resumes open submits at the start and every 20 s, in case another tab died", async () => {
    const { pass } = await watchAwake(1);
    expect(acts).toEqual(["resume"]);
    await pass(61 * SECOND);
    expect(acts.filter((act) => act === "resume")).toHaveLength(4);
    // A click on its way when another tab sent the same draft must still meet the spent intent.
    expect(acts.filter((act) => act === "refresh intents")).toHaveLength(1);
  });
});

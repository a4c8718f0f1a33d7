import { useIsFetching } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { importJobs } from "#jobs/import/import-jobs.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { WaitingTime } from "#jobs/waiting/waiting-time.tsx";
import { LazyJobWatcher, useHasWork } from "#jobs/watch/lazy-job-watcher.tsx";
import { withKey } from "../../setup/with-key.ts";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

const SERVICE_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let page: Connected;
/** Added to the service's own clock, which follows neither the device's nor its changes. */
let aheadMs = 0;
beforeEach(() => {
  movableTime();
  aheadMs = 0;
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function Watched() {
  const [job] = useTrackedJobs();
  const isWatching = useHasWork();
  return (
    <>
      <p>{useIsFetching()} polls under way</p>
      {job && <WaitingTime requestId={job.requestId} model={job.model} sinceMs={undefined} />}
      {isWatching && <LazyJobWatcher />}
    </>
  );
}

interface Seen {
  atMs: number;
  /** Path and query, without the ids of jobs. */
  address: string;
}

/** Jobs of another client, imported, and every GET from then on with its time by the monotonic clock. */
async function watch(jobs: number, { createdBeforeMs = 0 } = {}): Promise<Seen[]> {
  page = await openConnected(<Watched />, { now: () => SERVICE_MS + aheadMs + performance.now() });
  const api = createApi(withKey({ ...page, key: "sandbox-key" }));
  const made = [];
  for (let index = 0; index < jobs; index += 1) {
    const payload = { prompt: `stuck:hour ${index}`, mode: "std" };
    made.push(await api.submit({ model: "halide-turbo", payload }));
  }
  aheadMs += createdBeforeMs;
  const { fetch } = globalThis;
  const seen: Seen[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const { pathname, search } = new URL(String(input), page.origin);
    const address = `${pathname.replace(/requests\/.+/, "requests/id")}${search}`;
    if (init?.method === "GET" && pathname.includes("/requests")) seen.push({ atMs: performance.now(), address });
    return fetch(input, init);
  });
  await importJobs(getConnection()?.accountId ?? "", made);
  // The code that polls is loaded first, which takes real time.
  while (seen.length === 0) await pass(SECOND);
  return seen;
}

async function answered(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!screen.queryByText("0 polls under way"));
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SECOND) {
    await vi.advanceTimersByTimeAsync(SECOND);
    await answered();
  }
}

const gapsOf = (seen: readonly Seen[]) => seen.slice(1).map(({ atMs }, place) => atMs - (seen[place]?.atMs ?? 0));

function expectWithin(gaps: readonly number[], leastMs: number, mostMs: number): void {
  expect(gaps.length).toBeGreaterThan(5);
  // A second more, which is the step of this clock.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(leastMs);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(mostMs + SECOND);
}

// Spec 8.
test.each([1, 6])(
  "polls of %i jobs are 5 to 10 s apart for ten minutes",
  async (jobs) => {
    const seen = await watch(jobs);
    await pass(10 * MINUTE);
    expectWithin(gapsOf(seen), 5 * SECOND, 10 * SECOND);
  },
  60_000,
);

test("an old job is polled every 15 s, and the page says why", async () => {
  const seen = await watch(1, { createdBeforeMs: 31 * MINUTE });
  await pass(2 * MINUTE);
  expectWithin(gapsOf(seen).slice(1), 13 * SECOND, 15 * SECOND);
  expect(screen.getByText("The status updates every 15 s, because this job has run for a long time.")).toBeVisible();
}, 60_000);

test("a young job has no word on how often it is asked for", async () => {
  await watch(1);
  await pass(2 * MINUTE);
  expect(screen.getByText(/^Updated \d+ s ago$/)).toBeVisible();
  expect(screen.queryByText(/^The status updates/)).toBeNull();
});

// P8
test("after failed polls the page says that it asks less often", async () => {
  await watch(1);
  page.sandbox.configure({ faults: [{ endpoint: "job", status: 503 }] });
  await pass(3 * MINUTE);
  expect(screen.getByText("The last updates failed. The studio tries again once a minute.")).toBeVisible();
}, 60_000);

// M13
describe("a device whose clock is wrong", () => {
  test.each([
    ["is right", {}],
    ["is three days ahead", { beforeMs: 3 * DAY_MS }],
    ["is three days behind", { beforeMs: -3 * DAY_MS }],
    ["is set three days ahead meanwhile", { meanwhileMs: 3 * DAY_MS }],
    ["is set three days back meanwhile", { meanwhileMs: -3 * DAY_MS }],
  ])(
    "%s: the same pace, and the window of the service's own times",
    async (_name, changes) => {
      const { beforeMs = 0, meanwhileMs = 0 }: { beforeMs?: number; meanwhileMs?: number } = changes;
      vi.setSystemTime(SERVICE_MS + beforeMs);
      const seen = await watch(6, { createdBeforeMs: 20 * MINUTE });
      await pass(MINUTE);
      vi.setSystemTime(Date.now() + meanwhileMs);
      await pass(MINUTE);
      expectWithin(gapsOf(seen), 7 * SECOND, 10 * SECOND);
      const oldest = Math.min(...page.sandbox.inspect().jobs.map(({ createdAtMs }) => Math.floor(createdAtMs / 1000)));
      const windows = new Set(seen.map(({ address }) => address.slice(address.indexOf("?"))));
      expect([...windows]).toEqual([`?created_after=${oldest - 600}&limit=1000`]);
    },
    60_000,
  );
});

// P3
describe("a page that wakes up", () => {
  const wake = () => {
    fireEvent(document, new Event("visibilitychange"));
    fireEvent(document, new Event("resume"));
    fireEvent(window, new Event("pageshow"));
    fireEvent(window, new Event("online"));
    fireEvent(window, new Event("focus"));
  };

  test.each([1, 6])("polls %i jobs once, however many events say so", async (jobs) => {
    const seen = await watch(jobs);
    await pass(MINUTE);
    const before = seen.length;
    vi.setTimerTickMode("manual");
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    wake();
    await answered();
    expect(seen).toHaveLength(before + 1);
    wake();
    await answered();
    expect(seen).toHaveLength(before + 1);
    vi.setTimerTickMode("interval");
  });

  test("does not poll again what was answered less than five seconds ago", async () => {
    const seen = await watch(1);
    await pass(2 * MINUTE);
    while (performance.now() - (seen.at(-1)?.atMs ?? 0) > 2 * SECOND) await pass(SECOND);
    const before = seen.length;
    wake();
    await answered();
    expect(seen).toHaveLength(before);
  });
});

import { useIsFetching } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { importNextJobs, NOTHING_IMPORTED } from "#jobs/import/import-list.ts";
import { usePollPause } from "#jobs/poll/use-polling.ts";
import { QueueList } from "#jobs/queue/queue-list.tsx";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { LazyJobWatcher, useHasWork } from "#jobs/watch/lazy-job-watcher.tsx";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { withKey } from "../../setup/with-key.ts";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

/** As the shell mounts it. */
function Watcher() {
  return useHasWork() && <LazyJobWatcher />;
}

function Watched() {
  const tracked = useTrackedJobs();
  const counts = new Map<string, number>();
  for (const { status } of tracked) counts.set(status, (counts.get(status) ?? 0) + 1);
  const { isPaused, resume } = usePollPause();
  return (
    <>
      <p>{useIsFetching()} polls under way</p>
      <p>{[...counts].map(([status, count]) => `${count} ${status}`).join(", ") || "none"}</p>
      {isPaused && (
        <button type="button" onClick={resume}>
          Go on
        </button>
      )}
      <QueueList size="rail" />
      <Watcher />
    </>
  );
}

const accountId = () => getConnection()?.accountId ?? "";
const api = () => createApi(withKey({ ...page, key: "sandbox-key" }));

/** Jobs submitted by another client of the same key, then imported. */
async function openWith(
  count: number,
  { model = "halide-turbo", prompt = "a wave", ...options }: SandboxOptions & { model?: string; prompt?: string } = {},
) {
  page = await openConnected(<Watched />, options);
  for (let index = 0; index < count; index += 1) {
    await api().submit({ model, payload: { prompt: `${prompt} ${index}`, mode: "std" } });
  }
  await importNextJobs(api(), accountId(), NOTHING_IMPORTED);
}

const requests = (route: string, sinceMs = 0) =>
  page.sandbox.inspect().requests.filter((entry) => entry.route === route && entry.atMs > sinceMs).length;

/** Resolves when every poll that went out has its answer, which takes real time. */
async function answered(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!screen.queryByText("0 polls under way"));
}

async function step(seconds = 5): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  await answered();
}

async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) await step();
}

/** Lets as much time pass as it takes; a test that waits for what never comes ends by its own timeout. */
async function passUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await step();
}

// Five minutes of a hundred jobs are much to compute, whatever the clock says: hence a time limit of its own.
test("a hundred jobs cost twelve requests a minute, and each is seen finished", async () => {
  await openWith(100, { prompt: "stuck:hour" });
  await screen.findByText("100 queued");
  // One list was read to import them.
  await passUntil(() => requests("list") > 1);
  await pass(60);
  const fromMs = page.sandbox.inspect().nowMs;
  await pass(120);
  const minutes = (page.sandbox.inspect().nowMs - fromMs) / 60_000;
  const asked = requests("list", fromMs) + requests("job", fromMs);
  expect(asked).toBeGreaterThan(4 * minutes);
  expect(asked).toBeLessThanOrEqual(12 * minutes);
  page.sandbox.configure({ speed: 60 });
  await passUntil(() => screen.queryByText("100 success") !== null);
}, 60_000);

// P1
test("a hidden tab continues to poll after an error", async () => {
  await openWith(1, { prompt: "poll-error:502x1" });
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
  await passUntil(() => requests("job") > 0);
  await pass(60);
  expect(requests("job")).toBeGreaterThan(5);
  await passUntil(() => screen.queryByText("1 success") !== null);
  hidden.mockRestore();
});

// P2, P3
test("a page that slept polls when it is woken, before any timer runs", async () => {
  await openWith(1);
  await passUntil(() => requests("job") > 0);
  const asked = requests("job");
  // The clock goes on and no timer runs, as in a frozen page: only the event can bring the poll.
  vi.setTimerTickMode("manual");
  vi.setSystemTime(Date.now() + 600_000);
  fireEvent(document, new Event("resume"));
  while (requests("job") === asked) await new Promise((resolve) => setImmediate(resolve));
  expect(requests("job")).toBe(asked + 1);
  vi.setTimerTickMode("interval");
  await screen.findByText("1 success");
});

// P9
test("a refused key pauses every poll until the person resumes them", async () => {
  await openWith(3, { prompt: "stuck:hour" });
  await passUntil(() => requests("job") >= 3);
  page.sandbox.configure({ faults: [{ endpoint: "job", status: 401 }] });
  await pass(20);
  const goOn = await screen.findByRole("button", { name: "Go on" });
  const asked = requests("job");
  await pass(120);
  expect(requests("job")).toBe(asked);
  await screen.findByText("3 queued");
  page.sandbox.configure({ faults: [] });
  fireEvent.click(goOn);
  await pass(30);
  expect(requests("job")).toBeGreaterThanOrEqual(asked + 3);
});

// P10
test("a job that the service has lost stays listed and is not polled", async () => {
  await openWith(1, { prompt: "stuck:hour" });
  page.sandbox.configure({ faults: [{ endpoint: "job", status: 404 }] });
  await passUntil(() => screen.queryByText("1 gone") !== null);
  const asked = requests("job");
  await pass(300);
  expect(requests("job")).toBe(asked);
});

// P14
test("importing known jobs adds nothing, and a thousand are one request", async () => {
  page = await openConnected(<Watched />, { history: 1_200 });
  const first = await importNextJobs(api(), accountId(), NOTHING_IMPORTED);
  expect(first).toMatchObject({ read: 1_000, added: 1_000, total: 1_200 });
  expect(requests("list")).toBe(1);
  expect(await importNextJobs(api(), accountId(), NOTHING_IMPORTED)).toMatchObject({ read: 1_000, added: 0 });
  const whole = await importNextJobs(api(), accountId(), first);
  expect(whole).toMatchObject({ read: 1_200, added: 1_200, total: 1_200, next: undefined });
});

// P24
test("a long watch leaves no timers behind", async () => {
  await openWith(6, { prompt: "stuck:hour" });
  page.sandbox.configure({ faults: [{ endpoint: "list", status: 503, times: 5 }] });
  const fiveMinutes = async () => {
    const timers: number[] = [];
    // Seven seconds, so that what the page does every five is met at all its stages.
    while (timers.length < 43) {
      await step(7);
      timers.push(vi.getTimerCount());
    }
    // The median: at some moments the cache has dropped the jobs; what is left behind is there at all of them.
    return { timers: timers.sort((a, b) => a - b)[21], polls: requests("list") + requests("job") };
  };
  // After five failures the first list that came gives every job its place in the cache.
  await passUntil(() => requests("list") > 6);
  const second = await fiveMinutes();
  const third = await fiveMinutes();
  expect(third.polls).toBeGreaterThan(second.polls + 5);
  // No more in the third five minutes than in the second, but for the one that waits after a change of the settings.
  // One left behind by every poll would be twenty.
  expect(third.timers).toBeLessThanOrEqual((second.timers ?? 0) + 1);
});

import { useIsFetching } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { bringInJobs } from "#jobs/import/import-jobs.ts";
import { JobWatcher } from "#jobs/job-watcher.tsx";
import { QueueList } from "#jobs/queue-list.tsx";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { useWatchPause } from "#jobs/use-watch-pause.ts";
import type { SandboxOptions } from "#sandbox/sandbox-options.ts";
import { type Connected, movableTime, openConnected } from "./connected.tsx";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

function Watched() {
  const tracked = useTrackedJobs();
  const counts = new Map<string, number>();
  for (const { status } of tracked) counts.set(status, (counts.get(status) ?? 0) + 1);
  const { isPaused, resume } = useWatchPause();
  return (
    <>
      <p>{useIsFetching()} looks under way</p>
      <p>{[...counts].map(([status, count]) => `${count} ${status}`).join(", ") || "none"}</p>
      {isPaused && (
        <button type="button" onClick={resume}>
          Go on
        </button>
      )}
      <QueueList />
      <JobWatcher />
    </>
  );
}

const accountId = () => getConnection()?.accountId ?? "";
const api = () => createApi({ ...page, key: "sandbox-key" });

/** Jobs sent by another client of the same key, then brought in. */
async function openWith(
  count: number,
  { model = "halide-turbo", prompt = "a wave", ...options }: SandboxOptions & { model?: string; prompt?: string } = {},
) {
  page = await openConnected(<Watched />, options);
  for (let index = 0; index < count; index += 1) {
    await api().submit({ model, payload: { prompt: `${prompt} ${index}`, mode: "std" } });
  }
  await bringInJobs(api(), accountId());
}

const requests = (route: string, sinceMs = 0) =>
  page.sandbox.inspect().requests.filter((entry) => entry.route === route && entry.atMs > sinceMs).length;

/** Resolves when every look that went out has its answer, which takes real time. */
async function answered(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!screen.queryByText("0 looks under way"));
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

test("a hundred jobs cost at most twelve requests a minute, and each is seen to its end", async () => {
  await openWith(100, { prompt: "stuck:hour" });
  await screen.findByText("100 queued");
  // One list was read to bring them in.
  await passUntil(() => requests("list") > 1);
  await pass(60);
  const fromMs = page.sandbox.inspect().nowMs;
  await pass(120);
  const minutes = (page.sandbox.inspect().nowMs - fromMs) / 60_000;
  const asked = requests("list", fromMs) + requests("job", fromMs);
  expect(asked).toBeGreaterThan(4 * minutes);
  expect(asked).toBeLessThanOrEqual(12 * minutes);
  page.sandbox.configure({ speed: 60 });
  await pass(180);
  await screen.findByText("100 success", undefined, { timeout: 10_000 });
});

test("P1 a hidden tab with one error goes on looking", async () => {
  await openWith(1, { prompt: "poll-error:502x1" });
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
  await passUntil(() => requests("job") > 0);
  await pass(60);
  expect(requests("job")).toBeGreaterThan(5);
  await pass(300);
  await screen.findByText("1 success", undefined, { timeout: 8_000 });
  hidden.mockRestore();
});

test("P2 and P3 a page that slept catches up at once when it is woken", async () => {
  await openWith(1);
  await passUntil(() => requests("job") > 0);
  // The clock goes on and no timer runs, as in a frozen page.
  vi.setSystemTime(Date.now() + 600_000);
  fireEvent(document, new Event("resume"));
  await screen.findByText("1 success", undefined, { timeout: 1_500 });
});

test("P9 a key that is refused pauses every look; after the person has seen to it, they all go on", async () => {
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

test("P10 a job that the service does not know any more is kept, and asked after no more", async () => {
  await openWith(1, { prompt: "stuck:hour" });
  page.sandbox.configure({ faults: [{ endpoint: "job", status: 404 }] });
  await pass(300);
  await screen.findByText("1 gone", undefined, { timeout: 8_000 });
  const asked = requests("job");
  await pass(300);
  expect(requests("job")).toBe(asked);
});

test("P14 bringing in what is known already adds nothing, and a page of a thousand is one request", async () => {
  page = await openConnected(<Watched />, { history: 1_200 });
  expect(await bringInJobs(api(), accountId())).toEqual({ found: 1_000, added: 1_000 });
  expect(requests("list")).toBe(1);
  expect(await bringInJobs(api(), accountId())).toEqual({ found: 1_000, added: 0 });
});

test("P24 a long watch leaves no timers behind: no more in its third five minutes than in its second", async () => {
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
    return { timers: timers.sort((a, b) => a - b)[21], looks: requests("list") + requests("job") };
  };
  // After five failures the first list that came gives every job its place in the cache.
  await passUntil(() => requests("list") > 6);
  const second = await fiveMinutes();
  const third = await fiveMinutes();
  expect(third.looks).toBeGreaterThan(second.looks + 5);
  // One, because a change of the settings is waited after for a moment; one left by every look would be twenty.
  expect(third.timers).toBeLessThanOrEqual((second.timers ?? 0) + 1);
});

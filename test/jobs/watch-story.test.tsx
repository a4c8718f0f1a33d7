import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { bringInJobs } from "#jobs/adopt-jobs.ts";
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

const scope = () => getConnection()?.keyFingerprint ?? "";
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
  await bringInJobs(api(), scope());
}

const requests = (route: string, sinceMs = 0) =>
  page.sandbox.inspect().requests.filter((entry) => entry.route === route && entry.atMs > sinceMs).length;

async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds; step += 5) await vi.advanceTimersByTimeAsync(5_000);
}

test("a hundred jobs cost at most twelve requests a minute, and each is seen to its end", async () => {
  await openWith(100, { prompt: "stuck:hour" });
  await screen.findByText("100 queued");
  await pass(60);
  const fromMs = page.sandbox.inspect().nowMs;
  await pass(120);
  const asked = requests("list", fromMs) + requests("job", fromMs);
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(24);
  page.sandbox.configure({ speed: 60 });
  await pass(180);
  await screen.findByText("100 success", undefined, { timeout: 10_000 });
});

test("P1 a hidden tab with one error goes on looking", async () => {
  await openWith(1, { prompt: "poll-error:502x1" });
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
  await pass(60);
  expect(requests("job")).toBeGreaterThan(4);
  await pass(300);
  await screen.findByText("1 success", undefined, { timeout: 8_000 });
  hidden.mockRestore();
});

test("P2 and P3 a page that slept catches up at once when it is woken", async () => {
  await openWith(1);
  await vi.waitFor(() => expect(requests("job")).toBeGreaterThan(0), { timeout: 12_000 });
  // The clock goes on and no timer runs, as in a frozen page.
  vi.setSystemTime(Date.now() + 600_000);
  fireEvent(document, new Event("resume"));
  await screen.findByText("1 success", undefined, { timeout: 1_500 });
});

test("P9 a key that is refused pauses every look; after the person has seen to it, they all go on", async () => {
  await openWith(3, { prompt: "stuck:hour" });
  await pass(10);
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
  expect(await bringInJobs(api(), scope())).toEqual({ found: 1_000, added: 1_000 });
  expect(requests("list")).toBe(1);
  expect(await bringInJobs(api(), scope())).toEqual({ found: 1_000, added: 0 });
});

test("P24 a long watch leaves no timers behind: a quarter of an hour of looks holds no more than the jobs need", async () => {
  const jobs = 6;
  await openWith(jobs, { prompt: "stuck:hour" });
  page.sandbox.configure({ faults: [{ endpoint: "list", status: 503, times: 5 }] });
  await screen.findByText("6 queued");
  const timers: number[] = [];
  for (let minute = 0; minute < 15; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    timers.push(vi.getTimerCount());
  }
  expect(requests("list") + requests("job")).toBeGreaterThan(20);
  // A job has its next look, its place in the cache and perhaps a request under way; the page has one tick of its own.
  expect(Math.max(...timers.slice(-5))).toBeLessThanOrEqual(jobs * 3 + 1);
});

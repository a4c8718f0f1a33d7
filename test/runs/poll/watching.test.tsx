import { QueryClient, useQueryClient } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { JobWatcher } from "#app/job-watcher.ts";
import { getConnection } from "#connection/connection-store.ts";
import { WaitingTime } from "#results/waiting/waiting-time.tsx";
import { usePollPause } from "#runs/poll/poll-control.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { importNextJobs, NOTHING_IMPORTED } from "#spend/import-list.ts";
import { withKey } from "../../setup/with-key.ts";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

// The pace, the list's window, lost jobs, timers and waking by each event: poll-times.test.ts.

const SERVICE_MS = Date.UTC(2026, 10, 21, 12);

let page: Connected;
let cache: QueryClient;
/** Added to the service's own clock. */
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

function Pause() {
  const { isPaused, resume } = usePollPause();
  return (
    isPaused && (
      <button type="button" onClick={resume}>
        Go on
      </button>
    )
  );
}

function Watched() {
  cache = useQueryClient();
  const tracked = useTrackedJobs();
  const counts = new Map<string, number>();
  for (const { status } of tracked) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [job] = tracked;
  return (
    <>
      <p>{[...counts].map(([status, count]) => `${count} ${status}`).join(", ") || "none"}</p>
      <Pause />
      {job && <WaitingTime requestId={job.requestId} model={job.model} sinceMs={undefined} />}
      <JobWatcher />
    </>
  );
}

/** Jobs submitted by another client of the same key, then imported. */
async function openWith(
  count: number,
  {
    prompt = "a wave",
    createdBeforeMs = 0,
    ...options
  }: SandboxOptions & { prompt?: string; createdBeforeMs?: number },
) {
  page = await openConnected(<Watched />, { now: () => SERVICE_MS + aheadMs + performance.now(), ...options });
  const api = createApi(withKey({ ...page, key: "sandbox-key" }));
  for (let index = 0; index < count; index += 1) {
    await api.submit({ model: "halide-turbo", payload: { prompt: `${prompt} ${index}`, mode: "std" } });
  }
  aheadMs += createdBeforeMs;
  await importNextJobs({ api, client: new QueryClient() }, getConnection()?.accountId ?? "", NOTHING_IMPORTED);
  lists = requests("list");
}

/** The list was read to import the jobs. */
let lists = 0;
const requests = (route: string) => page.sandbox.inspect().requests.filter((entry) => entry.route === route).length;
const polls = () => requests("list") - lists + requests("job");

/** Resolves when every poll that went out has its answer, which takes real time. */
async function answered(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (cache.isFetching() > 0);
}

async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    await answered();
  }
}

/** Lets as much time pass as it takes; a test that waits for what never comes ends by its own timeout. */
async function passUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pass(5);
}

test("six jobs are read with the list alone, at most twelve times a minute, and each is seen finished", async () => {
  await openWith(6, { prompt: "stuck:hour" });
  await screen.findByText("6 queued");
  await passUntil(() => polls() > 0);
  const before = polls();
  await pass(120);
  expect(polls() - before).toBeGreaterThan(8);
  expect(polls() - before).toBeLessThanOrEqual(24);
  expect(requests("job")).toBe(0);
  page.sandbox.configure({ speed: 60 });
  await passUntil(() => screen.queryByText("6 success") !== null);
});

// P1
test("a hidden tab continues to poll after an error", async () => {
  await openWith(1, { prompt: "poll-error:502x1" });
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
  await passUntil(() => requests("job") > 0);
  await pass(60);
  expect(requests("job")).toBeGreaterThan(5);
  await passUntil(() => screen.queryByText("1 success") !== null);
});

// P2, P3
test("a page that slept polls when it is woken, before any timer runs", async () => {
  await openWith(1, {});
  await passUntil(() => requests("job") > 0);
  const asked = requests("job");
  // The clock goes on and no timer runs, as in a frozen page: only the event can bring the poll.
  vi.setTimerTickMode("manual");
  vi.setSystemTime(Date.now() + 600_000);
  aheadMs += 600_000;
  fireEvent(document, new Event("resume"));
  await answered();
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
test("a job that the service has lost stays listed, as gone", async () => {
  await openWith(1, { prompt: "stuck:hour" });
  page.sandbox.configure({ faults: [{ endpoint: "job", status: 404 }] });
  await passUntil(() => screen.queryByText("1 gone") !== null);
});

describe("of a job that runs the page says", () => {
  test("why it asks for an old one less often", async () => {
    await openWith(1, { prompt: "stuck:hour", createdBeforeMs: 31 * 60_000 });
    await passUntil(() => requests("job") > 0);
    expect(await screen.findByText("Updates every 15 s because this job has run for a long time.")).toBeVisible();
  });

  // P8
  test("when it heard of a young one last, and that it asks less often after failed polls", async () => {
    await openWith(1, { prompt: "stuck:hour" });
    await passUntil(() => requests("job") > 0);
    expect(await screen.findByText(/^Updated \d+ s ago$/)).toBeVisible();
    expect(screen.queryByText(/^Updates every/)).toBeNull();
    page.sandbox.configure({ faults: [{ endpoint: "job", status: 503 }] });
    await pass(180);
    expect(screen.getByText("The latest updates failed. Trying again once a minute.")).toBeVisible();
  });
});

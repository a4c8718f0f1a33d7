import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { useEstimate } from "#jobs/price/use-estimate.ts";
import { QueueList } from "#jobs/queue/queue-list.tsx";
import { useSubmit } from "#jobs/submit/use-submit.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { LazyJobWatcher, useHasWork } from "#jobs/watch/lazy-job-watcher.tsx";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { Toaster } from "#ui/toast.tsx";
import { until } from "../../setup/until.ts";
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

function Studio({ model, prompt }: { model: string; prompt: string }) {
  const request = { model, payload: { prompt } };
  const estimate = useEstimate(request);
  const submit = useSubmit(model);
  return (
    <>
      <p>price {estimate.isStale ? "asked" : estimate.priceMicroUsd}</p>
      <p>phase {submit.state.phase}</p>
      {submit.state.phase === "not-sent" && <p>reason {submit.state.reason}</p>}
      {submit.state.phase === "accepted" && <p>how {submit.state.how}</p>}
      <button type="button" onClick={() => void submit.submit(request, estimate.priceMicroUsd ?? 0)}>
        Run
      </button>
      <Tracked />
      <QueueList size="rail" />
      <Watcher />
      <Toaster />
    </>
  );
}

function Tracked() {
  return useTrackedJobs().map(({ requestId, status, priceMicroUsd }) => (
    <p key={requestId}>
      tracked {status} {priceMicroUsd}
    </p>
  ));
}

async function openStudio(model: string, prompt: string, options?: SandboxOptions): Promise<void> {
  page = await openConnected(<Studio model={model} prompt={prompt} />, options);
  await screen.findByText(/^price \d+$/);
}

const run = () => fireEvent.click(screen.getByRole("button", { name: "Run" }));

/** Taken before time is made movable: what loads a chunk takes real time, however busy the machine is. */
const realTimeout = globalThis.setTimeout;
const realPause = () => new Promise((resolve) => realTimeout(resolve, 10));

/** Once this tab polls the job, more time than any job takes. */
async function watchToTheEnd(): Promise<void> {
  for (let step = 0; page.polls() === 0 && step < 1_000; step += 1) {
    if (step < 300) await vi.advanceTimersByTimeAsync(100);
    await realPause();
  }
  expect(page.polls()).toBeGreaterThan(0);
  for (let step = 0; step < 72; step += 1) await vi.advanceTimersByTimeAsync(5_000);
}
const FINISH = { timeout: 8_000 };

// spec 3, M24
test("a fast image model answers inside the submit, and nothing is polled", async () => {
  await openStudio("lumen-2-fast", "a lamp");
  run();
  await screen.findByText("phase accepted");
  await screen.findByText(/^tracked success \d+$/);
  expect(page.submits()).toBe(1);
  expect(page.polls()).toBe(0);
});

// M3 M21
test("twenty clicks in one tick, under StrictMode, make one job", async () => {
  await openStudio("lumen-2-fast", "a lamp");
  for (let click = 0; click < 20; click += 1) run();
  await screen.findByText("phase accepted");
  expect(page.submits()).toBe(1);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

// spec 4.1 rule 2
test("a queued video is watched to its end, at most every 5 s", async () => {
  await openStudio("halide-turbo", "a wave");
  run();
  await screen.findByText("phase accepted");
  const link = await screen.findByRole("link", { name: /^a wave/ });
  expect(link).toHaveAttribute("href", expect.stringMatching(/^\/jobs\/.+/));
  await watchToTheEnd();
  await screen.findByText(/^tracked success \d+$/, undefined, FINISH);
  expect(screen.getByRole("link", { name: /^a wave/ })).toHaveTextContent(/Done\d+ (s|min) ago/);
  expect(page.polls()).toBeGreaterThan(3);
  expect(page.polls()).toBeLessThan(30);
});

test("a reload in the middle of a queued job loses nothing, and sends nothing", async () => {
  await openStudio("halide-turbo", "a wave");
  run();
  await screen.findByText("phase accepted");
  await page.reload();
  await screen.findByRole("link", { name: /^a wave/ });
  await watchToTheEnd();
  await screen.findByText(/^tracked success \d+$/, undefined, FINISH);
  expect(page.submits()).toBe(1);
});

// M1
test("a job whose reply was lost is found in the list, never sent again", async () => {
  await openStudio("lumen-2-fast", "lose:reply a lamp");
  run();
  await screen.findByText("phase unconfirmed");
  await vi.advanceTimersByTimeAsync(10_000);
  await screen.findByText("phase accepted", undefined, FINISH);
  expect(screen.getByText("how recovered")).toBeVisible();
  expect(page.submits()).toBe(1);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

// M2
test("a duplicate job that the network made is shown once, with its price", async () => {
  await openStudio("lumen-2-fast", "lose:reply a lamp");
  run();
  await screen.findByText("phase unconfirmed");
  // What a network that delivers a request twice leaves behind.
  const api = createApi(withKey({ ...page, key: "sandbox-key" }));
  await expect(api.submit({ model: "lumen-2-fast", payload: { prompt: "lose:reply a lamp" } })).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(10_000);
  const alert = await screen.findByText("Possible duplicate charge", undefined, FINISH);
  expect(alert.parentElement).toHaveTextContent(
    /second identical job was created with lumen-2-fast\. You may have been charged \$0\.009 for it\./,
  );
  expect(screen.getAllByText("Possible duplicate charge")).toHaveLength(1);
  expect(page.sandbox.inspect().jobs).toHaveLength(2);
});

// spec 3
test("an inactive model is refused: nothing is charged, nothing is tried again", async () => {
  await openStudio("lumen-1", "a lamp");
  run();
  await screen.findByText("phase rejected");
  expect(page.submits()).toBe(1);
  expect(page.sandbox.inspect().chargedMicroUsd).toBe(0);
});

// spec 7 rule 1
test("a 429 is tried again after a wait, until it works", async () => {
  await openStudio("lumen-2-fast", "error:429x2 a lamp");
  run();
  await screen.findByText("phase retrying");
  await vi.advanceTimersByTimeAsync(5_000);
  await screen.findByText("phase accepted", undefined, FINISH);
  expect(page.submits()).toBe(3);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

test("the page warns before leaving only while a submit has no answer", async () => {
  const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  await openStudio("lumen-2-fast", "a lamp");
  expect(asks()).toBe(false);
  run();
  await until(() => expect(asks()).toBe(true), { interval: 1 });
  await screen.findByText("phase accepted");
  expect(asks()).toBe(false);
});

// M6
test("a run while offline is refused, and nothing is sent later", async () => {
  await openStudio("lumen-2-fast", "a lamp");
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  run();
  await screen.findByText("reason offline");
  onLine.mockReturnValue(true);
  fireEvent(window, new Event("online"));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(page.submits()).toBe(0);
  onLine.mockRestore();
});

// spec 3
test("a failed job is refunded exactly, and the ledger says so", async () => {
  await openStudio("halide-turbo", "fail:provider a wave");
  run();
  await screen.findByText("phase accepted");
  await watchToTheEnd();
  await screen.findByText(/^tracked failed \d+$/, undefined, FINISH);
  const { chargedMicroUsd, refundedMicroUsd } = page.sandbox.inspect();
  expect(refundedMicroUsd).toBe(chargedMicroUsd);
  expect(await screen.findByRole("link", { name: /^fail:provider a wave/ })).toHaveTextContent("Failed");
});

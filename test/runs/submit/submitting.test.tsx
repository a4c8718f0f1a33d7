import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { useEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { JobWatcher } from "#app/job-watcher.ts";
import { QueueList } from "#queue/queue-list.tsx";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { useEstimate } from "#runs/prices/estimate-queries.ts";
import { useSubmit } from "#runs/submit/submissions.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { Toaster } from "#ui/toast.tsx";
import { withKey } from "../../setup/with-key.ts";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

let page: Connected;
beforeEach(() => {
  movableTime();
  warned.length = 0;
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const NO_PARAMETERS = readSchema([]);
let cache: QueryClient;
/** Whether the browser would have asked before the page is left, after each time that the submit's state was drawn. */
const warned: boolean[] = [];
const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

function Studio({ model, prompt }: { model: string; prompt: string }) {
  cache = useQueryClient();
  const request = { model, payload: { prompt } };
  const { price } = useEstimate(request, NO_PARAMETERS);
  const submit = useSubmit(model);
  useEffect(() => void warned.push(asks()));
  return (
    <>
      <p>price {price.state === "priced" ? price.priceMicroUsd : "asked"}</p>
      <p>phase {submit.state.phase}</p>
      {submit.state.phase === "not-sent" && <p>reason {submit.state.reason}</p>}
      {submit.state.phase === "accepted" && <p>how {submit.state.how}</p>}
      <button
        type="button"
        onClick={() => void submit.submit(request, price.state === "priced" ? price.priceMicroUsd : 0)}
      >
        Run
      </button>
      <Tracked />
      <QueueList size="rail" />
      <JobWatcher />
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

/** Lets time pass as it takes, and each poll have its answer, which takes real time. */
async function watchUntil(words: RegExp): Promise<void> {
  while (screen.queryByText(words) === null) {
    await vi.advanceTimersByTimeAsync(2_000);
    do await new Promise((resolve) => setImmediate(resolve));
    while (cache.isFetching() > 0);
  }
}

// What a submit does without a screen, one by one: in-the-page.test.ts.

// M3 M21
test("twenty clicks in one tick, under StrictMode, make one job, and leaving is warned of until its answer", async () => {
  await openStudio("lumen-2-fast", "a lamp");
  expect(warned).not.toContain(true);
  for (let click = 0; click < 20; click += 1) run();
  await screen.findByText("phase accepted");
  expect(warned).toContain(true);
  await screen.findByText(/^tracked success \d+$/);
  expect(asks()).toBe(false);
  expect(page.submits()).toBe(1);
  expect(page.polls()).toBe(0);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

// spec 4.1 rule 2
test("a queued video is watched to its end over a reload, at most every 5 s, and nothing is sent again", async () => {
  await openStudio("halide-turbo", "a wave");
  run();
  await screen.findByText("phase accepted");
  const link = await screen.findByRole("link", { name: /^a wave/ });
  expect(link).toHaveAttribute("href", expect.stringMatching(/^\/jobs\/.+/));
  await page.reload();
  await screen.findByRole("link", { name: /^a wave/ });
  await watchUntil(/^tracked success \d+$/);
  expect(screen.getByRole("link", { name: /^a wave/ })).toHaveTextContent(/Done(\d+ (s|min) ago|just now)/);
  expect(page.polls()).toBeGreaterThan(3);
  expect(page.polls()).toBeLessThan(30);
  expect(page.submits()).toBe(1);
});

// spec 3
test("a failed job says so in the queue, and the ledger has its refund", async () => {
  await openStudio("halide-turbo", "fail:provider a wave");
  run();
  await screen.findByText("phase accepted");
  await watchUntil(/^tracked failed \d+$/);
  const { chargedMicroUsd, refundedMicroUsd } = page.sandbox.inspect();
  expect(refundedMicroUsd).toBe(chargedMicroUsd);
  expect(await screen.findByRole("link", { name: /^fail:provider a wave/ })).toHaveTextContent("Failed");
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
  const alert = await screen.findByText("Possible duplicate charge");
  expect(alert.parentElement).toHaveTextContent(
    /second identical job was created with lumen-2-fast\. You may have been charged \$0\.009 for it\./,
  );
  expect(screen.getAllByText("Possible duplicate charge")).toHaveLength(1);
  expect(screen.getByText("how recovered")).toBeVisible();
  expect(page.submits()).toBe(2);
  expect(page.sandbox.inspect().jobs).toHaveLength(2);
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
});

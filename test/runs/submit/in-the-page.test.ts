import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { followWaking } from "#app/job-watcher.ts";
import { createQueryClient } from "#connection/client.ts";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import { jobQueries, recordFromCache } from "#runs/poll/job-queries.ts";
import { getSubmissions } from "#runs/submit/submissions.ts";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { openRows } from "#storage/database.ts";
import { trackedRows } from "#storage/job-records.ts";
import { readAll } from "#storage/typed-rows.ts";
import { resetPage } from "../../setup/page-stand-in.ts";
import { stateShown } from "../../setup/state-shown.ts";
import { withKey } from "../../setup/with-key.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

// A submit with everything that a page gives it: its database, the service's client and the sandbox. In other ways, with
// every fault and in virtual time: run.test.ts. On the screen: submitting.test.tsx.

const ORIGIN = "http://sandbox.test";
const ACCOUNT = "a";

beforeEach(() => {
  freshDatabase();
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
});
afterEach(() => {
  resetPage();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function openPage(model: string, prompt: string) {
  const sandbox = createSandbox({
    wait: () => Promise.resolve(),
    makeMedia: async () => ({ bytes: new Uint8Array(8), contentType: "image/png" }),
  });
  const target = { queueBaseUrl: `${ORIGIN}/sandbox/api/v1/queue`, inferenceBaseUrl: `${ORIGIN}/sandbox` };
  const send: typeof fetch = async (input, init) => {
    const answer = await sandbox.fetch(new Request(input, init));
    if (answer.type === "error") throw new TypeError("Failed to fetch");
    return answer;
  };
  const api = createApi(withKey({ ...target, key: "sandbox-key", fetch: send }));
  const queryClient = createQueryClient();
  const submissions = getSubmissions(api, { accountId: ACCOUNT, queueBaseUrl: target.queueBaseUrl }, queryClient);
  onTestFinished(followWaking(api, submissions, queryClient));
  onTestFinished(recordFromCache({ api, accountId: ACCOUNT, queryClient }));
  const request = { model, payload: { prompt } };
  const phases: string[] = [];
  const stop = submissions.runs.subscribe(() => phases.push(stateShown(submissions, model).phase));
  onTestFinished(stop);
  const state = () => stateShown(submissions, model);
  return {
    sandbox,
    api,
    queryClient,
    phases,
    state,
    async price() {
      await submissions.prepare(model);
      return (await api.estimate(request)).priceMicroUsd;
    },
    press: (price: number) => void submissions.submit(request, price),
    /** As much time as it takes until the submit is in this phase. */
    async comesTo(phase: string) {
      while (state()?.phase !== phase) await vi.advanceTimersByTimeAsync(20);
      return state();
    },
    count: (route: string) => sandbox.inspect().requests.filter((entry) => entry.route === route).length,
  };
}

async function openAndPress(model: string, prompt: string) {
  const page = openPage(model, prompt);
  page.press(await page.price());
  return page;
}

const tracked = async () => readAll(await openRows(), trackedRows, ACCOUNT);
const ledger = async () => readAll(await openRows(), ledgerRows, ACCOUNT);

// spec 3, M24
test("a fast image model answers inside the submit: the job is recorded with its price, and nothing is polled", async () => {
  const page = openPage("lumen-2-fast", "a lamp");
  const price = await page.price();
  page.press(price);
  await page.comesTo("accepted");
  expect(await tracked()).toMatchObject([{ status: "success", priceMicroUsd: price, payload: { prompt: "a lamp" } }]);
  expect((await ledger()).map(({ kind, amountMicroUsd }) => [kind, amountMicroUsd])).toEqual([["charged", price]]);
  expect([page.count("submit"), page.count("job")]).toEqual([1, 0]);
});

// M3
test("twenty presses in one tick make one job", async () => {
  const page = openPage("lumen-2-fast", "a lamp");
  const price = await page.price();
  for (let press = 0; press < 20; press += 1) page.press(price);
  await page.comesTo("accepted");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(page.count("submit")).toBe(1);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

// M1
test("a job whose reply was lost is found in the list, never sent again", async () => {
  const page = await openAndPress("lumen-2-fast", "lose:reply a lamp");
  await page.comesTo("unconfirmed");
  expect(await page.comesTo("accepted")).toMatchObject({ how: "recovered" });
  expect(page.count("submit")).toBe(1);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

// M2
test("a duplicate that the network made is noted once, with its price", async () => {
  const page = openPage("lumen-2-fast", "lose:reply a lamp");
  const price = await page.price();
  page.press(price);
  await page.comesTo("unconfirmed");
  // What a network that delivers a request twice leaves behind.
  const again = { model: "lumen-2-fast", payload: { prompt: "lose:reply a lamp" } };
  await expect(page.api.submit(again)).rejects.toThrow();
  await page.comesTo("accepted");
  await vi.advanceTimersByTimeAsync(60_000);
  const noted = (await ledger()).filter(({ kind }) => kind === "possible-duplicate");
  expect(noted).toMatchObject([{ model: "lumen-2-fast", amountMicroUsd: price }]);
  expect(page.sandbox.inspect().jobs).toHaveLength(2);
});

// spec 3
test("an inactive model is refused: nothing is charged, nothing is tried again", async () => {
  const page = await openAndPress("lumen-1", "a lamp");
  await page.comesTo("rejected");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.count("submit")).toBe(1);
  expect(page.sandbox.inspect().chargedMicroUsd).toBe(0);
  expect(await ledger()).toMatchObject([{ kind: "not-charged", amountMicroUsd: 0, evidence: "refused" }]);
});

// spec 7 rule 1
test("a 429 is tried again after a wait, until it works", async () => {
  const page = await openAndPress("lumen-2-fast", "error:429x2 a lamp");
  await page.comesTo("accepted");
  expect(page.phases).toContain("retrying");
  expect(page.count("submit")).toBe(3);
  expect(page.sandbox.inspect().jobs).toHaveLength(1);
});

test("the page warns before leaving only while a submit has no answer", async () => {
  const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const page = openPage("lumen-2-fast", "a lamp");
  const price = await page.price();
  expect(asks()).toBe(false);
  page.press(price);
  const asked = new Set<boolean>();
  while (page.state()?.phase !== "accepted") {
    await vi.advanceTimersByTimeAsync(1);
    if (page.state()?.phase !== "accepted") asked.add(asks());
  }
  expect(asked).toContain(true);
  expect(asks()).toBe(false);
});

// M6
test("a run while offline is refused, and nothing is sent later", async () => {
  const page = openPage("lumen-2-fast", "a lamp");
  const price = await page.price();
  Object.assign(navigator, { onLine: false });
  page.press(price);
  expect(await page.comesTo("not-sent")).toMatchObject({ reason: "offline" });
  Object.assign(navigator, { onLine: true });
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.count("submit")).toBe(0);
});

// spec 3
test("a failed job is refunded exactly, and the ledger says so", async () => {
  const page = await openAndPress("halide-turbo", "fail:provider a wave");
  const accepted = await page.comesTo("accepted");
  const requestId = accepted?.phase === "accepted" ? accepted.requestId : "";
  onTestFinished(new QueryObserver(page.queryClient, jobQueries(page.api).detail(requestId)).subscribe(() => {}));
  while ((await tracked())[0]?.status !== "failed") await vi.advanceTimersByTimeAsync(5_000);
  const { chargedMicroUsd, refundedMicroUsd } = page.sandbox.inspect();
  expect(refundedMicroUsd).toBe(chargedMicroUsd);
  const lines = (await ledger()).map(({ kind, amountMicroUsd }) => [kind, amountMicroUsd]);
  expect(lines.sort()).toEqual([
    ["charged", chargedMicroUsd],
    ["refunded", chargedMicroUsd],
  ]);
});

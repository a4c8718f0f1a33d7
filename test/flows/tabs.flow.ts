import type { BrowserContext, Page, Request } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { openSandbox, sameSession } from "./steps.ts";

const TABS = 20;
const JOBS = 50;
const REQUESTS = "/sandbox/api/v1/queue/apikey/requests";

test.use({ sandboxSpeed: 1 });

/** Jobs of another client, which stay queued for an hour. */
async function submitJobs(hostUrl: string, count: number): Promise<void> {
  const headers = { Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  for (let index = 0; index < count; index += 1) {
    const body = JSON.stringify({ model: "halide-turbo", payload: { prompt: `stuck:hour ${index}` } });
    expect((await fetch(hostUrl + REQUESTS, { method: "POST", headers, body })).status).toBe(200);
  }
}

interface Polls {
  /** The polls since the last call, and how many tabs sent them. */
  since(): { count: number; tabs: number };
  /** The tab that polls next. */
  next(timeout: number): Promise<Page>;
}

/** Counts the polls of all tabs: reads of the job list or of one job. */
function countPolls(context: BrowserContext): Polls {
  let pollingTabs: Page[] = [];
  const isPoll = (request: Request) => request.method() === "GET" && request.url().includes(REQUESTS);
  context.on("request", (request) => {
    if (isPoll(request)) pollingTabs.push(request.frame().page());
  });
  return {
    since: () => {
      const counted = { count: pollingTabs.length, tabs: new Set(pollingTabs).size };
      pollingTabs = [];
      return counted;
    },
    next: async (timeout) => (await context.waitForEvent("request", { predicate: isPoll, timeout })).frame().page(),
  };
}

/** Lets time pass in every tab, in steps that leave answers and heartbeats the time to arrive. */
async function pass(context: BrowserContext, seconds: number, step = 5): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    await context.clock.runFor(step * 1_000);
    await Promise.all(context.pages().map((page) => page.evaluate(() => fetch("/healthz").then(() => undefined))));
  }
}

/** Stops the clock of every tab, so that its time passes by `pass` alone, however busy the machine is. */
async function stopClock(context: BrowserContext, page: Page): Promise<void> {
  await context.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
}

/** More tabs of the same person: a duplicated tab has its session. */
async function openTabs(page: Page, count: number): Promise<void> {
  await sameSession(page);
  const open = async () => {
    const tab = await page.context().newPage();
    await tab.goto("/settings");
    await expect(tab.getByRole("navigation", { name: "Main" })).toBeVisible();
  };
  for (let opened = 0; opened < count; opened += 5) {
    await Promise.all(Array.from({ length: Math.min(5, count - opened) }, open));
  }
}

// P1, P3, P4, P5, P6.
test("twenty tabs poll like one, and another takes over from a closed one", { tag: ["@slow", "@long-money"] }, async ({
  page,
  context,
  host,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await submitJobs(host.url, JOBS);
  await context.clock.install();
  const polls = countPolls(context);
  await openSandbox(page, "/spend");
  await page.getByRole("button", { name: "Import latest 1,000 jobs" }).click();
  await expect(page.getByText(`${JOBS} of ${JOBS} jobs imported.`, { exact: false })).toBeVisible();

  const nextPolls = async () => {
    await context.clock.runFor(1_000);
    return polls.since().count;
  };
  polls.since();
  await expect.poll(nextPolls).toBeGreaterThan(0);

  // P1: the tab is hidden, and one poll fails without a network.
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await context.setOffline(true);
  polls.since();
  for (let step = 0; step < 20; step += 5) await context.clock.runFor(5_000);
  expect(polls.since().count).toBeGreaterThan(0);
  await context.setOffline(false);
  await pass(context, 60);
  expect(polls.since().count).toBeGreaterThanOrEqual(3);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  });

  // P4: what one tab asks in a minute, and what twenty do. Short steps, so that one tab is not counted as slower.
  await stopClock(context, page);
  polls.since();
  await pass(context, 120, 1);
  const ofOne = polls.since().count / 2;
  expect(ofOne).toBeGreaterThan(4);
  expect(ofOne).toBeLessThanOrEqual(12);
  await context.clock.resume();
  await openTabs(page, TABS - 1);
  // All wait for the lead that the first one has.
  const waiting = () => page.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(waiting).toBe(TABS - 1);
  await stopClock(context, page);
  polls.since();
  await pass(context, 60);
  const ofTwenty = polls.since();
  expect(ofTwenty.tabs).toBe(1);
  expect(ofTwenty.count).toBeLessThanOrEqual(Math.ceil(1.1 * ofOne));
  await context.clock.resume();

  // P5: the tab that asks crashes.
  const crashing = await context.newCDPSession(page);
  const afterCrash = polls.next(10_000);
  crashing.send("Page.crash").catch(() => {});
  const heir = await afterCrash;

  // P6 and P3: the next one is frozen, and thawed again.
  const freezing = await context.newCDPSession(heir);
  const afterFreeze = polls.next(25_000);
  await freezing.send("Page.setWebLifecycleState", { state: "frozen" });
  await afterFreeze;
  await freezing.send("Page.setWebLifecycleState", { state: "active" });
});

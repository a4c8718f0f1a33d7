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

interface Looks {
  /** The looks since this was asked last, and how many tabs they came from. */
  since(): { count: number; tabs: number };
  /** The tab that looks next. */
  next(timeout: number): Promise<Page>;
}

/** Counts the looks of all tabs at jobs: the job list, or one job. */
function countLooks(context: BrowserContext): Looks {
  let lookers: Page[] = [];
  const isLook = (request: Request) => request.method() === "GET" && request.url().includes(REQUESTS);
  context.on("request", (request) => {
    if (isLook(request)) lookers.push(request.frame().page());
  });
  return {
    since: () => {
      const counted = { count: lookers.length, tabs: new Set(lookers).size };
      lookers = [];
      return counted;
    },
    next: async (timeout) => (await context.waitForEvent("request", { predicate: isLook, timeout })).frame().page(),
  };
}

/** Lets time pass in every tab, in steps that leave answers and heartbeats the time to arrive. */
async function pass(context: BrowserContext, seconds: number, step = 5): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    await context.clock.runFor(step * 1_000);
    await Promise.all(context.pages().map((page) => page.evaluate(() => fetch("/healthz").then(() => undefined))));
  }
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
test("many tabs poll as one, and another takes over from a dead one", async ({ page, context, host, faults }) => {
  test.setTimeout(120_000);
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await submitJobs(host.url, JOBS);
  await context.clock.install();
  const looks = countLooks(context);
  await openSandbox(page, "/spend");
  await page.getByRole("button", { name: "Bring in my last 1,000 jobs" }).click();
  await expect(page.getByText(`${JOBS} of ${JOBS} jobs brought in.`, { exact: false })).toBeVisible();

  const nextLook = async () => {
    await context.clock.runFor(1_000);
    return looks.since().count;
  };
  looks.since();
  await expect.poll(nextLook).toBeGreaterThan(0);

  // P1: hidden, and one look fails for want of a network.
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await context.setOffline(true);
  looks.since();
  for (let step = 0; step < 20; step += 5) await context.clock.runFor(5_000);
  expect(looks.since().count).toBeGreaterThan(0);
  await context.setOffline(false);
  await pass(context, 60);
  expect(looks.since().count).toBeGreaterThanOrEqual(3);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  });

  // P4: what one tab asks in a minute, and what twenty do. Short steps, so that one tab is not counted as slower.
  looks.since();
  await pass(context, 120, 1);
  const ofOne = looks.since().count / 2;
  expect(ofOne).toBeGreaterThan(4);
  expect(ofOne).toBeLessThanOrEqual(12);
  await openTabs(page, TABS - 1);
  // All wait for the lead that the first one has.
  const waiting = () => page.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(waiting).toBe(TABS - 1);
  looks.since();
  await pass(context, 60);
  const ofTwenty = looks.since();
  expect(ofTwenty.tabs).toBe(1);
  expect(ofTwenty.count).toBeLessThanOrEqual(Math.ceil(1.1 * ofOne));

  // P5: the tab that asks crashes.
  const crashing = await context.newCDPSession(page);
  const afterCrash = looks.next(10_000);
  crashing.send("Page.crash").catch(() => {});
  const heir = await afterCrash;

  // P6 and P3: the next one is frozen, and thawed again.
  const freezing = await context.newCDPSession(heir);
  const afterFreeze = looks.next(25_000);
  await freezing.send("Page.setWebLifecycleState", { state: "frozen" });
  await afterFreeze;
  await freezing.send("Page.setWebLifecycleState", { state: "active" });
});

import { test as base, expect, type Page } from "@playwright/test";
import { bundleForPage } from "./bundle-for-page.ts";
import { startCuttingH2Proxy } from "./cutting-h2-proxy.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { startHost, type TestHost } from "./start-host.ts";
import type { ManyEnds, ManySubmits } from "./submit-in-page.ts";

// The full run is MONEY_SUBMITS=1000.
const SUBMITS = Number(process.env.MONEY_SUBMITS ?? 80);
const KEY = { Authorization: "Bearer sandbox-key" };
const QUEUE = "/sandbox/api/v1/queue";
const MODELS = ["halide-turbo", "halide-video", "halide-longtake", "overture-music"];

/** Hosts that are stopped at the end of their story, also when it fails. */
const test = base.extend<{ openHost: typeof startHost }>({
  openHost: async ({ browserName: _ }, use) => {
    const hosts: TestHost[] = [];
    await use(async (environment) => {
      const host = await startHost(environment);
      hosts.push(host);
      return host;
    });
    await Promise.all(hosts.map((host) => host.stop()));
  },
});

let script: Promise<string> | undefined;

/** Submits from a page of the studio with the studio's own code: price, list, outbox, one POST, ledger, polls, audit. */
async function submitMany(page: Page, order: Partial<ManySubmits> & { queueBaseUrl: string }): Promise<ManyEnds> {
  script ??= bundleForPage("./submit-in-page.ts", "submitInPage");
  await page.evaluate(await script);
  return page.evaluate(
    (whole) =>
      (globalThis as never as { submitInPage: typeof import("./submit-in-page.ts") }).submitInPage.submitMany(whole),
    { count: SUBMITS, models: MODELS, isRelayed: false, words: "a lamp", ...order },
  );
}

/** The jobs that the service has. */
async function jobsOf(hostUrl: string): Promise<string[]> {
  const answer = await fetch(`${hostUrl}${QUEUE}/apikey/requests?limit=1000`, { headers: KEY });
  const { requests } = (await answer.json()) as { requests: { request_id: string }[] };
  return requests.map(({ request_id }) => request_id).sort();
}

test.describe("the reply to a submit is destroyed after the job was made", { tag: "@long" }, () => {
  test.setTimeout(60_000 + SUBMITS * 400);

  // M1.
  test("over HTTP/1.1 through the relay each submit is one job", async ({ page, openHost }) => {
    const service = await openHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
    const relay = await openHost({ SAFELIGHT_UPSTREAMS: service.url });
    const proxy = await startCuttingProxy(relay.url);
    await page.goto(`${proxy.url}/connect`);
    const report = await submitMany(page, { queueBaseUrl: service.url + QUEUE, isRelayed: true });
    expect(report.bodyKinds).toEqual(["relay"]);
    expect(report.lines).toEqual({ charged: SUBMITS });
    const jobs = await jobsOf(service.url);
    expect(jobs).toHaveLength(SUBMITS);
    expect(report.requestIds.sort()).toEqual(jobs);
    // Each submit lost its first reply, and the browser sent most of them again by itself.
    expect(proxy.cuts()).toBe(SUBMITS);
    expect(proxy.submits()).toBeGreaterThan(SUBMITS);
    proxy.close();
  });

  // M1, M2.
  test("over HTTP/2 with a stream body each submit is one job", async ({ browser, openHost }) => {
    const host = await openHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
    const proxy = await startCuttingH2Proxy(host.url);
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`${proxy.url}/connect`);
    // A destroyed connection takes along whatever else is on it, so one runs at a time.
    const report = await submitMany(page, { queueBaseUrl: proxy.url + QUEUE, models: ["halide-turbo"] });
    expect(report.bodyKinds).toEqual(["stream"]);
    expect(proxy.submits()).toBe(SUBMITS);
    expect(report.ends).toEqual({ "accepted, recovered": SUBMITS });
    expect(report.lines).toEqual({ charged: SUBMITS });
    expect(report.requestIds.sort()).toEqual(await jobsOf(host.url));
    await page.close();
    proxy.close();
  });

  // M2: here the browser itself sends a broken POST twice.
  test("over HTTP/1.1 without a relay every duplicate job is shown", async ({ page, openHost }) => {
    const host = await openHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
    await page.goto(`${host.url}/connect`);
    const count = SUBMITS / 4;
    const report = await submitMany(page, { queueBaseUrl: host.url + QUEUE, words: "lose:reply", hurry: 15, count });
    expect(report.bodyKinds).toEqual(["plain"]);
    const jobs = await jobsOf(host.url);
    // The browser does it, or this story would prove nothing.
    expect(jobs.length).toBeGreaterThan(count);
    expect(report.lines).toEqual({ charged: count, "possible-duplicate": jobs.length - count });
    expect(report.requestIds.sort()).toEqual(jobs);
  });
});

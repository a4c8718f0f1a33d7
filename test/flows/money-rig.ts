// For stories about money: servers that end with their story, submits from a page by the studio's own code, and what the
// service has of them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, type Page } from "@playwright/test";
import { type BreakingProxy, startBreakingProxy } from "./breaking-proxy.ts";
import { bundleForPage } from "./bundle-for-page.ts";
import { serveStatic } from "./serve-static.ts";
import { startHost } from "./start-host.ts";
import { startRedis } from "./start-redis.ts";
import type { StudioOrder, StudioReport } from "./submit-in-page.ts";
import { jobsOf } from "./wrongs-of.ts";

export const QUEUE = "/sandbox/api/v1/queue";
export const FAST_SANDBOX = { SAFELIGHT_SANDBOX_SPEED: "60" };
/** Waits of the page pass so many times as fast: two minutes of looking in the list take 8 s. */
export const HURRY = 15;
/** One attempt per model is open at a time, so this many run beside each other. */
export const MODELS = [
  "halide-video",
  "halide-turbo",
  "halide-omni",
  "halide-longtake",
  "lumen-2",
  "lumen-2-fast",
  "lumen-2-pro",
  "grainfield",
  "overture-music",
];

export interface Start {
  host: typeof startHost;
  proxy: typeof startBreakingProxy;
  redis: typeof startRedis;
  /** The built page on a host that only hands out files. */
  files: typeof serveStatic;
  /** A folder for what a host keeps. */
  folder(): Promise<string>;
}

/** Playwright's `test` with servers that are stopped at the end of their story, also when it fails. */
export const test = base.extend<{ start: Start }>({
  start: async ({ browserName: _ }, use) => {
    const running: { stop(): Promise<unknown> }[] = [];
    const proxies: BreakingProxy[] = [];
    const folders: string[] = [];
    const keep = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
      const started = await starting;
      running.push(started);
      return started;
    };
    await use({
      host: (environment) => keep(startHost(environment)),
      files: () => keep(serveStatic()),
      folder: async () => {
        const folder = await mkdtemp(join(tmpdir(), "safelight-data-"));
        folders.push(folder);
        return folder;
      },
      redis: () => keep(startRedis()),
      proxy: async (options) => {
        const proxy = await startBreakingProxy(options);
        proxies.push(proxy);
        return proxy;
      },
    });
    for (const proxy of proxies) proxy.close();
    await Promise.all(running.map((server) => server.stop()));
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  },
});

type InPage = { submitInPage: typeof import("./submit-in-page.ts") };

let script: Promise<string> | undefined;

/**
 * The studio's submits in a page that is open. At every sentence the page is told how many jobs the service has for the
 * prompt. Each call runs one function of `submit-in-page.ts` there.
 */
export async function openStudio(page: Page, serviceUrl: string, order: StudioOrder) {
  script ??= bundleForPage("./submit-in-page.ts", "submitInPage");
  await page.exposeFunction("countJobs", async (prompt: string) => {
    const jobs = await jobsOf(serviceUrl);
    return jobs.filter((job) => job.prompt === prompt).length;
  });
  await page.evaluate(await script);
  await page.evaluate((given) => (globalThis as never as InPage).submitInPage.openStudio(given), order);
  return {
    /** Resolves once the outcome is settled. */
    press: (model: string, prompt: string, options: { isPatient?: boolean } = {}): Promise<void> =>
      page.evaluate(
        ([model, prompt, isPatient]) => (globalThis as never as InPage).submitInPage.press(model, prompt, isPatient),
        [model, prompt, options.isPatient ?? false] as const,
      ),
    pressMany: (
      count: number,
      words: string,
      options: { models?: string[]; isPatient?: boolean } = {},
    ): Promise<void> =>
      page.evaluate(
        ([count, models, words, isPatient]) =>
          (globalThis as never as InPage).submitInPage.pressMany(count, models, words, isPatient),
        [count, options.models ?? MODELS, words, options.isPatient ?? false] as const,
      ),
    report: (): Promise<StudioReport> => page.evaluate(() => (globalThis as never as InPage).submitInPage.report()),
  };
}

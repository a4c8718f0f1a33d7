import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { findEngines } from "../../.scripts/find-engines.mjs";
import { bundleForPage } from "../flows/bundle-for-page.ts";
import { newCanary } from "../flows/canary.ts";
import { copyBuild, type OwnBuild } from "../flows/own-build.ts";
import { startHost, type TestHost } from "../flows/start-host.ts";
import type { Engine } from "./engine.ts";
import { startFirefox } from "./firefox.ts";
import { Page } from "./page.ts";
import { startWebKit } from "./webkit.ts";

interface Fixtures {
  /** A host of this story's own, with a fresh sandbox that is 60 times as fast. */
  host: TestHost;
  /** Opens a further tab of the story's visitor. */
  openTab(): Promise<Page>;
  /** The visitor's first tab, empty. */
  tab: Page;
  /** What a story provokes on purpose: everything else that goes wrong in a page fails it. */
  faults: { allow(pattern: RegExp): void; allowed: readonly RegExp[] };
  /** A key that nobody else has. */
  canary: string;
}

interface OfWorker {
  engine: Engine;
  /** A copy of the build in which every page notes what goes wrong in it, from its first moment. */
  build: OwnBuild;
  queriesScript: string;
}

export const test = base.extend<Fixtures, OfWorker>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use, info) => {
      const engine = await startEngine(info.project.name);
      await use(engine);
      await engine.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  build: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const build = await copyBuild();
      await watchEveryPage(build.dist);
      await use(build);
      await build.remove();
    },
    { scope: "worker" },
  ],
  queriesScript: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => use(await bundleForPage("../engines/page-queries.ts", "queries")),
    { scope: "worker", timeout: 180_000 },
  ],

  host: async ({ build }, use) => {
    const settings = { SAFELIGHT_SANDBOX_SPEED: "60", SAFELIGHT_SANDBOX_SEED: "1" };
    const host = await startHost(settings, build.mainFile);
    await use(host);
    await host.stop();
    expect(host.stderr(), "the host's stderr").toBe("");
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  canary: async ({}, use) => use(newCanary()),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  faults: async ({}, use) => {
    const allowed: RegExp[] = [];
    await use({ allow: (pattern) => allowed.push(pattern), allowed });
  },

  openTab: async ({ engine, host, queriesScript, faults }, use, info) => {
    const visitor = await engine.newVisitor();
    const found: string[] = [];
    const pages: Page[] = [];
    await use(async () => {
      const page = new Page(await visitor.newTab(), host.url, queriesScript, found);
      await page.tab.resize(1280, 800);
      pages.push(page);
      return page;
    });
    for (const [index, page] of pages.entries()) {
      await page.takeFaults();
      if (info.status !== info.expectedStatus) await page.shoot(info.outputPath(`tab-${index}.png`));
    }
    await visitor.leave();
    const unexpected = found.filter((fault) => !faults.allowed.some((pattern) => pattern.test(fault)));
    expect(unexpected, "faults in the browser").toEqual([]);
  },

  tab: async ({ openTab }, use) => use(await openTab()),
});

export { expect };

async function startEngine(name: string): Promise<Engine> {
  const found = findEngines().find((engine) => engine.name === name);
  if (!found?.browser) throw new Error(found?.missing ?? `There is no engine ${name}.`);
  if (found.driver) return startWebKit({ driver: found.driver, browser: found.browser, xvfb: found.xvfb });
  return startFirefox(found.browser);
}

/** A script of the studio's origin that runs first: no driver of WebKit's lets a test see the console. */
async function watchEveryPage(dist: string): Promise<void> {
  await writeFile(join(dist, "assets/watch-faults.js"), `(${watchFaults})();`);
  for (const name of ["index.html", "404.html"]) {
    const file = join(dist, name);
    const page = await readFile(file, "utf8");
    await writeFile(file, page.replace("<script", '<script src="/assets/watch-faults.js"></script><script'));
  }
}

function watchFaults(): void {
  const faults: string[] = [];
  Object.assign(globalThis, { faults });
  const tell = (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack}` : String(error));
  addEventListener("error", ({ error, message }) => {
    // No error: Firefox's notice that an element got another size in the frame in which it was measured. It comes where a
    // result is shown, whose size follows its pane (`use-room.ts`, `result-body.tsx`).
    const isNotice = error === undefined && message.startsWith("ResizeObserver loop completed");
    if (!isNotice) faults.push(`uncaught: ${message} ${tell(error)}`);
  });
  addEventListener("unhandledrejection", ({ reason }) => faults.push(`unhandled: ${tell(reason)}`));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    faults.push(`content policy: ${effectiveDirective} refused ${blockedURI}`),
  );
  const { error } = console;
  console.error = (...parts) => {
    faults.push(`console: ${parts.map(tell).join(" ")}`);
    error.apply(console, parts);
  };
}

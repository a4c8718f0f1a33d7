import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { newCanary, watchCanary } from "./canary.ts";
import { watchLayoutShift } from "./layout-shift.ts";
import { startHost, type TestHost } from "./start-host.ts";

interface Options {
  /** How many times as fast as the clock the sandbox works on jobs: 1, 10 or 60. */
  sandboxSpeed: 1 | 10 | 60;
  sandboxSeed: number;
  /** Whether the heap of the page is searched for the key at the end: it takes a second or more. */
  searchesHeap: boolean;
  /** Whether a page that moves by itself fails the story. Off only where its measures are changed on purpose. */
  watchesLayout: boolean;
  /** Further environment for the host of this story. */
  hostEnvironment: Record<string, string>;
}

interface Fixtures {
  /** A host of this story's own, with a fresh sandbox. */
  host: TestHost;
  faults: Faults;
  /** That the pages of this story stand still. */
  stillness: undefined;
  /** The key of this story. It is looked for everywhere at its end. */
  canary: string;
}

/** What a story must not cause. */
export interface Faults {
  /** Lets console errors through that the story provokes on purpose, such as the browser's own line about a 401. */
  allow(pattern: RegExp): void;
}

/**
 * Playwright's `test` with a fresh host for each story. A story fails on a console error, an uncaught error, an
 * unhandled rejection, a breach of the content policy, a request to another host than its own, when a page moves by itself,
 * or when the key that was given away is found anywhere but at the host.
 */
export const test = base.extend<Options & Fixtures>({
  sandboxSpeed: [60, { option: true }],
  sandboxSeed: [1, { option: true }],
  hostEnvironment: [{}, { option: true }],
  searchesHeap: [true, { option: true }],
  watchesLayout: [true, { option: true }],

  host: async ({ sandboxSpeed, sandboxSeed, hostEnvironment }, use) => {
    const host = await startHost({
      SAFELIGHT_SANDBOX_SPEED: String(sandboxSpeed),
      SAFELIGHT_SANDBOX_SEED: String(sandboxSeed),
      ...hostEnvironment,
    });
    await use(host);
    await host.stop();
    expect(host.stderr(), "the host's stderr").toBe("");
  },

  baseURL: async ({ host }, use) => use(host.url),

  canary: [
    async ({ context, host, searchesHeap }, use, info) => {
      const key = newCanary();
      const watch = watchCanary(context, key, { heap: searchesHeap });
      await use(key);
      const places = await watch.find();
      if (`${host.stdout()}${host.stderr()}`.includes(key)) places.push("what the host prints");
      if (process.env.CANARY_TIMES) console.log("canary", info.title, JSON.stringify(watch.tookMs));
      expect(places, "where the key was found").toEqual([]);
    },
    { auto: true },
  ],

  stillness: [
    async ({ context, watchesLayout }, use) => {
      const watch = watchesLayout ? await watchLayoutShift(context) : undefined;
      await use(undefined);
      expect((await watch?.wrongs()) ?? [], "pages that moved by themselves").toEqual([]);
    },
    { auto: true },
  ],

  faults: [
    async ({ context, host }, use) => {
      const allowed: RegExp[] = [];
      const found = await watchFaults(context, host.url);
      await use({ allow: (pattern) => allowed.push(pattern) });
      const unexpected = found.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
      expect(unexpected, "faults in the browser").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

async function watchFaults(context: BrowserContext, origin: string): Promise<string[]> {
  const found: string[] = [];
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`content policy: ${event.effectiveDirective} refused ${event.blockedURI}`);
    });
  });
  context.on("console", (message) => {
    // The browser's own line about a worker whose page, or whose server, went away while it was fetched.
    if (/An unknown error occurred when fetching the script/.test(message.text())) return;
    if (message.type() === "error") found.push(`console: ${message.text()} (${message.location().url})`);
  });
  // Playwright reports an unhandled rejection as an error of the page, too.
  context.on("weberror", (error) => found.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) found.push(`request to ${url.origin}`);
  });
  return found;
}

/**
 * Expects no accessibility violation on the page as it stands. The two colour schemes differ in colours only, so the
 * second is checked by the rules about colour. With `rules`, only those are checked, in both.
 */
export async function axe(page: Page, rules?: string[]): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await colorsSettled(page);
    // Once per page: each copy of axe stays in the page's memory, which is searched for the key when the story is over.
    const hasAxe = await page.evaluate(() => "axe" in window);
    // In the page itself: a page of axe's own for the results takes three times as long, and only foreign frames need it.
    const { violations } = await new AxeBuilder({ page, ...(hasAxe && { axeSource: ";" }) })
      .setLegacyMode()
      .options({
        resultTypes: ["violations"],
        ...(colorScheme === "dark" && { runOnly: ["color-contrast", "link-in-text-block"] }),
        ...(rules && { runOnly: rules }),
      })
      .analyze();
    const summary = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      targets: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
    expect(summary, `axe, ${colorScheme}`).toEqual([]);
  }
}

/** Resolves when the colours of a new scheme are painted: until the second frame, some elements still have the old. */
async function colorsSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

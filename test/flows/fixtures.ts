import { writeFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page, type Request, type TestInfo } from "@playwright/test";
import { isLongSuite } from "../setup/cases.ts";
import { newCanary, swapsKey, watchCanary } from "./canary.ts";
import { watchLayoutShift } from "./layout-shift.ts";
import { startHost, type TestHost } from "./start-host.ts";

interface Options {
  /** How many times as fast as the clock the sandbox works on jobs: 1, 10 or 60. */
  sandboxSpeed: 1 | 10 | 60;
  sandboxSeed: number;
  /**
   * Whether the heap of the page is searched for the key at the end: it takes a second or more. In `npm test` after the
   * stories with the tag `@heap`, which are about the key, in the long suite after every story but those that say no.
   */
  searchesHeap: boolean;
  /** What this story breaks on purpose, so that it cannot be searched for the key. Anything else that cannot fails it. */
  unsearched: RegExp | undefined;
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
  /** What a story has started or made ends with it, also when it fails: the last first. */
  atEnd(end: () => unknown): void;
  /** What is left of a story that failed: a picture, the page's text, its console and its requests. */
  evidence: undefined;
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
  searchesHeap: [isLongSuite, { option: true }],
  unsearched: [undefined, { option: true }],
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

  page: async ({ page, canary: _ }, use) => {
    await swapsKey(page);
    await use(page);
  },

  canary: [
    async ({ context, host, searchesHeap, unsearched, evidence: _ }, use, info) => {
      const key = newCanary();
      const watch = watchCanary(context, key, { heap: searchesHeap || info.tags.includes("@heap") });
      await use(key);
      const places = await watch.find();
      if (`${host.stdout()}${host.stderr()}`.includes(key)) places.push("what the host prints");
      if (process.env.CANARY_TIMES) console.log("canary", info.title, JSON.stringify(watch.tookMs));
      const unexpected = places.filter((place) => !(place.startsWith("not searched") && unsearched?.test(place)));
      expect(unexpected, "where the key was found, or not looked for").toEqual([]);
    },
    { auto: true },
  ],

  atEnd: async ({ browserName: _ }, use) => {
    const ends: (() => unknown)[] = [];
    await use((end) => ends.unshift(end));
    for (const end of ends) await end();
  },

  evidence: [
    async ({ context }, use, info) => {
      const log = watchEvidence(context);
      await use(undefined);
      if (info.status !== info.expectedStatus) await leaveEvidence(context, info, log);
    },
    { auto: true },
  ],

  stillness: [
    // After `atEnd`, and so judged before it: a server that a story ends would move the page by its absence.
    async ({ context, watchesLayout, atEnd: _ }, use) => {
      const watch = watchesLayout ? await watchLayoutShift(context) : undefined;
      await use(undefined);
      expect((await watch?.wrongs()) ?? [], "pages that moved by themselves").toEqual([]);
    },
    { auto: true },
  ],

  faults: [
    async ({ context, host }, use) => {
      const allowed: RegExp[] = [];
      context.on("page", watchCode);
      const found = await watchFaults(context, host.url);
      await use({ allow: (pattern) => allowed.push(pattern) });
      const unexpected = found.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
      expect(unexpected, "faults in the browser").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** What each page is still loading of the studio's own code and fonts. */
const underWay = new WeakMap<Page, Set<Request>>();

function watchCode(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on("request", (request) => {
    if (["script", "stylesheet", "font"].includes(request.resourceType())) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/**
 * Resolves when what was pressed is drawn: the code of a dialog or a screen and its fonts have come, and the page has
 * nothing left to do. For looks at the page as a whole; where one thing is waited for, name it.
 */
export async function settled(page: Page): Promise<void> {
  const open = underWay.get(page) ?? new Set();
  const isLoading = () => open.size > 0;
  const limit = { timeout: 120_000 };
  do {
    // Nothing is awaited between the look and the listeners, so no end is missed.
    if (isLoading()) {
      await Promise.race([
        page.waitForEvent("requestfinished", limit),
        page.waitForEvent("requestfailed", limit),
      ]).catch((error) => {
        throw new Error(`Still loading ${[...open].map((one) => one.url()).join(", ")}: ${error.message}`);
      });
    }
    // A page that is never idle is looked at all the same.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 })));
  } while (isLoading());
}

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

interface Evidence {
  console: string[];
  requests: string[];
}

function watchEvidence(context: BrowserContext): Evidence {
  const log: Evidence = { console: [], requests: [] };
  const at = () => new Date().toISOString().slice(11, 23);
  context.on("console", (message) => log.console.push(`${at()} ${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => log.console.push(`${at()} uncaught: ${error.error().stack}`));
  context.on("response", (answer) => {
    log.requests.push(`${at()} ${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  context.on("requestfailed", (request) => {
    log.requests.push(`${at()} ${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
  return log;
}

/** Each page as a picture and as text, where it still answers, and what the context said. */
async function leaveEvidence(context: BrowserContext, info: TestInfo, log: Evidence): Promise<void> {
  const leave = async (name: string, extension: string, body: string | Buffer) => {
    const path = info.outputPath(`${name}.${extension}`);
    await writeFile(path, body);
    info.attachments.push({ name, path, contentType: extension === "png" ? "image/png" : "text/plain" });
  };
  for (const [index, page] of context.pages().entries()) {
    const number = index === 0 ? "" : `-${index + 1}`;
    const text = page.evaluate(() => document.body.innerText).catch((error) => `No text: ${error.message}`);
    await leave(`page${number}`, "txt", `${page.url()}\n\n${await text}`);
    const picture = await page.screenshot({ timeout: 10_000 }).catch(() => undefined);
    if (picture) await leave(`page${number}`, "png", picture);
  }
  await leave("console", "txt", log.console.join("\n"));
  await leave("requests", "txt", log.requests.join("\n"));
}

/**
 * Expects no accessibility violation on the page as it stands. The two colour schemes differ in colours only, so the
 * second is checked by the rules about colour. With `rules`, only those are checked, in both.
 *
 * In `npm test` it looks only where a story says so: at each screen once, and at what no other story shows, in the scheme
 * of the story. In the long suite it looks at every call, in both schemes.
 */
export async function axe(page: Page, { rules, always = false }: { rules?: string[]; always?: boolean } = {}) {
  if (!always && !isLongSuite) return;
  const schemes = isLongSuite ? (["light", "dark"] as const) : (["light"] as const);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await colorsSettled(page, colorScheme);
    await settled(page);
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

/** Resolves when the page has the colours of a scheme: the browser tells pages of a new one after it has answered. */
async function colorsSettled(page: Page, scheme: "light" | "dark"): Promise<void> {
  await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, scheme);
  await page.evaluate(async () => {
    // A frame tells the page of a new scheme before it calls this. Colours that fade end with their animations.
    await new Promise(requestAnimationFrame);
    // One that goes on for ever, such as that of a placeholder, has no end to wait for.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

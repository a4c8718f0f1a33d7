import { setTimeout } from "node:timers/promises";
import { percentile } from "../samples.mjs";
import { LONGEST_STEP_MS } from "../start-browser.mjs";
import { jumpThrough } from "./jump-through.mjs";
import { measureThumbs } from "./measure-thumbs.mjs";
import { pageMetrics } from "./page-metrics.mjs";
import { scrollThrough } from "./scroll-through.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const FRAMES = 240;
/** The index reads two pages of 1,000 jobs a second at most. */
const LONGEST_READING_MS = 600_000;
const LONGEST_BUSY_MS = 60_000;

/**
 * The built studio with so many jobs at its sandbox: opened for the first time, filled into the index in the background,
 * opened again in both views, scrolled to its end, and jumped through; then twice in the grid, for its small pictures.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} origin
 * @param {{ jumps: number, doing: (what: string) => void }} options
 */
export async function measureStudio(browser, origin, { jumps, doing }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_STEP_MS);
    let lists = 0;
    page.on("request", (request) => {
      if (/\/apikey\/requests\?/.test(request.url())) lists++;
    });
    doing("opening History for the first time");
    await page.goto(`${origin}/history`);
    await page.getByRole("button", { name: "Open sandbox" }).click();
    await rows(page).first().waitFor();
    const first = await open(page, `${origin}/history`);
    lists = 0;
    doing("reading all jobs into the index");
    const start = Date.now();
    await read(page);
    const reading = { seconds: (Date.now() - start) / 1000, requests: lists };

    const metrics = await pageMetrics(page);
    const views = [];
    for (const view of ["grid", "table"]) {
      doing(`scrolling and jumping through the ${view}`);
      const firstRowsMs = await open(page, `${origin}/history${view === "table" ? "?view=table" : ""}`);
      await read(page);
      await run(page, scrollThrough, { frames: 60, step: 900 });
      const seen = await metrics.perFrame(FRAMES, () => run(page, scrollThrough, { frames: FRAMES }));
      const jumped = await run(page, jumpThrough, { jumps, restMs: 400 });
      views.push({
        view,
        firstRowsMs,
        task: seen.task,
        script: seen.script,
        p95: percentile(seen.gaps, 0.95),
        over50: seen.gaps.filter((gap) => gap > 50).length,
        longTasks: seen.longTasks.length,
        nodes: seen.nodes,
        isAtEnd: seen.isAtEnd,
        jumps: { longest: Math.max(0, ...jumped.gaps), shift: jumped.shift, worstShift: jumped.worstShift },
        heap: await metrics.heapMegabytes(),
      });
    }
    doing("waiting for the small pictures of the grid");
    const thumbs = await measureThumbs(page, jumps, {
      open: async () => {
        await open(page, `${origin}/history`);
        await read(page);
      },
      run: (work, options) => run(page, work, options),
    });
    return { first, reading, views, thumbs };
  } finally {
    await context.close();
  }
}

/** @param {Page} page */
const rows = (page) => page.getByRole("grid", { name: "Jobs" }).getByRole("link");

// In the page: asking from outside would count the way there and back, too.
function noteFirstRow() {
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector("[role=grid] a")) return;
    observer.disconnect();
    performance.mark("first row");
  }).observe(document, { subtree: true, childList: true });
}

/**
 * Until the host answers at once: it paints every picture of its sandbox that was jumped over, long after the page has left
 * them, and serves the studio's own files in between. A machine that is never quiet is measured as it is.
 * @param {string} address
 */
async function hostIsIdle(address) {
  const since = performance.now();
  for (let quick = 0; quick < 5; ) {
    const start = performance.now();
    await (await fetch(new URL("/healthz", address))).text();
    quick = performance.now() - start < 20 ? quick + 1 : 0;
    if (performance.now() - since > LONGEST_BUSY_MS) {
      console.log(`  the host was busy for ${LONGEST_BUSY_MS / 1000} s before the next page was opened`);
      return;
    }
    await setTimeout(200);
  }
}

/**
 * Opens an address anew, and gives the milliseconds until the first job is there.
 * @param {Page} page
 * @param {string} address
 */
async function open(page, address) {
  await page.goto("about:blank");
  await hostIsIdle(address);
  await page.addInitScript(noteFirstRow);
  await page.goto(address);
  await rows(page).first().waitFor();
  const startTime = await page.evaluate(() => performance.getEntriesByName("first row")[0]?.startTime);
  if (startTime === undefined) throw new Error("History showed its first job, and the page did not notice.");
  return startTime;
}

/**
 * Until the line is gone that says how far the index is.
 * @param {Page} page
 */
async function read(page) {
  await page.waitForTimeout(1500);
  await page.getByText(/^Search covers /).waitFor({ state: "detached", timeout: LONGEST_READING_MS });
}

/**
 * @template Options, Result
 * @param {Page} page
 * @param {(scroller: Element, options: Options) => Promise<Result>} work
 * @param {Options} options
 * @returns {Promise<Result>}
 */
async function run(page, work, options) {
  const scroller = page.locator("[data-history-scroller]");
  await scroller.waitFor();
  return page.evaluate(`(${work})(document.querySelector("[data-history-scroller]"), ${JSON.stringify(options)})`);
}

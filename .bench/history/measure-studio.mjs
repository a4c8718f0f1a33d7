import { setTimeout } from "node:timers/promises";
import { jumpThrough } from "./jump-through.mjs";
import { measureThumbs } from "./measure-thumbs.mjs";
import { pageMetrics, percentile } from "./page-metrics.mjs";
import { scrollThrough } from "./scroll-through.mjs";

const FRAMES = 240;
const JUMPS = 30;
/** The index reads two pages of 1,000 jobs a second at most. */
const LONGEST_READING_MS = 600_000;

/**
 * The built studio with so many jobs at its sandbox: opened for the first time, filled into the index in the background,
 * opened again in both views, scrolled to its end, and jumped through; then twice in the grid, for its small pictures.
 */
export async function measureStudio(browser, origin) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  try {
    const page = await context.newPage();
    let lists = 0;
    page.on("request", (request) => {
      if (/\/apikey\/requests\?/.test(request.url())) lists++;
    });
    await page.goto(`${origin}/history`);
    await page.getByRole("button", { name: "Open the sandbox" }).click();
    await rows(page).first().waitFor();
    const first = await open(page, `${origin}/history`);
    lists = 0;
    const start = Date.now();
    await read(page);
    const reading = { seconds: (Date.now() - start) / 1000, requests: lists };

    const metrics = await pageMetrics(page);
    const views = [];
    for (const view of ["grid", "table"]) {
      const firstRowsMs = await open(page, `${origin}/history${view === "table" ? "?view=table" : ""}`);
      await read(page);
      await run(page, scrollThrough, { frames: 60, step: 900 });
      const seen = await metrics.perFrame(FRAMES, () => run(page, scrollThrough, { frames: FRAMES }));
      const jumped = await run(page, jumpThrough, { jumps: JUMPS, restMs: 400 });
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
    const thumbs = await measureThumbs(page, {
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
 * them, and serves the studio's own files in between.
 */
async function hostIsIdle(address) {
  for (let quick = 0; quick < 5; ) {
    const start = performance.now();
    await (await fetch(new URL("/healthz", address))).text();
    quick = performance.now() - start < 20 ? quick + 1 : 0;
    await setTimeout(200);
  }
}

/** Opens an address anew, and gives the milliseconds until the first job is there. */
async function open(page, address) {
  await page.goto("about:blank");
  await hostIsIdle(address);
  await page.addInitScript(noteFirstRow);
  await page.goto(address);
  await rows(page).first().waitFor();
  return page.evaluate(() => performance.getEntriesByName("first row")[0].startTime);
}

/** Until the line is gone that says how far the index is. */
async function read(page) {
  await page.waitForTimeout(1500);
  await page.getByText(/^Searching /).waitFor({ state: "detached", timeout: LONGEST_READING_MS });
}

function run(page, work, options) {
  const source = `(${work})(document.querySelector("[data-history-scroller]"), ${JSON.stringify(options)})`;
  return page.evaluate(source);
}

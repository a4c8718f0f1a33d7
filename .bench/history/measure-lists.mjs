import { pageMetrics } from "./page-metrics.mjs";

const FRAMES = 240;
const PACES = [
  { name: "slow", step: 60 },
  { name: "fast", step: 900 },
];

/** Mounts one list and scrolls it at two paces; the first frames of each warm it up. */
export async function measureList(browser, address, { count, slowdown }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction("window.bench");
    const metrics = await pageMetrics(page);
    await page.evaluate((jobs) => window.bench.mount(jobs), count);
    await metrics.slowDown(slowdown);
    const seen = {};
    for (const { name, step } of PACES) {
      await page.evaluate((options) => window.bench.scroll(options), { step, frames: 60 });
      seen[name] = await metrics.perFrame(FRAMES, () =>
        page.evaluate((options) => window.bench.scroll(options), { step, frames: FRAMES }),
      );
    }
    await metrics.slowDown(1);
    return seen;
  } finally {
    await context.close();
  }
}

/** Opens and searches the index of so many jobs, in a page of its own. */
export async function measureIndex(browser, address, count) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction("window.measureIndex");
    return await page.evaluate((jobs) => window.measureIndex(jobs), count);
  } finally {
    await context.close();
  }
}

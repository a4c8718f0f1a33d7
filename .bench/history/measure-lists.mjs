import { openPage } from "../open-page.mjs";
import { pageMetrics } from "./page-metrics.mjs";

const FRAMES = 240;
const PACES = { slow: { step: 60 }, fast: { step: 900 } };

/**
 * Mounts one list and scrolls it at two paces; the first frames of each warm it up.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} address
 * @param {{ count: number, slowdown: number }} asked
 */
export async function measureList(browser, address, { count, slowdown }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const { page, orFail } = await openPage(context, address, "listPage");
    const metrics = await pageMetrics(page);
    await orFail(page.evaluate((jobs) => window.listPage.mount(jobs), count));
    await metrics.slowDown(slowdown);
    /** @param {{ step: number }} pace */
    const scrollAt = async ({ step }) => {
      await orFail(page.evaluate((options) => window.listPage.scroll(options), { step, frames: 60 }));
      return metrics.perFrame(FRAMES, () =>
        orFail(page.evaluate((options) => window.listPage.scroll(options), { step, frames: FRAMES })),
      );
    };
    const seen = { slow: await scrollAt(PACES.slow), fast: await scrollAt(PACES.fast) };
    await metrics.slowDown(1);
    return seen;
  } finally {
    await context.close();
  }
}

/**
 * Opens and searches the index of so many jobs, in a page of its own.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} address
 * @param {number} count
 */
export async function measureIndex(browser, address, count) {
  const context = await browser.newContext();
  try {
    const { page, orFail } = await openPage(context, address, "measureIndex");
    return await orFail(page.evaluate((jobs) => window.measureIndex(jobs), count));
  } finally {
    await context.close();
  }
}

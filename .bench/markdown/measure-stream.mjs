import { openPage } from "../open-page.mjs";
import { threadTime } from "../thread-time.mjs";

const SETTLE_MS = 1500;

/**
 * Streams once into one page and measures it; main-thread time is processor time, not time on the clock.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} address
 * @param {{ shape: string, rate: number, slowdown: number, count: number }} asked
 */
export async function measureStream(browser, address, { shape, rate, slowdown, count }) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  try {
    const { page, orFail } = await openPage(context, address, "streamPage");
    const time = await threadTime(page);
    await time.slowDown(slowdown);
    // Nobody asks in the moment in which a page opens: what it prepares when idle is done by then, on any page.
    await page.waitForTimeout(SETTLE_MS);
    const before = await time.read();
    const query = { shape, rate: String(rate), count: String(count) };
    const seen = await orFail(page.evaluate((asked) => window.streamPage.stream(asked), query));
    const { task } = await time.read();
    await time.slowDown(1);
    const isEqual = await orFail(page.evaluate(() => window.streamPage.check()));
    return {
      task: task - before.task,
      droppedPercent: (100 * seen.dropped) / seen.expected,
      longTasks: seen.longTasks.length,
      longest: Math.max(0, ...seen.longTasks),
      isEqual,
    };
  } finally {
    await context.close();
  }
}

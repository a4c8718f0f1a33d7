import { within } from "./run-bench.mjs";
import { LONGEST_STEP_MS } from "./start-browser.mjs";

/**
 * Opens a page of a bench and waits until it has registered what it offers.
 * @param {import("@playwright/test").BrowserContext} context
 * @param {string} address
 * @param {string} offer such as "bench": what stands in its window then
 */
export async function openPage(context, address, offer) {
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_STEP_MS);
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) =>
    page.once("pageerror", ({ message }) => reject(new Error(`${address} failed: ${message}`))),
  );
  failed.catch(() => undefined);
  /**
   * What `work` in the page gives, or the page's own error as soon as there is one.
   * @template Result
   * @param {Promise<Result>} work
   */
  const orFail = (work) => Promise.race([work, failed]);
  await page.goto(address);
  const ready = page.waitForFunction((name) => name in window, offer, { timeout: 0 });
  // The rest of a wait that is over: its page is closed under it.
  ready.catch(() => undefined);
  await orFail(within(LONGEST_STEP_MS / 1000, `${address} did not come with "${offer}"`, ready));
  return { page, orFail };
}

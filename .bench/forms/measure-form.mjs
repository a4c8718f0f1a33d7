import { openPage } from "../open-page.mjs";
import { threadTime } from "../thread-time.mjs";

const KEY_EVERY_MS = 35;
const REST_MS = 250;

/**
 * Mounts the form of one page, types into its first text field with real keys, then takes the form away and mounts it
 * again. Times are of the main thread, in milliseconds. `mount` is the first form of a cold page, `remount` the next form
 * of a page whose code has run before, as when another model is chosen: both until every field is there and what is near
 * has its controls. `whole` is one more, until the controls that are far out of sight are made as well.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} address
 * @param {{ fields: number, text: string }} asked
 */
export async function measureForm(browser, address, { fields, text }) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    const { page, orFail } = await openPage(context, address, "formPage");
    const time = await threadTime(page);
    const mount = async (withAll = false) => {
      const before = await time.read();
      const seen = await orFail(
        page.evaluate(([count, all]) => window.formPage.mount(count, all), /** @type {const} */ ([fields, withAll])),
      );
      return { ...seen, task: (await time.read()).task - before.task };
    };
    await page.waitForTimeout(REST_MS);
    const first = await mount();

    // Some mark a required field in its name.
    await page.getByRole("textbox", { name: /^Parameter 0\b/ }).focus();
    await page.waitForTimeout(REST_MS);
    const before = await time.read();
    await page.keyboard.type(text, { delay: KEY_EVERY_MS });
    await page.waitForTimeout(REST_MS);
    const after = await time.read();
    const held = await page.evaluate(() => Object.values(window.formPage.payload()));
    if (!held.includes(text)) {
      throw new Error(`${address} holds ${JSON.stringify(held)} after "${text}" was typed.`);
    }

    await page.evaluate(() => window.formPage.clear());
    await page.waitForTimeout(REST_MS);
    const next = await mount();
    await page.evaluate(() => window.formPage.clear());
    await page.waitForTimeout(REST_MS);
    const whole = await mount(true);
    return {
      mount: first.task,
      remount: next.task,
      whole: whole.task,
      allControls: whole.controls,
      firstPaint: first.firstPaint,
      controls: first.controls,
      nodes: first.nodes,
      taskPerKey: (after.task - before.task) / text.length,
      scriptPerKey: (after.script - before.script) / text.length,
    };
  } finally {
    await context.close();
  }
}

import { threadTime } from "../thread-time.mjs";

const KEY_EVERY_MS = 35;
const REST_MS = 250;

/**
 * Mounts the form of one page, types into its first text field with real keys, then takes the form away and mounts it
 * again. Times are of the main thread, in milliseconds. `mount` is the first form of a cold page, `remount` the next form
 * of a page whose code has run before, as when another model is chosen: both until every field is there and what is near
 * has its controls. `whole` is one more, until the controls that are far out of sight are made as well.
 */
export async function measureForm(browser, address, { fields, text }) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error));
    const time = await threadTime(page);
    const mount = async (withAll = false) => {
      const before = await time.read();
      const seen = await page.evaluate(([count, all]) => window.bench.mount(count, all), [fields, withAll]);
      return { ...seen, task: (await time.read()).task - before.task };
    };
    await page.goto(address);
    await page.waitForFunction("window.bench");
    await page.waitForTimeout(REST_MS);
    const first = await mount();

    await page.locator("#root :is(input[type=text], textarea)").first().focus();
    await page.waitForTimeout(REST_MS);
    const before = await time.read();
    await page.keyboard.type(text, { delay: KEY_EVERY_MS });
    await page.waitForTimeout(REST_MS);
    const after = await time.read();
    const held = await page.evaluate(() => Object.values(window.bench.payload()));

    await page.evaluate(() => window.bench.clear());
    await page.waitForTimeout(REST_MS);
    const next = await mount();
    await page.evaluate(() => window.bench.clear());
    await page.waitForTimeout(REST_MS);
    const whole = await mount(true);
    if (errors[0]) throw errors[0];
    if (!held.includes(text)) throw new Error(`${address} holds ${JSON.stringify(held)} after "${text}" was typed.`);
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

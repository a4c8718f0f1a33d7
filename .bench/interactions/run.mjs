// npm run bench -- interactions [--rounds=3]
// How long after a press or a key the next frame is on the screen (Event Timing, interaction to next paint), on the built
// studio with 1,000 jobs, at full speed and with a processor slowed four times.
import { runBench } from "../run-bench.mjs";
import { loadText, percentile } from "../samples.mjs";
import { LONGEST_STEP_MS, startBrowser } from "../start-browser.mjs";
import { startStudio } from "../start-studio.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const SPEEDS = [
  { rate: 1, mostMs: 100 },
  { rate: 4, mostMs: 200 },
];

/**
 * Each does one kind of thing several times.
 * @type {Record<string, (page: Page) => Promise<void>>}
 */
const ACTS = {
  "typing a prompt": async (page) => {
    await go(page, "Create");
    const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
    await prompt.fill("");
    await prompt.pressSequentially("A lighthouse at dusk, 35mm", { delay: 60 });
  },
  "opening the model picker": async (page) => {
    await go(page, "Create");
    await page.keyboard.press("Control+m");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
  "filtering models": async (page) => {
    await go(page, "Create");
    await page.keyboard.press("Control+m");
    await page.getByRole("searchbox", { name: "Search models" }).pressSequentially("lumen fast", { delay: 60 });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
  "changing screens": async (page) => {
    for (const name of ["History", "Playground", "Spend", "Settings", "Create"]) await go(page, name);
  },
  "filtering History": async (page) => {
    await go(page, "History");
    const search = page.getByRole("searchbox").first();
    await search.fill("");
    await search.pressSequentially("lamp red", { delay: 60 });
    await search.fill("");
  },
  "typing in the palette": async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").pressSequentially("history", { delay: 60 });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
};

/**
 * @param {Page} page
 * @param {string} name
 */
async function go(page, name) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await page.waitForTimeout(150);
}

/** Notes the longest event of each interaction, in ms. */
function watchEvents() {
  const events = { type: "event", durationThreshold: 16, buffered: true };
  /** @type {Map<number, number>} */
  const longest = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration } = /** @type {PerformanceEventTiming} */ (entry);
      if (interactionId > 0) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
    }
  }).observe(events);
  window.takeEvents = () => {
    const all = [...longest.values()];
    longest.clear();
    return all;
  };
}

const bench = { name: "interactions", rounds: 3, minutes: { whole: 15, short: 10 } };
await runBench(bench, async ({ rounds, doing, target }) => {
  doing("starting the studio");
  const studio = await startStudio(1000);
  const browser = await startBrowser();
  try {
    for (const { rate, mostMs } of SPEEDS) {
      doing("opening the sandbox");
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(LONGEST_STEP_MS);
      await page.addInitScript(watchEvents);
      await page.goto(`${studio.origin}/connect`);
      await page.getByRole("button", { name: "Open sandbox" }).click();
      await page.getByRole("textbox", { name: "Prompt", exact: true }).waitFor();
      // What each act loads the first time counts as well, but not what the first screen still does by itself.
      await page.waitForTimeout(2000);
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate });
      console.log(`  ${rate}× slowed: median, 95th of 100, worst, in ms (at most ${mostMs})`);
      for (const [name, act] of Object.entries(ACTS)) {
        doing(`${name}, ${rate} times slowed`);
        /** @type {number[]} */
        const times = [];
        for (let round = 0; round < rounds; round++) {
          await page.evaluate(() => window.takeEvents());
          await act(page);
          await page.waitForTimeout(300);
          times.push(...(await page.evaluate(() => window.takeEvents())));
        }
        const [half, most, worst] = [0.5, 0.95, 1].map((share) => Math.round(percentile(times, share)));
        target(
          percentile(times, 0.98) <= mostMs,
          `${name.padEnd(26)}${[half, most, worst].map((ms) => String(ms).padStart(6)).join("")}  of ${times.length}`,
        );
      }
      await page.close();
    }
    console.log(`  ${loadText()}`);
  } finally {
    studio.close();
    await browser.close();
  }
});

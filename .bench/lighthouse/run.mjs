// npm run bench -- lighthouse [--rounds=3] [--screens=connect,create] [--form=mobile] [--origin=http://127.0.0.1:4173]
// Lighthouse as it comes, on the built host, with nothing in the browser's cache: every screen in a tab that is connected
// to the sandbox, Connect in one that is not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { chromiumArguments } from "../../.scripts/find-chromium.mjs";
import { runBench } from "../run-bench.mjs";
import { loadText, median } from "../samples.mjs";
import { chromiumPath, LONGEST_STEP_MS } from "../start-browser.mjs";
import { startStudio } from "../start-studio.mjs";

const CATEGORIES = ["performance", "accessibility", "best-practices"];
/** What counts as a miss, for the screens that people meet first; the others have 100 in what does not depend on time. */
const FIRST = ["connect", "create"];
const SCREENS = [...FIRST, "history", "playground", "spend", "settings"];
const LIMITS = { performance: 98, firstPaintMs: 600, shift: 0.02 };

/**
 * One run in a profile of its own.
 * @param {string} origin
 * @param {string} screen
 * @param {typeof desktopConfig | undefined} config
 */
async function measure(origin, screen, config) {
  const profile = mkdtempSync(join(tmpdir(), "safelight-lighthouse-"));
  const browser = await puppeteer.launch({
    executablePath: chromiumPath(),
    userDataDir: profile,
    args: [...chromiumArguments, "--headless=new"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_STEP_MS);
    if (screen !== "connect") {
      await page.goto(`${origin}/connect`);
      await page.locator("::-p-aria([name='Open sandbox'][role='button'])").click();
      await page.locator("::-p-aria([name='Prompt'][role='textbox'])").wait();
    }
    const session = await page.createCDPSession();
    await session.send("Network.clearBrowserCache");
    // What an installed studio keeps is no first load.
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "service_workers,cache_storage" });
    /** @type {import("lighthouse").Flags} */
    const flags = { onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: "error" };
    const result = await lighthouse(`${origin}/${screen}`, flags, config, page);
    if (!result) throw new Error(`Lighthouse gave no result for ${screen}.`);
    const { audits, categories, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    /** @param {string} id */
    const value = (id) => audits[id]?.numericValue ?? Number.NaN;
    /** @param {string} id */
    const score = (id) => Math.round(100 * (categories[id]?.score ?? 0));
    const wrong = Object.values(categories)
      .filter(({ id }) => id !== "performance")
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id);
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      practices: score("best-practices"),
      firstPaintMs: value("first-contentful-paint"),
      largestMs: value("largest-contentful-paint"),
      speedMs: value("speed-index"),
      blockedMs: value("total-blocking-time"),
      shift: value("cumulative-layout-shift"),
      wrong,
    };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Figures */

const bench = {
  name: "lighthouse",
  rounds: 3,
  minutes: { whole: 30, short: 10 },
  options: ["screens", "form", "origin"],
};
await runBench(bench, async ({ rounds, isShort, option, names, doing, target, must }) => {
  const screens = names("screens", isShort ? FIRST : SCREENS);
  const config = option("form") === "desktop" ? desktopConfig : undefined;
  const given = option("origin");
  doing("starting the studio");
  const studio = given ? { origin: given, close() {} } : await startStudio(40);
  try {
    console.log("  screen      perf  a11y  best  first  largest  speed  blocked  shift   (medians)");
    for (const screen of screens) {
      /** @type {Figures[]} */
      const measured = [];
      for (let round = 0; round < rounds; round++) {
        doing(`measuring ${screen}, round ${round + 1}`);
        measured.push(await measure(studio.origin, screen, config));
      }
      /** @param {Exclude<keyof Figures, "wrong">} name */
      const of = (name) => median(measured.map((each) => each[name]));
      /** @type {[value: number | string, width: number][]} */
      const cells = [
        [of("performance"), 6],
        [of("accessibility"), 6],
        [of("practices"), 6],
        [Math.round(of("firstPaintMs")), 7],
        [Math.round(of("largestMs")), 9],
        [Math.round(of("speedMs")), 7],
        [Math.round(of("blockedMs")), 9],
        [of("shift").toFixed(3), 7],
      ];
      console.log(`  ${screen.padEnd(10)}${cells.map(([text, width]) => String(text).padStart(width)).join("")}`);
      const wrong = [...new Set(measured.flatMap((each) => each.wrong))];
      must(wrong.length === 0, `${screen}: every audit${wrong.length > 0 ? `, and not ${wrong.join(", ")}` : ""}`);
      target(of("shift") < LIMITS.shift, `${screen}: layout shift under ${LIMITS.shift}`);
      if (!FIRST.includes(screen)) continue;
      target(of("performance") >= LIMITS.performance, `${screen}: performance ${LIMITS.performance}`);
      target(of("firstPaintMs") <= LIMITS.firstPaintMs, `${screen}: first paint within ${LIMITS.firstPaintMs} ms`);
    }
    console.log(`  ${loadText()}`);
  } finally {
    studio.close();
  }
});

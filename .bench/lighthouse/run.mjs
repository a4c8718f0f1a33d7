// npm run bench -- lighthouse [--runs=3] [--screens=connect,create] [--form=mobile]
// Lighthouse as it comes, on the built host, with nothing in the browser's cache: every screen in a tab that is connected
// to the sandbox, Connect in one that is not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { chromiumArguments, findChromium } from "../../.scripts/find-chromium.mjs";
import { startStudio } from "../start-studio.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const runs = Number(options.runs ?? 3);
const screens = (options.screens ?? "connect,create,history,playground,spend,settings").split(",");
const config = options.form === "desktop" ? desktopConfig : undefined;
const CATEGORIES = ["performance", "accessibility", "best-practices"];
/** What counts as a miss, for the screens that people meet first; the others have 100 in what does not depend on time. */
const FIRST = new Set(["connect", "create"]);
const LIMITS = { performance: 98, firstPaintMs: 600, shift: 0.02 };

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** One run in a profile of its own. */
async function measure(origin, screen) {
  const profile = mkdtempSync(join(tmpdir(), "safelight-lighthouse-"));
  const browser = await puppeteer.launch({
    executablePath: findChromium(),
    userDataDir: profile,
    args: [...chromiumArguments, "--headless=new"],
  });
  try {
    const page = await browser.newPage();
    if (screen !== "connect") {
      await page.goto(`${origin}/connect`);
      await (await page.waitForSelector("::-p-aria([name='Open the sandbox'][role='button'])")).click();
      await page.waitForSelector("main textarea");
    }
    const session = await page.createCDPSession();
    await session.send("Network.clearBrowserCache");
    // What an installed studio keeps is no first load.
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "service_workers,cache_storage" });
    const flags = { onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: "error" };
    const { lhr } = await lighthouse(`${origin}/${screen}`, flags, config, page);
    const value = (id) => lhr.audits[id]?.numericValue ?? 0;
    const score = (id) => Math.round(100 * (lhr.categories[id]?.score ?? 0));
    const wrong = Object.values(lhr.categories)
      .filter(({ id }) => id !== "performance")
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 1)
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

const studio = options.origin ? { origin: options.origin, close() {} } : await startStudio(40);
try {
  console.log("  screen      perf  a11y  best  first  largest  speed  blocked  shift   (medians)");
  for (const screen of screens) {
    const measured = [];
    for (let run = 0; run < runs; run++) measured.push(await measure(studio.origin, screen));
    const of = (name) => median(measured.map((each) => each[name]));
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
    const wrong = new Set(measured.flatMap((each) => each.wrong));
    const missed = [
      ...(wrong.size > 0 ? [`audits: ${[...wrong].join(", ")}`] : []),
      ...(of("shift") >= LIMITS.shift ? [`layout shift under ${LIMITS.shift}`] : []),
      ...(FIRST.has(screen) && of("performance") < LIMITS.performance ? [`performance ${LIMITS.performance}`] : []),
      ...(FIRST.has(screen) && of("firstPaintMs") > LIMITS.firstPaintMs
        ? [`first paint within ${LIMITS.firstPaintMs} ms`]
        : []),
    ];
    for (const miss of missed) console.log(`  MISSED ${miss}`);
    if (missed.length > 0) process.exitCode = 1;
  }
} finally {
  studio.close();
}

import { defineConfig } from "@playwright/test";
import { chromiumArguments, findChromium } from "../../.scripts/find-chromium.mjs";
import { isLongSuite } from "../setup/cases.ts";

const executablePath = findChromium();

/**
 * A zone in which it is noon now, on the same date as in UTC: no midnight, no month's end and no change of clocks comes
 * while stories run. What happens at midnight has tests with a clock of their own.
 */
function zoneAtNoon(): string {
  const eastOfUtc = 12 - new Date().getUTCHours();
  return `Etc/GMT${eastOfUtc > 0 ? "-" : "+"}${Math.abs(eastOfUtc)}`;
}

// Every worker reads this file again, maybe after midnight in UTC.
process.env.STORY_ZONE ??= zoneAtNoon();

/** Stories with a tag that begins so: `npm run test:long` makes its parts of them. */
const onlyInLongSuite = isLongSuite ? [] : [/@long/];

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.flow.ts",
  outputDir: "../../test-results",
  globalSetup: ["./build-first.ts", "../setup/left-behind.ts"],
  fullyParallel: true,
  forbidOnly: true,
  // Stories wait about as much as they compute: two cores carry four. Those of the long suite compute more.
  workers: isLongSuite ? 2 : 4,
  retries: 0,
  // Limits end what hangs and decide nothing else: a loaded machine takes many times as long over the same work. The long
  // suite searches the heap after each story and paints more pictures.
  timeout: isLongSuite ? 900_000 : 300_000,
  expect: { timeout: isLongSuite ? 180_000 : 60_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    timezoneId: process.env.STORY_ZONE,
    // Colours in the middle of a fade are not what axe should judge.
    contextOptions: { reducedMotion: "reduce" },
    // A trace takes a picture of every step, also of the stories that pass: `TRACE=1 npm run flows` keeps those that fail.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    // Else a snapshot of the heap has only the beginning of each string, and the key may stand further behind.
    launchOptions: {
      args: [...chromiumArguments, "--js-flags=--heap-snapshot-string-limit=1000000"],
      ...(executablePath ? { executablePath } : {}),
    },
  },
  // What takes longest begins first: a story that starts last would run alone on one processor.
  projects: [
    { name: "slow", grep: /@slow/, grepInvert: onlyInLongSuite },
    { name: "chromium", grepInvert: [/@slow/, ...onlyInLongSuite] },
  ],
});

// Runs the tests of Vitest and the stories of Playwright, and says what came of them: for npm test, the long suite and the
// soak.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { projectRoot } from "./ensure-installed.mjs";
import { runNode } from "./run.mjs";

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} skipped
 * @property {string[]} failures what failed, by name; empty where all is well
 */

const reports = join(projectRoot, "node_modules", ".safelight-reports");

/**
 * A command that passes or fails as a whole.
 * @param {string} name how its failure is named
 * @param {string[]} nodeArguments
 * @param {NodeJS.ProcessEnv} [env] further environment
 * @returns {Promise<Outcome>}
 */
export async function runCommand(name, nodeArguments, env = {}) {
  const code = await runNode(nodeArguments, { cwd: projectRoot, env: { ...process.env, ...env } });
  return { passed: 0, skipped: 0, failures: code === 0 ? [] : [`${name} (exit code ${code})`] };
}

/**
 * The tests of Vitest, all of them or those in files that an argument names.
 * @param {string[]} vitestArguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Outcome>}
 */
export async function runUnit(vitestArguments = [], env = {}) {
  const report = freshReport("unit.json");
  const code = await runNode(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=minimal",
      "--reporter=json",
      `--outputFile.json=${report}`,
      "--reporter=./.scripts/unit-progress.mjs",
      ...vitestArguments,
    ],
    { cwd: projectRoot, env: { ...process.env, ...env } },
  );
  /** @type {{ numPassedTests: number, numPendingTests: number, testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] } | undefined} */
  const told = readReport(report);
  const failures = (told?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(projectRoot, "");
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") return [`${file} (the file itself)`];
    return failed.map(({ fullName }) => `${file} › ${fullName}`);
  });
  return outcome(code, "the unit tests", failures, told?.numPassedTests, told?.numPendingTests);
}

/**
 * The stories of Playwright.
 * @param {string[]} playwrightArguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Outcome>}
 */
export async function runStories(playwrightArguments = [], env = {}) {
  const report = freshReport("flows.json");
  const code = await runNode(
    [
      "node_modules/@playwright/test/cli.js",
      "test",
      "--config",
      "test/flows/playwright.config.ts",
      "--reporter=json,./.scripts/story-progress.mjs",
      ...playwrightArguments,
    ],
    {
      cwd: projectRoot,
      env: {
        ...process.env,
        CHROMIUM_PATH: await ensureChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      },
    },
  );
  /** @type {{ stats?: { expected: number, skipped: number }, suites?: PlaywrightSuite[] } | undefined} */
  const told = readReport(report);
  const failures = (told?.suites ?? []).flatMap((suite) => failedStories(suite, []));
  return outcome(code, "the stories", failures, told?.stats?.expected, told?.stats?.skipped);
}

/** What came of all stages of npm test, for whoever runs it as a process. @param {Outcome} sum */
export function writeSum(sum) {
  writeFileSync(freshReport("sum.json"), JSON.stringify(sum));
}

/** Runs npm test as a process of its own. @returns {Promise<Outcome>} */
export async function runAllStages() {
  const report = freshReport("sum.json");
  const { failures } = await runCommand("npm test", [".scripts/test.mjs"]);
  return readReport(report) ?? { passed: 0, skipped: 0, failures };
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {string} title
 * @property {{ title: string, ok: boolean }[]} [specs]
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * @param {PlaywrightSuite} suite
 * @param {string[]} above
 * @returns {string[]}
 */
function failedStories({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.filter(({ ok }) => !ok).map((spec) => [...path, spec.title].join(" › "));
  return [...own, ...suites.flatMap((suite) => failedStories(suite, path))];
}

/**
 * A run that failed without a test that failed, or that ran none, is a failure as well.
 * @param {number} code
 * @param {string} what
 * @param {string[]} failures
 * @returns {Outcome}
 */
function outcome(code, what, failures, passed = 0, skipped = 0) {
  if (failures.length === 0 && code !== 0) return { passed, skipped, failures: [`${what} (exit code ${code})`] };
  if (failures.length === 0 && passed === 0) return { passed, skipped, failures: [`${what}: none ran`] };
  return { passed, skipped, failures };
}

/** @param {string} file */
function freshReport(file) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, file);
  rmSync(path, { force: true });
  return path;
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

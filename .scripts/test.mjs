// npm test: everything that must hold, one stage after the other, ending at the first that fails.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { runNode } from "./run.mjs";

const reports = join(projectRoot, "node_modules", ".safelight-reports");
const unitReport = join(reports, "unit.json");
const flowsReport = join(reports, "flows.json");

const stages = [
  { name: "install", run: () => ensureInstalled().then(() => 0) },
  { name: "types, lint and build", run: checkAndBuild },
  {
    name: "unit",
    run: () => tool("vitest/vitest.mjs", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${unitReport}`),
  },
  { name: "size", run: () => runNode([".scripts/size.mjs"], { cwd: projectRoot }) },
  { name: "hashes", run: () => runNode([".scripts/verify.mjs"], { cwd: projectRoot }) },
  { name: "browser", run: runFlows },
];

rmSync(reports, { recursive: true, force: true });
let failedStage;
for (const { name, run } of stages) {
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const code = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`── ${name} ${code === 0 ? "passed" : "failed"} in ${seconds} s`);
  if (code !== 0) {
    failedStage = { name, code };
    break;
  }
}

const unit = countUnit();
const flows = countFlows();
const failed = unit.failed + flows.failed;
console.log(`\nunit: ${describe(unit)}; browser: ${describe(flows)}`);
if (failedStage) console.log(`The stage "${failedStage.name}" failed.`);
// A stage that failed without a failing test, such as types, still counts as one failure.
console.log(`${unit.passed + flows.passed} passed, ${failedStage ? Math.max(failed, 1) : failed} failed`);
process.exit(failedStage?.code ?? 0);

function tool(path, ...toolArguments) {
  return runNode([join("node_modules", path), ...toolArguments], { cwd: projectRoot });
}

/** Three that need nothing of each other: none of them alone keeps two processors busy. */
async function checkAndBuild() {
  const codes = await Promise.all([
    tool("typescript/bin/tsc", "--noEmit"),
    tool("@biomejs/biome/bin/biome", "check", "--log-level=warn", "."),
    ensureBuilt().then(() => 0),
  ]);
  return codes.find((code) => code !== 0) ?? 0;
}

async function runFlows() {
  const browser = await ensureChromium();
  console.log(`Browser: ${browser}`);
  mkdirSync(reports, { recursive: true });
  const env = { ...process.env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: flowsReport };
  const playwright = "node_modules/@playwright/test/cli.js";
  const flowArguments = ["test", "--config", "test/flows/playwright.config.ts", "--reporter=list,json"];
  return runNode([playwright, ...flowArguments], { cwd: projectRoot, env });
}

function countUnit() {
  const report = readReport(unitReport);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
  };
}

function countFlows() {
  const stats = readReport(flowsReport)?.stats;
  return { passed: stats?.expected ?? 0, failed: stats?.unexpected ?? 0, skipped: stats?.skipped ?? 0 };
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}

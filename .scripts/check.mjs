// npm run check: types, lint, and the tests of what changed since main, in less than a minute. What it leaves out, npm test
// has: files that only import what changed, and the stories.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { inWords } from "./progress.mjs";
import { runCommand, runUnit } from "./suites.mjs";

await ensureInstalled();
const startedAt = performance.now();
const changed = changedFiles();
const tests = [...new Set(changed.flatMap(testsOf))];
console.log(`${changed.length} files changed since main, ${tests.length} files of tests belong to them.`);

const outcomes = [
  ...(await Promise.all([
    runCommand("types", ["node_modules/typescript/bin/tsc", "--noEmit"]),
    runCommand("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--log-level=warn", "."]),
  ])),
  await runUnit(["test/architecture.test.ts", "test/documents.test.ts", ...tests]),
];
const failures = outcomes.flatMap((outcome) => outcome.failures);
for (const failure of failures) console.log(`✘ ${failure}`);
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
console.log(`${passed} passed, ${failures.length} failed, in ${inWords((performance.now() - startedAt) / 1000)}`);
process.exit(failures.length === 0 ? 0 : 1);

/** What differs from where this branch left main, with what is not committed or not added yet. */
function changedFiles() {
  const main = ["origin/main", "main"].find((name) => git("rev-parse", "--verify", "--quiet", name) !== "");
  const base = main === undefined ? "HEAD" : git("merge-base", "HEAD", main).trim();
  const lists = [git("diff", "--name-only", base), git("ls-files", "--others", "--exclude-standard")];
  return lists.flatMap((list) => list.split("\n").filter((path) => path !== "" && existsSync(join(projectRoot, path))));
}

/**
 * The folders of `test/` are those of `src/`: a file's tests are its namesakes there, or all of the folder where it has
 * none.
 * @param {string} path
 * @returns {string[]}
 */
function testsOf(path) {
  if (/\.test\.tsx?$/.test(path)) return [path];
  const folder = path.replace(/^src\//, "test/");
  if (!/^(src|test)\//.test(path) || path.startsWith("test/flows/")) return [];
  const directory = dirname(folder);
  const beside = existsSync(join(projectRoot, directory))
    ? readdirSync(join(projectRoot, directory)).filter((name) => /(?<!\.long)\.test\.tsx?$/.test(name))
    : [];
  const name = basename(path).replace(/\.tsx?$/, "");
  const own = beside.filter((test) => test.startsWith(`${name}.`));
  return (own.length > 0 ? own : beside).map((test) => `${directory}/${test}`);
}

/** @param {string[]} gitArguments */
function git(...gitArguments) {
  try {
    return execFileSync("git", gitArguments, {
      cwd: projectRoot,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

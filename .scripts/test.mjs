// npm test: everything that must hold. All stages run, also after one that failed, as far as they can; the end says what
// failed, and its last line is the sum. `npm run test:long` has the rest.
import { ensureInstalled } from "./ensure-installed.mjs";
import { inWords } from "./progress.mjs";
import { runCommand, runStories, runUnit, writeSum } from "./suites.mjs";

/**
 * @typedef {import("./suites.mjs").Outcome} Outcome
 * @typedef {object} Stage
 * @property {string} name
 * @property {number} seconds what it takes on two quiet cores: the time left is told by it
 * @property {() => Promise<Outcome>} run
 * @property {string} [needs] "build" where it cannot begin without the build
 */

const DONE = { passed: 0, skipped: 0, failures: [] };

/** @type {Stage[]} */
const stages = [
  { name: "install", seconds: 1, run: () => ensureInstalled().then(() => DONE) },
  { name: "types, lint and build", seconds: 26, run: checkAndBuild },
  { name: "size and hashes", seconds: 1, needs: "build", run: checkBuild },
  { name: "unit", seconds: 145, run: () => runUnit([], { SECONDS_AFTERWARDS: secondsAfter("unit") }) },
  { name: "browser", seconds: 185, needs: "build", run: () => runStories() },
];

const startedAt = performance.now();
const sum = { passed: 0, skipped: 0 };
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const times = [];
let isBuilt = false;
/** How many times as long as on two quiet cores the last stage took. */
let slowness = 1;

for (const { name, seconds, run, needs } of stages) {
  if (needs === "build" && !isBuilt) {
    failures.push(`${name}: not run, since the build failed`);
    continue;
  }
  console.log(
    `\n── ${name}, about ${inWords(seconds * slowness)} of ${inWords(seconds * slowness + Number(secondsAfter(name)))}`,
  );
  const began = performance.now();
  const outcome = await run().catch((error) => ({ ...DONE, failures: [String(error)] }));
  const took = (performance.now() - began) / 1000;
  if (seconds > 5) slowness = took / seconds;
  sum.passed += outcome.passed;
  sum.skipped += outcome.skipped;
  failures.push(...outcome.failures.map((failure) => `${name}: ${failure}`));
  times.push(`${name} ${inWords(took)}`);
  console.log(`── ${name} ${outcome.failures.length === 0 ? "passed" : "FAILED"} in ${inWords(took)}`);
}

console.log(`\n${times.join(" · ")}`);
for (const failure of failures) console.log(`✘ ${failure}`);
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : "";
const inAll = inWords((performance.now() - startedAt) / 1000);
console.log(`${sum.passed} passed, ${failures.length} failed${skipped}, in ${inAll}`);
writeSum({ ...sum, failures });
process.exit(failures.length === 0 ? 0 : 1);

/** Three that need nothing of each other: none of them alone keeps two processors busy. */
async function checkAndBuild() {
  const outcomes = await Promise.all([
    runCommand("types", ["node_modules/typescript/bin/tsc", "--noEmit"]),
    runCommand("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--log-level=warn", "."]),
    build(),
  ]);
  return { ...DONE, failures: outcomes.flatMap((outcome) => outcome.failures) };
}

/** @returns {Promise<Outcome>} */
async function build() {
  const ensureBuilt = 'await (await import("./.scripts/ensure-built.mjs")).ensureBuilt()';
  const outcome = await runCommand("build", ["--input-type=module", "--eval", ensureBuilt]);
  isBuilt = outcome.failures.length === 0;
  return outcome;
}

async function checkBuild() {
  const size = await runCommand("size", [".scripts/size.mjs"]);
  const hashes = await runCommand("hashes", [".scripts/verify.mjs"]);
  return { ...DONE, failures: [...size.failures, ...hashes.failures] };
}

/** @param {string} name */
function secondsAfter(name) {
  const at = stages.findIndex((stage) => stage.name === name);
  return String(Math.round(stages.slice(at + 1).reduce((left, { seconds }) => left + seconds * slowness, 0)));
}

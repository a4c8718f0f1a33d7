// npm run test:soak -- 10: runs the tests again and again, to find what fails by chance. Each run adds a line to a file
// outside the repository: start, load of the machine, seconds, what passed and what failed.
//
//     npm run test:soak -- 10                           ten times npm test
//     npm run test:soak -- 50 --stage browser           fifty times the stories alone, or `unit`
//     npm run test:soak -- 3 --beside 2                 beside two threads that keep a core busy each
//     npm run test:soak -- 10 --file ~/soak.tsv         into another file than the one that it names at its start

import { appendFileSync, existsSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { runAllStages, runStories, runUnit } from "./suites.mjs";

/** @type {Record<string, () => Promise<import("./suites.mjs").Outcome>>} */
const STAGES = {
  all: runAllStages,
  unit: () => runUnit(),
  browser: () => runStories(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: "string", default: "all" },
    beside: { type: "string", default: "0" },
    file: { type: "string", default: join(tmpdir(), "safelight-soak.tsv") },
  },
});
const count = Number(positionals[0] ?? 1);
const beside = Number(values.beside);
const runStage = STAGES[values.stage];
if (!runStage || !(Number.isSafeInteger(count) && count > 0) || !Number.isSafeInteger(beside)) {
  console.error(`Usage: npm run test:soak -- N [--stage ${Object.keys(STAGES).join("|")}] [--beside N] [--file FILE]`);
  process.exit(2);
}

await ensureInstalled();
await ensureBuilt();
console.log(`Each run is added to ${values.file}`);
if (!existsSync(values.file)) write(["start", "stage", "beside", "load", "seconds", "passed", "failed", "failures"]);
const burning = Array.from({ length: beside }, () => new Worker("for (;;);", { eval: true }));
let failedRuns = 0;
for (let run = 1; run <= count; run++) {
  const start = new Date();
  const load = loadavg()[0]?.toFixed(1) ?? "";
  const { passed, failures } = await runStage();
  const seconds = ((Date.now() - start.getTime()) / 1000).toFixed(0);
  write([
    start.toISOString(),
    values.stage,
    values.beside,
    load,
    seconds,
    passed,
    failures.length,
    failures.join("; "),
  ]);
  if (failures.length > 0) failedRuns++;
  console.log(`── run ${run} of ${count}: ${failures.length === 0 ? "passed" : "FAILED"} in ${seconds} s`);
}
await Promise.all(burning.map((worker) => worker.terminate()));
console.log(`${count} runs, ${failedRuns} failed`);
process.exit(failedRuns === 0 ? 0 : 1);

/** @param {(string | number)[]} cells */
function write(cells) {
  appendFileSync(values.file, `${cells.map((cell) => String(cell).replace(/\s+/g, " ")).join("\t")}\n`);
}

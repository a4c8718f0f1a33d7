// The long run of the submit simulation: `npm run simulate -- --schedules 1000000`, or one schedule again with
// `--body plain --seed 42`. Splits the seeds over the cores; failing seeds are printed and stored in
// test/simulation/failed-seeds.txt, which `npm test` runs first from then on.
import { fork } from "node:child_process";
import { appendFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    schedules: { type: "string", default: "10000" },
    first: { type: "string", default: "1" },
    body: { type: "string" },
    seed: { type: "string" },
    worker: { type: "boolean", default: false },
  },
});
const BODIES = ["relay", "stream", "plain"];
const bodies = values.body === undefined ? BODIES : [values.body];
const first = Number(values.seed ?? values.first);
const count = values.seed === undefined ? Number(values.schedules) : 1;
if (!bodies.every((body) => BODIES.includes(body)) || !Number.isSafeInteger(first) || !Number.isSafeInteger(count)) {
  console.error("Usage: npm run simulate -- [--schedules N] [--first N] [--body relay|stream|plain] [--seed N]");
  process.exit(2);
}

/** Runs a range of seeds in this process, in parts, each of which is reported. */
async function runHere(from, howMany, onPart) {
  const { module } = await runnerImport(`${root}test/simulation/sim-world.ts`, {
    root,
    configFile: false,
    logLevel: "error",
  });
  const PART = 5_000;
  for (let done = 0; done < howMany; done += PART) {
    for (const body of bodies) {
      const share = Math.ceil(Math.min(PART, howMany - done) / bodies.length);
      onPart(await module.runSchedules(body, module.seedsFrom(from + done, share)));
    }
  }
}

if (values.worker) {
  await runHere(first, count, (report) => process.send?.(report));
  process.disconnect?.();
} else {
  const total = { schedules: 0, posts: 0, charges: 0, duplicates: 0, failed: [] };
  const add = (report) => {
    for (const name of ["schedules", "posts", "charges", "duplicates"]) total[name] += report[name];
    for (const failure of report.failed) {
      total.failed.push(failure);
      console.log(`FAILED ${failure.body} ${failure.seed}`);
      for (const { invariant, text } of failure.findings) console.log(`  ${invariant} ${text}`);
      if (values.seed === undefined) {
        appendFileSync(`${root}test/simulation/failed-seeds.txt`, `${failure.body} ${failure.seed}\n`);
      }
    }
  };
  const startedAt = Date.now();
  const cores = count < 1_000 ? 1 : availableParallelism();
  if (cores === 1) await runHere(first, count, add);
  else {
    const each = Math.ceil(count / cores);
    await Promise.all(
      Array.from({ length: cores }, (_, core) => {
        const range = [
          "--first",
          String(first + core * each),
          "--schedules",
          String(Math.min(each, count - core * each)),
        ];
        const only = values.body === undefined ? [] : ["--body", values.body];
        const child = fork(fileURLToPath(import.meta.url), ["--worker", ...range, ...only]);
        child.on("message", add);
        return new Promise((resolve, reject) =>
          child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with ${code}.`)))),
        );
      }),
    );
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${total.schedules} schedules, ${total.posts} submits sent, ${total.charges} charges, ${total.duplicates} duplicates by the network, all reported; ${total.failed.length} failed; ${seconds} s`,
  );
  process.exitCode = total.failed.length === 0 ? 0 : 1;
}

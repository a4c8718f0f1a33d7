// The long run of the submit simulation. Splits the seeds over the cores; failing seeds are printed and stored in
// test/simulation/failed-seeds.txt, which `npm test` runs first from then on.
//
//     npm run simulate                                  20,000 schedules
//     npm run simulate -- --schedules 1000000           as many as it is asked for
//     npm run simulate -- --way relay --seed 42 --trace one of them again, with all that happens in it
//     npm run simulate -- --mutations                   breaks the code on purpose: each fault must be found
//     npm run simulate -- --mutations window            those whose name contains a word
import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

/**
 * @typedef {import("../test/simulation/sim-settings.ts").SimWay} SimWay
 * @typedef {import("../test/simulation/mutations.ts").Mutation} Mutation
 * @typedef {import("../test/simulation/run-schedules.ts").FailedSeed} FailedSeed
 * @typedef {Awaited<ReturnType<typeof import("../test/simulation/run-schedules.ts").runSchedules>>} Report
 * @typedef {{ way: SimWay, seed: number, finding: FailedSeed["findings"][number] }} Found
 * @typedef {{
 *   "run-schedules.ts": typeof import("../test/simulation/run-schedules.ts"),
 *   "mutations.ts": typeof import("../test/simulation/mutations.ts"),
 *   "sim-schedule.ts": typeof import("../test/simulation/sim-schedule.ts"),
 *   "sim-world.ts": typeof import("../test/simulation/sim-world.ts"),
 * }} Modules
 */

const root = fileURLToPath(new URL("..", import.meta.url));
/** @type {SimWay[]} */
const WAYS = ["relay", "two-hosts", "stream", "plain"];
/** A mutation that so many schedules of each way do not find has survived. */
const MAX_PER_MUTATION = 3_000;
const PART = 250;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    schedules: { type: "string", default: "20000" },
    first: { type: "string", default: "1" },
    way: { type: "string" },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
    mutations: { type: "boolean", default: false },
    mutation: { type: "string" },
    worker: { type: "boolean", default: false },
  },
});
const ways = WAYS.filter((way) => values.way === undefined || values.way === way);
const first = Number(values.seed ?? values.first);
const count = values.seed === undefined ? Math.ceil(Number(values.schedules) / ways.length) : 1;
if (ways.length === 0 || !Number.isSafeInteger(first) || !Number.isSafeInteger(count)) {
  console.error(
    `Usage: npm run simulate -- [--schedules N] [--first N] [--way ${WAYS.join("|")}] [--seed N [--trace]]`,
  );
  console.error("       npm run simulate -- --mutations [word]");
  process.exit(2);
}

/**
 * A module of the simulation, with the sources as they are or with one mutation.
 * @template {keyof Modules} Name
 * @param {Name} file
 * @param {Mutation} [mutation]
 * @returns {Promise<Modules[Name]>}
 */
async function load(file, mutation) {
  const plugins = mutation === undefined ? [] : [mutate(mutation)];
  /** @type {import("vite").InlineConfig} */
  const options = { root, configFile: false, logLevel: "error", plugins };
  return (await runnerImport(`${root}test/simulation/${file}`, options)).module;
}

/**
 * Patches sources as they are read.
 * @param {Mutation} mutation
 * @returns {import("vite").Plugin}
 */
function mutate({ patches }) {
  return {
    name: "mutate",
    enforce: "pre",
    transform(code, id) {
      const own = patches.filter(({ file }) => id === `${root}${file}`);
      return own.length === 0
        ? undefined
        : own.reduce((text, { find, replace }) => text.replace(find, () => replace), code);
    },
  };
}

/**
 * Runs a range of seeds of each way in this process, in parts, each of which is reported.
 * @param {(report: Report) => void} onPart
 */
async function runHere(onPart) {
  const { runSchedules, seedsFrom } = await load("run-schedules.ts");
  for (let done = 0; done < count; done += PART) {
    for (const way of ways) onPart(await runSchedules(way, seedsFrom(first + done, Math.min(PART, count - done))));
  }
}

/**
 * Runs schedules with one mutation until one of them fails that does not fail without it.
 * @param {string} name
 * @returns {Promise<{ name: string, schedules: number } & Partial<Found>>}
 */
async function runMutation(name) {
  const { MUTATIONS } = await load("mutations.ts");
  const mutation = MUTATIONS.find((one) => one.name === name);
  if (!mutation) throw new Error(`There is no mutation "${name}".`);
  const { runSchedules, seedsFrom } = await load("run-schedules.ts", mutation);
  const asItIs = await load("run-schedules.ts");
  let schedules = 0;
  for (let from = 1; from <= MAX_PER_MUTATION; from += PART) {
    for (const way of mutation.ways ?? WAYS) {
      const report = await runSchedules(way, seedsFrom(from, PART), {}, true);
      schedules += report.schedules;
      for (const { seed, findings } of report.failed) {
        const { failed } = await asItIs.runSchedules(way, [seed]);
        const [finding] = findings;
        if (failed.length === 0 && finding) return { name, schedules, way, seed, finding };
      }
    }
  }
  return { name, schedules };
}

/**
 * A process of its own, which sends what `Sent` says.
 * @template Sent
 * @param {string[]} args
 * @param {(sent: Sent) => void} onMessage
 */
async function startWorker(args, onMessage) {
  const child = fork(fileURLToPath(import.meta.url), ["--worker", ...args]);
  child.on("message", (sent) => onMessage(/** @type {Sent} */ (sent)));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`A worker ended with ${code}.`);
}

async function traceOne() {
  const { createSchedule } = await load("sim-schedule.ts");
  const { settled } = await load("sim-world.ts");
  const world = createSchedule(first, ways[0] ?? "relay", {}, { trace: (text) => console.log(text) });
  do await settled();
  while (world.step());
  for (const { invariant, text } of world.findings()) console.log(`${invariant} ${text}`);
}

async function runAll() {
  const total = { schedules: 0, posts: 0, charges: 0, duplicates: 0, failed: 0 };
  /** @param {Report} report */
  const add = (report) => {
    for (const name of /** @type {const} */ (["schedules", "posts", "charges", "duplicates"]))
      total[name] += report[name];
    for (const failure of report.failed) {
      total.failed += 1;
      console.log(`FAILED ${failure.way} ${failure.seed}`);
      for (const { invariant, text } of failure.findings) console.log(`  ${invariant} ${text}`);
      if (values.seed === undefined) {
        appendFileSync(`${root}test/simulation/failed-seeds.txt`, `${failure.way} ${failure.seed}\n`);
      }
    }
  };
  const startedAt = Date.now();
  const cores = count < 250 ? 1 : availableParallelism();
  if (cores === 1) await runHere(add);
  else {
    const each = Math.ceil(count / cores);
    await Promise.all(
      Array.from({ length: cores }, (_, core) => {
        const share = Math.min(each, count - core * each) * ways.length;
        const way = values.way === undefined ? [] : ["--way", values.way];
        return startWorker(["--first", String(first + core * each), "--schedules", String(share), ...way], add);
      }),
    );
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${total.schedules} schedules, ${total.posts} submits sent, ${total.charges} charges, ${total.duplicates} duplicates by a browser without a host, all reported; ${total.failed} failed; ${seconds} s`,
  );
  process.exitCode = total.failed === 0 ? 0 : 1;
}

async function runMutations() {
  const { MUTATIONS } = await load("mutations.ts");
  const names = MUTATIONS.map(({ name }) => name).filter((name) => name.includes(positionals[0] ?? ""));
  /** @type {string[]} */
  const survivors = [];
  const next = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      /** @param {Awaited<ReturnType<typeof runMutation>>} found */
      const onFound = ({ name, schedules, way, seed, finding }) => {
        if (!finding) survivors.push(name);
        const how = finding ? `found by ${way} ${seed}: ${finding.invariant} ${finding.text}` : "SURVIVED";
        console.log(`${name}: ${how} (${schedules} schedules)`);
      };
      await startWorker(["--mutation", name], onFound);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  console.log(survivors.length === 0 ? "Every mutation was found." : `Survived: ${survivors.join(", ")}`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}

if (values.worker) {
  if (values.mutation === undefined) await runHere((report) => process.send?.(report));
  else process.send?.(await runMutation(values.mutation));
  process.disconnect?.();
} else if (values.mutations) await runMutations();
else if (values.seed !== undefined && values.trace) await traceOne();
else await runAll();

// npm run bench -- relay [--rounds=2]: the built host between a client and a service, both on loopback.
// One short round sends a tenth of everything.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ensureBuilt } from "../../.scripts/ensure-built.mjs";
import { projectRoot } from "../../.scripts/ensure-installed.mjs";
import {
  measureLarge,
  measureLatency,
  measureMany,
  measureMemory,
  measureSession,
  measureSubmits,
  startRelayRig,
} from "../../.scripts/relay-load.mjs";
import { runBench } from "../run-bench.mjs";
import { loadText } from "../samples.mjs";

/** @typedef {import("../../.scripts/relay-load.mjs").RelayRig} RelayRig */

// On the disk of the project: a temporary folder may be in memory, where to be durable takes no time.
const scratch = join(projectRoot, "node_modules", ".safelight-bench");

/** @param {number} value */
const ms = (value) => value.toFixed(2);
/** @param {number} count */
const inWords = (count) => count.toLocaleString("en-US");

const bench = { name: "relay", rounds: 2, minutes: { whole: 30, short: 10 } };
await runBench(bench, async ({ rounds, isShort, doing, must }) => {
  doing("building the host");
  await ensureBuilt();
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    for (let round = 1; round <= rounds; round++) {
      if (rounds > 1) console.log(`round ${round}`);
      await withRig({}, async (rig) => {
        await measureStreams(rig);
        await measureSessions(rig, "in memory");
      });
      await withRig({ SAFELIGHT_SESSION_SECRET: "a secret of the bench, 32 and more" }, (rig) =>
        measureSessions(rig, "sealed"),
      );
      const data = join(scratch, `data-${round}`);
      const environment = { PORT: await freePort(), SAFELIGHT_DATA: data, TMPDIR: scratch };
      await withRig(environment, (rig) => measureAttempts(rig, "LevelDB"));
      await withRedis(async (url) => {
        await withRig({ SAFELIGHT_REDIS_URL: url }, (rig) => measureAttempts(rig, "Redis"));
      });
    }
    console.log(`  ${loadText()}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }

  /** @param {number} whole */
  function some(whole) {
    return isShort ? whole / 10 : whole;
  }

  /**
   * @param {NodeJS.ProcessEnv} environment
   * @param {(rig: RelayRig) => Promise<void>} measure
   */
  async function withRig(environment, measure) {
    doing("starting the host");
    const rig = await startRelayRig(environment);
    try {
      await measureMany(rig, some(2000), 64);
      await measure(rig);
    } finally {
      await rig.stop();
    }
  }

  /** @param {RelayRig} rig */
  async function measureStreams(rig) {
    doing("relaying reads");
    const { directMs, relayedMs } = await measureLatency(rig, some(2000));
    console.log(
      `latency, median of ${inWords(some(2000))} by turns: direct ${ms(directMs)} ms, relayed ${ms(relayedMs)} ms`,
    );
    const many = await measureMany(rig, some(10_000), 64);
    console.log(
      `${inWords(some(10_000))} requests, 64 at once: ${many.seconds.toFixed(1)} s, MB ${many.memory.join(" ")}`,
    );
    must(many.errors === 0, `every request is answered${many.errors > 0 ? `, and not ${many.errors} of them` : ""}`);
    doing("relaying a large file");
    const size = Math.floor(some(2 * 1024 ** 3));
    const large = await measureLarge(rig, size);
    const range = `${Math.min(...large.memory)} to ${Math.max(...large.memory)} MB`;
    console.log(
      `${(size / 1024 ** 3).toFixed(1)} GiB down and up: ${large.seconds.toFixed(1)} s, host memory ${range}`,
    );
    must(large.down === size && large.up === size, "every byte arrives");
  }

  /**
   * @param {RelayRig} rig
   * @param {string} kind
   */
  async function measureSessions(rig, kind) {
    doing(`reading through a session ${kind}`);
    const count = some(2000);
    const { small, smallP95, megabyte } = await measureSession(rig, count);
    /** @param {{ withoutMs: number, withMs: number }} times */
    const ways = ({ withoutMs, withMs }) =>
      `${ms(withoutMs)} ms without, ${ms(withMs)} ms with (adds ${ms(withMs - withoutMs)})`;
    console.log(
      `session ${kind} and striking, ${inWords(count)} reads by turns, median: ${ways(small)}; p95: ${ways(smallP95)}`,
    );
    console.log(`session ${kind} and striking, 1 MiB of text, ${count / 10} by turns, median: ${ways(megabyte)}`);
  }

  /**
   * @param {RelayRig} rig
   * @param {string} store
   */
  async function measureAttempts(rig, store) {
    doing(`writing submits into ${store}`);
    const count = some(1000);
    const { median, p95 } = await measureSubmits(rig, count);
    /** @param {{ directMs: number, relayedMs: number, writtenMs: number }} times */
    const ways = ({ directMs, relayedMs, writtenMs }) =>
      `direct ${ms(directMs)}, relayed ${ms(relayedMs)}, relayed and written down ${ms(writtenMs)} ms (adds ${ms(writtenMs - directMs)})`;
    console.log(`${inWords(count)} submits by turns, ${store}, median: ${ways(median)}`);
    console.log(`${inWords(count)} submits by turns, ${store}, p95: ${ways(p95)}`);
    const [intents, large] = [some(30_000), some(20)];
    const memory = await measureMemory(rig, intents, large);
    console.log(
      `${inWords(intents)} submits, then ${large} of 60 MB at once, in ${store}: ${memory.seconds.toFixed(1)} s, host memory ${memory.afterIntents} MB after the first, ${memory.most} MB at most, ${memory.after} MB afterwards`,
    );
    must(
      memory.errors === 0,
      `every submit is answered${memory.errors > 0 ? `, and not ${memory.errors} of them` : ""}`,
    );
  }
});

/**
 * Redis on loopback, storing each write before it answers: what .deploy/README.md asks for.
 * @param {(url: string) => Promise<void>} measure
 */
async function withRedis(measure) {
  const port = await freePort();
  const place = ["--bind", "127.0.0.1", "--port", port, "--dir", scratch, "--save", ""];
  const redis = spawn("redis-server", [...place, "--appendonly", "yes", "--appendfsync", "everysec"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => redis.kill();
  process.once("exit", stop);
  const isThere = await Promise.race([
    once(redis.stdout, "data").then(() => true),
    once(redis, "error").then(() => false),
  ]);
  if (!isThere) {
    console.log("Redis: skipped, there is no redis-server here");
    return;
  }
  try {
    await measure(`redis://127.0.0.1:${port}`);
  } finally {
    process.off("exit", stop);
    redis.kill();
    await once(redis, "exit");
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return String(port);
}

// npm run bench -- relay: the built host between a client and a service, both on loopback.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ensureBuilt } from "../../.scripts/ensure-built.mjs";
import { ensureInstalled, projectRoot } from "../../.scripts/ensure-installed.mjs";
import {
  measureLarge,
  measureLatency,
  measureMany,
  measureMemory,
  measureSession,
  measureSubmits,
  startRelayRig,
} from "../../.scripts/relay-load.mjs";

// On the disk of the project: a temporary folder may be in memory, where to be durable takes no time.
const scratch = join(projectRoot, "node_modules", ".safelight-bench");

await ensureInstalled();
await ensureBuilt();
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
try {
  await withRig({}, async (rig) => {
    await measureStreams(rig);
    await measureSessions(rig, "in memory");
  });
  await withRig({ SAFELIGHT_SESSION_SECRET: "a secret of the bench, 32 and more" }, (rig) =>
    measureSessions(rig, "sealed"),
  );
  const environment = { PORT: await freePort(), SAFELIGHT_DATA: join(scratch, "data"), TMPDIR: scratch };
  await withRig(environment, (rig) => measureAttempts(rig, "LevelDB"));
  await withRedis(async (url) => {
    await withRig({ SAFELIGHT_REDIS_URL: url }, (rig) => measureAttempts(rig, "Redis"));
  });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function withRig(environment, measure) {
  const rig = await startRelayRig(environment);
  try {
    await measureMany(rig, 2000, 64);
    await measure(rig);
  } finally {
    await rig.stop();
  }
}

async function measureStreams(rig) {
  const { directMs, relayedMs } = await measureLatency(rig, 2000);
  console.log(
    `latency, median of 2,000 by turns: direct ${directMs.toFixed(2)} ms, relayed ${relayedMs.toFixed(2)} ms`,
  );
  const many = await measureMany(rig, 10_000, 64);
  console.log(
    `10,000 requests, 64 at once: ${many.errors} errors, ${many.seconds.toFixed(1)} s, MB ${many.memory.join(" ")}`,
  );
  const large = await measureLarge(rig, 2 * 1024 ** 3);
  const range = `${Math.min(...large.memory)} to ${Math.max(...large.memory)} MB`;
  console.log(`2 GiB down (${large.down}) and up (${large.up}): ${large.seconds.toFixed(1)} s, host memory ${range}`);
}

async function measureSessions(rig, kind) {
  const { small, smallP95, megabyte } = await measureSession(rig, 2000);
  const ways = ({ withoutMs, withMs }) =>
    `${withoutMs.toFixed(2)} ms without, ${withMs.toFixed(2)} ms with (adds ${(withMs - withoutMs).toFixed(2)})`;
  console.log(`session ${kind} and striking, 2,000 reads by turns, median: ${ways(small)}; p95: ${ways(smallP95)}`);
  console.log(`session ${kind} and striking, 1 MiB of text, 200 by turns, median: ${ways(megabyte)}`);
}

async function measureAttempts(rig, store) {
  const { median, p95 } = await measureSubmits(rig, 1000);
  const ways = ({ directMs, relayedMs, writtenMs }) =>
    `direct ${directMs.toFixed(2)}, relayed ${relayedMs.toFixed(2)}, relayed and written down ${writtenMs.toFixed(2)} ms (adds ${(writtenMs - directMs).toFixed(2)})`;
  console.log(`1,000 submits by turns, ${store}, median: ${ways(median)}`);
  console.log(`1,000 submits by turns, ${store}, p95: ${ways(p95)}`);
  const memory = await measureMemory(rig, 30_000, 20);
  console.log(
    `30,000 submits, then 20 of 60 MB at once, in ${store}: ${memory.errors} errors, ${memory.seconds.toFixed(1)} s, host memory ${memory.afterIntents} MB after the first, ${memory.most} MB at most, ${memory.after} MB afterwards`,
  );
}

/** Redis on loopback, storing each write before it answers: what the README asks for. */
async function withRedis(measure) {
  const port = await freePort();
  const place = ["--bind", "127.0.0.1", "--port", port, "--dir", scratch, "--save", ""];
  const redis = spawn("redis-server", [...place, "--appendonly", "yes", "--appendfsync", "everysec"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
    redis.kill();
    await once(redis, "exit");
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return String(port);
}

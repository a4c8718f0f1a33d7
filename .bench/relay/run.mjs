// npm run bench -- relay: the built host between a client and a service, both on loopback.
import { ensureBuilt } from "../../.scripts/ensure-built.mjs";
import { ensureInstalled } from "../../.scripts/ensure-installed.mjs";
import { measureLarge, measureLatency, measureMany, startRelayRig } from "../../.scripts/relay-load.mjs";

await ensureInstalled();
await ensureBuilt();
const rig = await startRelayRig();
try {
  await measureMany(rig, 2000, 64);
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
} finally {
  rig.stop();
}

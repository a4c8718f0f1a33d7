import { expect, test } from "@playwright/test";
import { measureLarge, measureLatency, measureMany, startRelayRig } from "../../.scripts/relay-load.mjs";

test("the relay adds under 3 ms, and its memory stays flat under load", async () => {
  test.setTimeout(120_000);
  const rig = await startRelayRig();
  try {
    await measureMany(rig, 1000, 64);
    // Other stories run beside this one, so the quickest tenth is compared; the bench compares medians.
    const { directMs, relayedMs } = await measureLatency(rig, 300, 0.1);
    expect(relayedMs - directMs).toBeLessThan(3);

    const many = await measureMany(rig, 2000, 64);
    expect(many.errors).toBe(0);
    const large = await measureLarge(rig, 200 * 1024 * 1024);
    expect([large.down, large.up]).toEqual([200 * 1024 * 1024, 200 * 1024 * 1024]);
    // A relay that held what passes through would hold 200 MB more.
    const memory = [...many.memory, ...large.memory].filter((value) => value !== undefined);
    if (memory.length > 0) expect(Math.max(...memory) - Math.min(...memory)).toBeLessThan(100);
  } finally {
    rig.stop();
  }
});

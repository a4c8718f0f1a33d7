import { expect, test } from "@playwright/test";
import { measureLarge, measureMany, startRelayRig } from "../../.scripts/relay-load.mjs";

// How long it takes is for `npm run bench -- relay`.
test("the relay answers every request, and its memory stays flat under load", { tag: "@long-money" }, async () => {
  const rig = await startRelayRig();
  try {
    await measureMany(rig, 1000, 64);
    const many = await measureMany(rig, 2000, 64);
    expect(many.errors).toBe(0);
    const large = await measureLarge(rig, 200 * 1024 * 1024);
    expect([large.down, large.up]).toEqual([200 * 1024 * 1024, 200 * 1024 * 1024]);
    // A relay that held what passes through would hold 200 MB more.
    const memory = [...many.memory, ...large.memory].filter((value) => value !== undefined);
    if (memory.length > 0) expect(Math.max(...memory) - Math.min(...memory)).toBeLessThan(100);
  } finally {
    await rig.stop();
  }
});

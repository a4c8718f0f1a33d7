import { type SimSettings, type SimWay, settingsFor } from "./sim-settings.ts";
import { leaveOlderRow, writeNewerRow } from "./sim-versions.ts";
import {
  ACTING_MS,
  CALM_FROM_MS,
  click,
  createWorld,
  openMindedTab,
  type SimHooks,
  type SimWorld,
} from "./sim-world.ts";
import { createRandom, type Random } from "./virtual-time.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A whole schedule: tabs, clicks, crashes, freezes, clock jumps, other versions and other clients, all from the seed. */
export function createSchedule(
  seed: number,
  way: SimWay,
  changes: Partial<SimSettings> = {},
  hooks: SimHooks = {},
): SimWorld {
  const settings = { ...settingsFor(seed, way), ...changes };
  const world = createWorld(settings, hooks);
  const { time } = world.browser;
  const random = createRandom(settings.seed ^ 0x5bd1e995);
  if (settings.olderRows) {
    for (let index = 0; index < settings.models; index += 1) {
      leaveOlderRow(world, random, `model-${index}`, `prompt number ${random.whole(0, settings.submits)}`);
    }
  }
  for (let count = 0; count < settings.tabs; count += 1) openMindedTab(world, random);
  for (let index = 0; index < settings.submits; index += 1) {
    const model = `model-${random.whole(0, settings.models)}`;
    time.after(random.between(0, ACTING_MS), () => submitOnce(world, random, model, index));
  }
  if (settings.losesDatabase) time.after(random.between(1_000, ACTING_MS), () => loseDatabase(world, random));
  if (settings.losesMemory) {
    time.after(random.between(1_000, ACTING_MS), () => {
      world.browser.note("memory-lost");
      const lost = random.pick([1, 0.5]);
      world.memory.lose(() => random.chance(lost));
    });
  }
  time.after(CALM_FROM_MS, () => {
    if (living(world).length === 0) openMindedTab(world, random);
  });
  return world;
}

const living = (world: SimWorld) => world.tabs.filter((tab) => tab.isAlive());

function someTab(world: SimWorld, random: Random) {
  const tabs = living(world).filter((tab) => !tab.isFrozen());
  return tabs[random.whole(0, tabs.length)];
}

/** One click, and what happens to go wrong around it. */
function submitOnce(world: SimWorld, random: Random, model: string, index: number): void {
  const { settings, time, note } = world.browser;
  const prompt = `prompt number ${index}`;
  const tab = someTab(world, random) ?? openMindedTab(world, random);
  const times = random.chance(0.2) ? 5 : 1;
  if (random.chance(settings.newerRows)) writeNewerRow(world, random, model, index);
  click(world, tab, model, prompt, times);
  if (times > 1) note("repeated-click");
  const other = someTab(world, random);
  if (other && other !== tab && random.chance(0.3)) {
    note("second-tab-click");
    time.after(random.between(0, 30), () => click(world, other, model, prompt));
  }
  if (random.chance(settings.crash)) {
    time.after(random.pick([random.between(0, 60), random.between(0, 1500), random.between(0, 150_000)]), () => {
      tab.crash();
      time.after(random.between(500, 60_000), () => {
        if (living(world).length === 0 || random.chance(0.5)) openMindedTab(world, random);
      });
    });
  }
  if (random.chance(settings.freeze)) {
    time.after(random.pick([random.between(0, 60), random.between(0, 1500)]), () => {
      tab.freeze();
      time.after(random.between(1_000, 400_000), () => tab.thaw());
    });
  }
  if (random.chance(settings.foreign)) {
    const isTwin = random.chance(0.2);
    note(isTwin ? "foreign-twin" : "foreign-job");
    const payload = { prompt: isTwin ? prompt : `somebody else's ${index}` };
    time.after(random.between(0, 5_000), () => world.service.create({ model, payload }, undefined));
  }
  if (settings.clockJumps && random.chance(0.5)) {
    note("clock-jump");
    time.after(random.between(0, 100_000), () => {
      world.browser.wallOffsetMs += random.pick([HOUR_MS, -HOUR_MS, 3 * DAY_MS, -3 * DAY_MS, 20_000, -20_000]);
    });
  }
  if (random.chance(0.2)) {
    note("wake-burst");
    time.after(random.between(0, 100_000), () => {
      for (let count = 0; count < 4; count += 1) time.after(count * 15, () => tab.submissions.wake());
    });
  }
  troubleHosts(world, random);
}

/** Hosts that stand still, and a memory that fails, for a while. */
function troubleHosts(world: SimWorld, random: Random): void {
  const { settings, time, note } = world.browser;
  if (random.chance(settings.hostPause)) {
    const host = world.hosts[random.whole(0, world.hosts.length)];
    time.after(random.pick([random.between(0, 200), random.between(0, 1500)]), () => {
      note("host-pause");
      host?.pause();
      time.after(random.pick([random.between(500, 30_000), random.between(1_000, 400_000)]), () => host?.goOn());
    });
  }
  if (random.chance(settings.storeFault)) {
    time.after(random.between(0, 1_500), () => {
      const until = time.nowMs() + random.pick([random.between(100, 3_000), random.between(1_000, 90_000)]);
      world.memory.failsUntilMs = Math.max(world.memory.failsUntilMs, Math.min(until, CALM_FROM_MS));
    });
  }
}

/** The browser deletes the database under its pages, and tells each of them. */
function loseDatabase(world: SimWorld, random: Random): void {
  const { browser, witness, tabs } = world;
  browser.note("database-lost");
  browser.rows.wipe();
  witness.noteDatabaseLost();
  for (const tab of tabs) browser.time.after(random.between(1, 500), tab.loseDatabase);
}

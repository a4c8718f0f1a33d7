import { createRandom, type Random } from "./random.ts";
import { createSimNetwork } from "./sim-network.ts";
import { createSimRows } from "./sim-rows.ts";
import { createSimService, type SimService } from "./sim-service.ts";
import { PRICE, type SimSettings } from "./sim-settings.ts";
import { openTab, type SimBrowser, type SimTab } from "./sim-tab.ts";
import { createWitness, type Finding, type SimWitness } from "./sim-witness.ts";
import { createVirtualTime } from "./virtual-time.ts";

const ACTING_MS = 240_000;
/** After this long nobody crashes, freezes or comes back any more. */
const LAST_CRASH_MS = 560_000;
/** Long enough for every look, retry and audit to end. */
const SETTLING_MS = 25 * 60_000;

export interface SimWorld {
  /** Runs one event. False when the schedule is over. */
  step(): boolean;
  /** What went wrong; empty when every promise was kept. */
  findings(): Finding[];
  service: SimService;
  witness: SimWitness;
  browser: SimBrowser;
  tabs: SimTab[];
}

/** A browser, a network and a service with nobody acting yet. */
export function createWorld(settings: SimSettings, onKillPoint?: SimBrowser["killPoint"]): SimWorld {
  const time = createVirtualTime();
  const random = createRandom(settings.seed);
  const service = createSimService({
    nowMs: () => time.nowMs(),
    lagMs: () => (settings.mostLagMs === 0 ? 0 : random.between(0, settings.mostLagMs)),
    echoesPayload: settings.echoesPayload,
  });
  const network = createSimNetwork({ time, random, service, settings });
  const witness = createWitness({ service, settings, nowMs: () => time.nowMs() });
  const browser: SimBrowser = {
    time,
    random,
    rows: witness.watchRows(createSimRows()),
    network,
    settings,
    locks: new Map(),
    wallOffsetMs: Date.UTC(2026, 4, 1) + settings.skewMs,
    ...(onKillPoint ? { killPoint: onKillPoint } : {}),
    onPost: (tab, intentId, attempt) => witness.notePost(tab, intentId, attempt),
  };
  const tabs: SimTab[] = [];
  return {
    step: () => time.step(ACTING_MS + SETTLING_MS) && !(time.nowMs() > ACTING_MS + LAST_CRASH_MS && witness.isQuiet()),
    findings: () => witness.findings(),
    service,
    witness,
    browser,
    tabs,
  };
}

/** A click on Run in one tab. */
export function click(world: SimWorld, tab: SimTab, model: string, prompt: string, times = 1): void {
  if (!tab.isAlive() || tab.isFrozen()) return;
  world.witness.noteGesture(tab);
  for (let count = 0; count < times; count += 1) tab.desk.submit({ model, payload: { prompt } }, PRICE).catch(() => {});
}

/** A person who, once told that no job was found, may send again. */
function mindTab(world: SimWorld, tab: SimTab, random: Random): void {
  tab.desk.states.subscribe((states, before) => {
    for (const [model, state] of Object.entries(states)) {
      const was = before[model];
      if (state.phase !== "unconfirmed" || !state.canSendAgain || (was?.phase === "unconfirmed" && was.canSendAgain))
        continue;
      if (!random.chance(0.5)) continue;
      world.browser.time.after(random.between(500, 20_000), () => {
        if (!tab.isAlive() || tab.isFrozen()) return;
        world.witness.noteGesture(tab);
        tab.desk.sendAgain(model).catch(() => {});
      });
    }
  });
}

export function openMindedTab(world: SimWorld, random: Random): SimTab {
  const tab = openTab(world.browser);
  world.tabs.push(tab);
  mindTab(world, tab, random);
  return tab;
}

/** A whole schedule: tabs, clicks, crashes, freezes, clock jumps and other clients, all from the seed. */
export function createSchedule(settings: SimSettings): SimWorld {
  const world = createWorld(settings);
  const { time } = world.browser;
  const random = createRandom(settings.seed ^ 0x5bd1e995);
  const open = () => openMindedTab(world, random);
  for (let count = 0; count < settings.tabs; count += 1) open();

  const living = () => world.tabs.filter((tab) => tab.isAlive());
  const someTab = () => {
    const tabs = living().filter((tab) => !tab.isFrozen());
    return tabs[random.whole(0, tabs.length)];
  };
  for (let index = 0; index < settings.submits; index += 1) {
    const model = `model-${random.whole(0, settings.models)}`;
    const prompt = `prompt number ${index}`;
    time.after(random.between(0, ACTING_MS), () => {
      const tab = someTab() ?? open();
      click(world, tab, model, prompt, random.chance(0.2) ? 5 : 1);
      const other = someTab();
      if (other && other !== tab && random.chance(0.3)) {
        time.after(random.between(0, 30), () => click(world, other, model, prompt));
      }
      if (random.chance(settings.crash)) {
        time.after(random.pick([random.between(0, 60), random.between(0, 1500), random.between(0, 150_000)]), () => {
          tab.crash();
          time.after(random.between(500, 60_000), () =>
            living().length === 0 || random.chance(0.5) ? void open() : undefined,
          );
        });
      }
      if (random.chance(settings.freeze)) {
        time.after(random.pick([random.between(0, 60), random.between(0, 1500)]), () => {
          tab.freeze();
          time.after(random.between(1_000, 400_000), () => tab.thaw());
        });
      }
      if (random.chance(settings.foreign)) {
        time.after(random.between(0, 5_000), () =>
          world.service.create({ model, payload: { prompt: `somebody else's ${index}` } }, undefined),
        );
      }
      if (settings.clockJumps && random.chance(0.5)) {
        time.after(random.between(0, 100_000), () => {
          world.browser.wallOffsetMs += random.pick([3_600_000, -3_600_000, 40_000_000, -40_000_000]);
        });
      }
    });
  }
  time.after(ACTING_MS + 400_000, () => {
    if (living().length === 0) open();
  });
  return world;
}

import type { BodyKind } from "#jobs/submit/submit-state.ts";
import { createSimNetwork, createSimService, type SimService } from "./sim-network.ts";
import { type FaultKind, PRICE, type SimSettings, settingsFor } from "./sim-settings.ts";
import { createSimRows, openTab, type SimBrowser, type SimTab } from "./sim-tab.ts";
import { createWitness, type Finding, type SimWitness } from "./sim-witness.ts";
import { createRandom, createVirtualTime, type Random } from "./virtual-time.ts";

const ACTING_MS = 240_000;
/** After this long nobody crashes, freezes or comes back any more. */
const LAST_CRASH_MS = 560_000;
/** Long enough for every poll, retry and audit to end. */
const SETTLING_MS = 25 * 60_000;

export interface SimWorld {
  /** Runs one event. False when the schedule is over. */
  step(): boolean;
  /** What went wrong; empty when no promise was broken. */
  findings(): Finding[];
  service: SimService;
  witness: SimWitness;
  browser: SimBrowser;
  tabs: SimTab[];
  /** How often each kind of fault happened. */
  faults: ReadonlyMap<FaultKind, number>;
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
  const faults = new Map<FaultKind, number>();
  const note = (fault: FaultKind) => void faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const network = createSimNetwork({ time, random, service, settings, note });
  const witness = createWitness({ service, settings, nowMs: () => time.nowMs() });
  const browser: SimBrowser = {
    time,
    random,
    rows: witness.watchRows(createSimRows()),
    network,
    settings,
    note,
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
    faults,
  };
}

/** A click on Run in one tab. */
export function click(world: SimWorld, tab: SimTab, model: string, prompt: string, times = 1): void {
  if (!tab.isAlive() || tab.isFrozen()) return;
  world.witness.noteGesture(tab);
  for (let count = 0; count < times; count += 1)
    tab.submissions.submit({ model, payload: { prompt } }, PRICE).catch(() => {});
}

/** A person who, once no job was found, may send again. */
function mindTab(world: SimWorld, tab: SimTab, random: Random): void {
  tab.submissions.states.subscribe((states, before) => {
    for (const [model, state] of Object.entries(states)) {
      const was = before[model];
      if (state.phase !== "unconfirmed" || !state.canSendAgain || (was?.phase === "unconfirmed" && was.canSendAgain))
        continue;
      if (!random.chance(0.5)) continue;
      world.browser.time.after(random.between(500, 20_000), () => {
        if (!tab.isAlive() || tab.isFrozen()) return;
        world.witness.noteGesture(tab);
        tab.submissions.sendAgain(model).catch(() => {});
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
function createSchedule(settings: SimSettings): SimWorld {
  const world = createWorld(settings);
  const { time, note } = world.browser;
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
      const times = random.chance(0.2) ? 5 : 1;
      click(world, tab, model, prompt, times);
      if (times > 1) note("repeated-click");
      const other = someTab();
      if (other && other !== tab && random.chance(0.3)) {
        note("second-tab-click");
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
        note("foreign-job");
        time.after(random.between(0, 5_000), () =>
          world.service.create({ model, payload: { prompt: `somebody else's ${index}` } }, undefined),
        );
      }
      if (settings.clockJumps && random.chance(0.5)) {
        note("clock-jump");
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

const AT_ONCE = 30;

export interface FailedSeed {
  seed: number;
  body: BodyKind;
  findings: Finding[];
}

interface SimReport {
  schedules: number;
  posts: number;
  charges: number;
  /** Jobs beyond the first of an intent: made by the network, and all of them reported. */
  duplicates: number;
  /** How often each kind of fault happened. */
  faults: Partial<Record<FaultKind, number>>;
  failed: FailedSeed[];
}

/** Everything that is ready to run does, before time passes on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs schedules, many worlds side by side: they share nothing, so each one is the same as if it ran alone. */
export async function runSchedules(
  body: BodyKind,
  seeds: Iterable<number>,
  changes: Partial<SimSettings> = {},
): Promise<SimReport> {
  const report: SimReport = { schedules: 0, posts: 0, charges: 0, duplicates: 0, faults: {}, failed: [] };
  const waiting = seeds[Symbol.iterator]();
  let running: { seed: number; world: SimWorld }[] = [];
  const end = (seed: number, world: SimWorld) => {
    const findings = world.findings();
    report.schedules += 1;
    report.posts += world.witness.posts;
    const ours = world.service.jobs.filter(({ intentId }) => intentId !== undefined);
    report.charges += ours.length;
    report.duplicates += ours.length - new Set(ours.map(({ intentId }) => intentId)).size;
    for (const [fault, count] of world.faults) report.faults[fault] = (report.faults[fault] ?? 0) + count;
    if (findings.length > 0) report.failed.push({ seed, body, findings });
  };
  for (;;) {
    while (running.length < AT_ONCE) {
      const next = waiting.next();
      if (next.done) break;
      running.push({ seed: next.value, world: createSchedule({ ...settingsFor(next.value, body), ...changes }) });
    }
    if (running.length === 0) return report;
    await settled();
    running = running.filter(({ seed, world }) => {
      if (world.step()) return true;
      end(seed, world);
      return false;
    });
  }
}

/** The numbers from `first`, `count` of them. */
export function* seedsFrom(first: number, count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield first + index;
}

import type { SubmitState } from "#runs/rules/intent.ts";
import { shownRun } from "#runs/submit/submissions.ts";
import { createSimHost, type SimHost } from "./sim-host.ts";
import { createSimNetwork } from "./sim-network.ts";
import { createSimRows } from "./sim-rows.ts";
import { createSimService, EPOCH_MS, type SimService } from "./sim-service.ts";
import { type FaultKind, PRICE, type SimSettings } from "./sim-settings.ts";
import { createSimMemory, type HostLife, type SimMemory } from "./sim-store.ts";
import { openTab, type SimBrowser, type SimTab } from "./sim-tab.ts";
import { createWitness, type Finding, type SimWitness } from "./sim-witness.ts";
import { createRandom, createVirtualTime, type Random } from "./virtual-time.ts";

/** People act for four minutes. */
export const ACTING_MS = 240_000;
/** From then on nothing goes wrong any more, and nobody acts. */
export const CALM_FROM_MS = 800_000;
/** Ten minutes, after the longest time that a request which hangs may take. */
const SETTLED_WITHIN_MS = 600_000 + 180_000;
/** Long enough for every poll, retry and audit to end. */
const END_MS = 29 * 60_000;

export interface SimWorld {
  /** Runs one event. False when the schedule is over. */
  step(): boolean;
  /** What went wrong; empty when no promise was broken. */
  findings(): Finding[];
  service: SimService;
  witness: SimWitness;
  browser: SimBrowser;
  hosts: SimHost[];
  memory: SimMemory;
  tabs: SimTab[];
  /** How often each kind of fault happened. */
  faults: ReadonlyMap<FaultKind, number>;
}

/** Everything that is ready to run does, before time passes on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Who else looks on. */
export interface SimHooks {
  /** Called at every point at which a page may die. */
  tabStep?: (tab: SimTab) => void;
  /** Called at every point at which a host may die. */
  hostStep?: (host: SimHost) => void;
  /** Is told of everything, for reading one schedule. */
  trace?: (text: string) => void;
}

/** A browser, a network, hosts and a service with nobody acting yet. */
export function createWorld(settings: SimSettings, hooks: SimHooks = {}): SimWorld {
  const time = createVirtualTime();
  const random = createRandom(settings.seed);
  const nowMs = () => time.nowMs();
  const isCalm = () => time.nowMs() >= CALM_FROM_MS;
  const faults = new Map<FaultKind, number>();
  const trace = hooks.trace && ((text: string) => hooks.trace?.(`${(time.nowMs() / 1000).toFixed(3)} ${text}`));
  const note = (fault: FaultKind) => {
    trace?.(`- ${fault}`);
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  };
  const service = createSimService({ nowMs, random, settings, note, trace });
  const hosts: SimHost[] = [];
  const network = createSimNetwork({ time, random, service, settings, hosts, isCalm, note });
  const witness = createWitness({ service, settings, nowMs, trace });
  const memory = createSimMemory(settings.hosts === 2 ? "redis" : "folder");

  /** A host may die at each of its steps, and comes back after a while. */
  const onStep = (host: SimHost) => {
    hooks.hostStep?.(host);
    if (isCalm() || !random.chance(settings.hostCrash)) return;
    note("host-crash");
    host.crash();
    time.after(random.pick([random.between(10, 2_000), random.between(500, 60_000)]), host.start);
  };
  if (settings.body === "relay") {
    const lives = new Map<string, HostLife>();
    const surroundings = { time, random, settings, memory, lives, note, toService: network.fromHost, onStep };
    for (let index = 0; index < settings.hosts; index += 1) {
      hosts.push(createSimHost({ name: `host-${index}`, ...surroundings }));
    }
  }

  const browser: SimBrowser = {
    time,
    random,
    rows: createSimRows(witness.change),
    network,
    settings,
    isCalm,
    note,
    locks: new Map(),
    wallOffsetMs: EPOCH_MS + settings.skewMs,
    ...(hooks.tabStep ? { killPoint: hooks.tabStep } : {}),
    on: witness.events,
  };
  const tabs: SimTab[] = [];
  time.after(CALM_FROM_MS, () => {
    memory.failsUntilMs = 0;
    for (const host of hosts) {
      host.start();
      host.goOn();
    }
    for (const tab of tabs) {
      tab.thaw();
      // The shell looks every 20 s; here only now, for the sake of the machine.
      if (tab.isAlive()) tab.submissions.resume().catch(() => {});
    }
  });
  time.after(CALM_FROM_MS + SETTLED_WITHIN_MS, witness.checkSettled);
  return {
    step: () => time.step(END_MS) && !(isCalm() && witness.isQuiet()),
    findings: () => witness.findings(),
    service,
    witness,
    browser,
    hosts,
    memory,
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

/** Answers of the person to what is shown: a probability, and what they do. */
function answerOf(world: SimWorld, state: SubmitState, was: SubmitState | undefined) {
  if (state.phase === "unconfirmed" && state.canSendAgain) {
    if (was?.phase === "unconfirmed" && was.canSendAgain) return undefined;
    const sendAgain = (tab: SimTab, model: string) => {
      world.witness.noteGesture(tab);
      tab.submissions.sendAgain(model).catch(() => {});
    };
    return { chance: 0.5, act: sendAgain };
  }
  if (state.phase === "retrying" && was?.phase !== "retrying") {
    const cancel = (tab: SimTab, model: string) => {
      world.browser.note("retry-cancelled");
      tab.submissions.cancelRetry(model);
    };
    return { chance: 0.2, act: cancel };
  }
  return undefined;
}

/** A person who, once no job was found, may send again, and who may lose their patience with retries. */
function mindTab(world: SimWorld, tab: SimTab, random: Random): void {
  tab.submissions.runs.subscribe((runs, before) => {
    for (const { request, state, isShown } of runs) {
      if (!isShown) continue;
      const { model } = request;
      const answer = answerOf(world, state, shownRun(before, model)?.state);
      if (!answer || world.browser.isCalm() || !random.chance(answer.chance)) continue;
      const afterMs = state.phase === "retrying" ? random.between(100, 2_000) : random.between(500, 20_000);
      world.browser.time.after(afterMs, () => {
        if (tab.isAlive() && !tab.isFrozen() && !world.browser.isCalm()) answer.act(tab, model);
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

import { describe, expect, test, vi } from "vitest";
import { stateShown } from "../setup/state-shown.ts";
import type { PostFate, SimSettings } from "./sim-settings.ts";
import { CALM } from "./sim-settings.ts";
import { openTab, type SimTab } from "./sim-tab.ts";
import { click, createWorld, openMindedTab, type SimHooks, type SimWorld, settled } from "./sim-world.ts";
import { createRandom } from "./virtual-time.ts";

const MAX_POINTS = 2_000;
/** A machine that builds beside the tests takes longer over the same work. */
const MAX_MS = 120_000;
const MODEL = "model-0";

vi.setConfig({ testTimeout: MAX_MS });

interface Killed {
  world: SimWorld;
  /** It died: otherwise there are fewer points than that. */
  hasDied: boolean;
}

interface Story {
  fates: readonly PostFate[];
  /** What happens between the page and the host. */
  pageFates?: readonly PostFate[];
}

const settingsOf = ({ fates, pageFates }: Story, point: number): SimSettings => ({
  ...CALM,
  fates,
  ...(pageFates ? { pageFates } : {}),
  mostLagMs: 30_000,
  seed: point + 24,
});

async function runOut(world: SimWorld): Promise<void> {
  do await settled();
  while (world.step());
}

/** One click in a page that dies at its `point`-th effect, before the effect or before its result comes back. */
async function killPageAt(point: number, story: Story, hasSecondTab: boolean): Promise<Killed> {
  let first: SimTab | undefined;
  let points = 0;
  let hasDied = false;
  const tabStep = (tab: SimTab) => {
    if (tab !== first || isSettled(tab)) return;
    points += 1;
    if (points < point) return;
    hasDied = true;
    tab.crash();
    if (!hasSecondTab) world.browser.time.after(3_000, () => void openMindedTab(world, createRandom(7)));
  };
  const world = createWorld(settingsOf(story, point), { tabStep });
  const tab = openTab(world.browser);
  world.tabs.push(tab);
  if (hasSecondTab) openMindedTab(world, createRandom(7));
  world.browser.time.after(1_000, () => {
    first = tab;
    click(world, tab, MODEL, "a lamp");
  });
  await runOut(world);
  return { world, hasDied };
}

/** The page shows how it ended: what happens to it later is no part of the submit. */
function isSettled(tab: SimTab): boolean {
  const state = stateShown(tab.submissions, MODEL);
  const isOpen = state === undefined || state.phase === "sending" || state.phase === "retrying";
  return !isOpen && !(state.phase === "unconfirmed" && !state.canSendAgain) && state.phase !== "idle";
}

/** One click, and a host dies at the `point`-th step of all hosts, or stands still there. Another start follows. */
async function stopHostAt(point: number, story: Story, hosts: 1 | 2, how: "dies" | "stands still"): Promise<Killed> {
  let points = 0;
  let hasDied = false;
  const hostStep: SimHooks["hostStep"] = (host) => {
    points += 1;
    if (points !== point) return;
    hasDied = true;
    const { time } = world.browser;
    if (how === "dies") {
      host.crash();
      time.after(3_000, host.start);
    } else {
      host.pause();
      time.after(60_000, host.goOn);
    }
  };
  const world = createWorld({ ...settingsOf(story, point), hosts }, { hostStep });
  const tab = openMindedTab(world, createRandom(7));
  world.browser.time.after(1_000, () => click(world, tab, MODEL, "a lamp"));
  await runOut(world);
  return { world, hasDied };
}

/** Runs one schedule for each point until there are no more. */
async function throughAll(kill: (point: number) => Promise<Killed>): Promise<void> {
  let point = 1;
  for (; point < MAX_POINTS; point += 1) {
    const { world, hasDied } = await kill(point);
    expect(world.findings(), `killed at ${point}`).toEqual([]);
    if (!hasDied) break;
  }
  expect(point).toBeGreaterThan(10);
  expect(point).toBeLessThan(MAX_POINTS);
}

const AT_SERVICE: [string, Story][] = [
  ["accepted", { fates: ["none"] }],
  ["the reply lost", { fates: ["lost-reply"] }],
  ["the request lost", { fates: ["lost-request"] }],
  ["received after the connection broke", { fates: ["late-request"] }],
  ["hanging", { fates: ["hang"] }],
  ["an unreadable answer", { fates: ["unreadable"] }],
  ["a gateway's 502 after the job was made", { fates: ["gateway-after"] }],
  ["a gateway's 502 before the job is made", { fates: ["gateway-late"] }],
  ["refused with 400", { fates: ["400"] }],
  ["429, then accepted", { fates: ["429", "none"] }],
  ["503, then the reply lost", { fates: ["503", "lost-reply"] }],
];
const AT_HOST: [string, Story][] = [
  ["the host's reply lost", { fates: ["none"], pageFates: ["lost-reply"] }],
  ["received by the host after the page gave up", { fates: ["none"], pageFates: ["late-request"] }],
  ["never received by the host", { fates: ["none"], pageFates: ["lost-request"] }],
];

// M5
describe.each([
  ["one tab", false],
  ["two tabs", true],
] as const)("a page killed at every await of the submit path, %s", (_tabs, hasSecondTab) => {
  test.each([...AT_SERVICE, ...AT_HOST])("%s: every kill point ends without a finding", async (_story, story) => {
    await throughAll((point) => killPageAt(point, story, hasSecondTab));
  });
});

// M29
describe.each([
  ["one host", 1],
  ["two hosts on one memory", 2],
] as const)("a host that dies at every step, %s", (_hosts, hosts) => {
  test.each([...AT_SERVICE, ...AT_HOST])("%s: every step ends without a finding", async (_story, story) => {
    await throughAll((point) => stopHostAt(point, story, hosts, "dies"));
  });
});

// M29
describe.each([
  ["one host", 1],
  ["two hosts on one memory", 2],
] as const)("a host that stands still for a minute at every step, %s", (_hosts, hosts) => {
  test.each(AT_HOST)("%s: every step ends without a finding", async (_story, story) => {
    await throughAll((point) => stopHostAt(point, story, hosts, "stands still"));
  });
});

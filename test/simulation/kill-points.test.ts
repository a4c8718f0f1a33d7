import { describe, expect, test } from "vitest";
import type { BodyKind } from "#jobs/submit/submit-state.ts";
import type { PostFate } from "./sim-settings.ts";
import { CALM } from "./sim-settings.ts";
import { openTab, type SimTab } from "./sim-tab.ts";
import { click, createWorld, openMindedTab, type SimWorld, settled } from "./sim-world.ts";
import { createRandom } from "./virtual-time.ts";

const MOST_POINTS = 2_000;
const MODEL = "model-0";

interface Killed {
  world: SimWorld;
  /** The page died: otherwise there are fewer points than that. */
  hasDied: boolean;
}

/** One click in a page that dies at its `point`-th effect, before the effect or before its result comes back. */
async function killAt(
  point: number,
  fates: readonly PostFate[],
  body: BodyKind,
  hasSecondTab: boolean,
): Promise<Killed> {
  let first: SimTab | undefined;
  let points = 0;
  let hasDied = false;
  const world = createWorld({ ...CALM, body, fates, mostLagMs: 30_000, seed: point + 1 }, (tab) => {
    if (tab !== first || isSettled(tab)) return;
    points += 1;
    if (points < point) return;
    hasDied = true;
    tab.crash();
    if (!hasSecondTab) world.browser.time.after(3_000, () => void openMindedTab(world, createRandom(7)));
  });
  const tab = openTab(world.browser);
  world.tabs.push(tab);
  if (hasSecondTab) openMindedTab(world, createRandom(7));
  world.browser.time.after(1_000, () => {
    first = tab;
    click(world, tab, MODEL, "a lamp");
  });
  do await settled();
  while (world.step());
  return { world, hasDied };
}

/** The page shows how it ended: what happens to it later is no part of the submit. */
function isSettled(tab: SimTab): boolean {
  const state = tab.submissions.states.getState()[MODEL];
  const isOpen = state === undefined || state.phase === "sending" || state.phase === "retrying";
  return !isOpen && !(state.phase === "unconfirmed" && !state.canSendAgain) && state.phase !== "idle";
}

const STORIES: [string, readonly PostFate[]][] = [
  ["accepted", ["none"]],
  ["the reply lost", ["lost-reply"]],
  ["the request lost", ["lost-request"]],
  ["received after the page gave up", ["late-request"]],
  ["hanging", ["hang"]],
  ["an unreadable answer", ["unreadable"]],
  ["a gateway's 502 after the job was made", ["gateway-after"]],
  ["refused with 400", ["400"]],
  ["429, then accepted", ["429", "none"]],
  ["503, then the reply lost", ["503", "lost-reply"]],
];

// M5
describe.each([
  ["one tab", false],
  ["two tabs", true],
] as const)("a page killed at every await of the submit path, %s", (_tabs, hasSecondTab) => {
  test.each(STORIES)("%s: every kill point ends without a finding", async (_story, fates) => {
    let point = 1;
    for (; point < MOST_POINTS; point += 1) {
      const { world, hasDied } = await killAt(point, fates, "relay", hasSecondTab);
      expect(world.findings(), `killed at ${point}`).toEqual([]);
      if (!hasDied) break;
    }
    expect(point).toBeGreaterThan(10);
    expect(point).toBeLessThan(MOST_POINTS);
  });
});

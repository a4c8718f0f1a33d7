import type { JobRequest } from "#api/types.ts";
import { type LedgerLine, ledgerRows } from "#runs/ledger/ledger.ts";
import type { Intent, SubmitState } from "#runs/rules/intent.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { readAll } from "#storage/typed-rows.ts";
import { stateShown } from "../../setup/state-shown.ts";
import { CALM, PRICE, type SimSettings } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID, openTab, type SimTab } from "../../simulation/sim-tab.ts";
import { createWorld, type SimWorld, settled } from "../../simulation/sim-world.ts";

export const MODEL = "model-0";
export const REQUEST: JobRequest = { model: MODEL, payload: { prompt: "a lamp" } };

/** One page in a calm virtual world, where only what a test adds goes wrong. */
export interface Story {
  world: SimWorld;
  tab: SimTab;
  open(): SimTab;
  /** Everything the page showed for the model, one word each, repeats left out. */
  phases: string[];
  state(): SubmitState;
  press(tab?: SimTab, priceMicroUsd?: number): void;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
  outbox(): Promise<Intent[]>;
  ledger(): Promise<LedgerLine[]>;
}

export function openStory(changes: Partial<SimSettings> = {}): Story {
  const world = createWorld({ ...CALM, ...changes });
  const { time, rows } = world.browser;
  const phases: string[] = [];
  const open = () => {
    const tab = openTab(world.browser);
    world.tabs.push(tab);
    return tab;
  };
  const tab = open();
  tab.submissions.runs.subscribe(() => {
    const { phase } = stateShown(tab.submissions, MODEL);
    if ((phases.at(-1) ?? "idle") !== phase) phases.push(phase);
  });
  return {
    world,
    tab,
    open,
    phases,
    state: () => stateShown(tab.submissions, MODEL),
    press: (clicked = tab, priceMicroUsd = PRICE) => {
      world.witness.noteGesture(clicked);
      clicked.submissions.submit(REQUEST, priceMicroUsd).catch(() => {});
    },
    pass: async (seconds) => {
      let isOver = false;
      time.after(seconds * 1000, () => {
        isOver = true;
      });
      do await settled();
      while (!isOver && world.step());
      await settled();
    },
    outbox: () => readAll(rows, intentRows, ACCOUNT_ID),
    ledger: () => readAll(rows, ledgerRows, ACCOUNT_ID),
  };
}

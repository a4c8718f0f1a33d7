import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect } from "vitest";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { readAll } from "#storage/typed-rows.ts";
import { stateShown } from "../setup/state-shown.ts";
import { QUICK } from "./endpoint-drivers.ts";
import { expectedSubmit, jobsOf } from "./expected-submit.ts";
import { type FaultWorld, openFaultWorld } from "./fault-world.ts";
import type { FaultCase } from "./faults.ts";
import { armFault, checkKey, untilHeld } from "./play-cell.ts";

// What a person reads, as the notice itself writes it.
const { SubmitNotice } = await import("#create/run/submit-notice.tsx");

const MINUTE_MS = 60_000;
const [REQUEST = { model: "", payload: {} }] = QUICK;
const OTHER = { model: "halide-video", payload: { prompt: "A fox" } };

/** What is read on the screen of a state of the submit. */
export function noticeOf(state: SubmitState): string {
  const act = async () => {};
  const submission = { state, dismiss: act, cancel: () => {}, confirm: act, sendAgain: act };
  const html = renderToStaticMarkup(createElement(SubmitNotice, { submission: submission as never, onRun: () => {} }));
  const text = html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"');
  return text.replace(/\s+/g, " ").trim();
}

const stateOf = ({ page }: FaultWorld, model = REQUEST.model) => stateShown(page.submissions, model);
const jobs = ({ sandbox }: FaultWorld) => sandbox.inspect().jobs;

/** Presses Run, and resolves when the attempt is settled or open. */
export async function press(world: FaultWorld, request = REQUEST): Promise<void> {
  const { client, api, submissions } = world.page;
  const { priceMicroUsd } = await client.fetchQuery(estimateQueries(api).price(request));
  await submissions.submit(request, priceMicroUsd, true);
}

/** Plays one form of a fault at the submit, in a world of its own, and checks all that must follow. */
export async function playSubmit(faultCase: FaultCase): Promise<void> {
  const world = openFaultWorld();
  try {
    await playIn(world, faultCase);
  } finally {
    world.end();
  }
}

async function playIn(world: FaultWorld, faultCase: FaultCase): Promise<void> {
  const { time, network } = world;
  const { sort } = faultCase;
  const where = `submit: ${faultCase.name} ${faultCase.variant}`;
  const { client, api } = world.page;
  // The price stands on the button before anything goes wrong.
  await time.until(client.fetchQuery(estimateQueries(api).price(REQUEST)));
  armFault(world, "submit", faultCase);
  await endure(world, faultCase);
  const state = stateOf(world);
  const posts = network.count("submit");
  expect({ posts, phase: state.phase, notice: noticeOf(state) }, where).toEqual(expectedSubmit(sort));

  network.heal();
  network.release();
  await recover(world);
  expect(stateOf(world).phase, `recovery of ${where}`).toBe("accepted");
  const again = state.phase === "rejected" || state.phase === "not-sent" || sendsAgain(world) ? 1 : 0;
  expect(network.count("submit"), `POSTs in all, ${where}`).toBe(posts + again);

  await time.pass(30 * MINUTE_MS);
  await checkMoney(world, faultCase);
  world.leave();
  await time.pass(1);
  expect(time.timersLeft(), `timers after ${where}`).toBe(0);
  expect(Object.hasOwn(Object.prototype, "polluted"), where).toBe(false);
  checkKey(world);
}

/** A person was told that no job was found, and sent again. */
const sendsAgain = ({ shown }: FaultWorld) =>
  shown.some(({ state }) => state.phase === "unconfirmed" && state.canSendAgain);

export async function endure(world: FaultWorld, { sort }: FaultCase): Promise<void> {
  const { time, network } = world;
  const pressed = press(world);
  if (sort === "abort" || sort === "close" || sort === "freeze" || sort === "out of order") await untilHeld(world);
  switch (sort) {
    case "abort":
      // Leaving the screen ends nothing that may cost.
      world.leave();
      network.release();
      return time.until(pressed);
    case "close":
      world.reload();
      network.heal();
      await time.until(world.page.submissions.resume());
      return time.pass(MINUTE_MS);
    case "freeze":
      await time.freeze(10 * MINUTE_MS);
      network.release();
      return time.until(pressed);
    case "out of order":
      await time.until(press(world, OTHER));
      expect(stateOf(world, OTHER.model)).toMatchObject({ phase: "accepted", how: "answered" });
      network.release();
      return time.until(pressed);
    default:
      return time.until(pressed);
  }
}

/** The machine looks by itself; a person presses once more where the page says that this is safe. */
export async function recover(world: FaultWorld): Promise<void> {
  const { time } = world;
  const { phase } = stateOf(world);
  if (phase === "rejected" || phase === "not-sent") return time.until(press(world));
  await time.pass(3 * MINUTE_MS);
  const state = stateOf(world);
  if (state.phase !== "unconfirmed") return;
  expect(state.canSendAgain).toBe(true);
  expect(jobs(world)).toEqual([]);
  expect(noticeOf(state)).toMatch(
    /^No job found .* You may have been charged\. If the job appears, it will be in History\. If you run this again, you may be charged twice\. Check the service’s bill to be sure\. Run again for \$/,
  );
  await time.until(world.page.submissions.sendAgain(REQUEST.model));
}

/** Every job is in the ledger, one as charged; and nothing shown ever denied a charge that was made. */
export async function checkMoney(world: FaultWorld, { sort, name }: FaultCase): Promise<void> {
  const isTwo = sort === "out of order";
  expect(jobs(world), name).toHaveLength(isTwo ? 2 : jobsOf(sort));
  const lines = await readAll(world.rows, ledgerRows, world.accountId);
  const kinds = lines.filter(({ amountMicroUsd = 0 }) => amountMicroUsd > 0).map(({ kind }) => kind);
  const expected = isTwo ? ["charged", "charged"] : ["charged", ...(jobsOf(sort) > 1 ? ["possible-duplicate"] : [])];
  expect(kinds.filter((kind) => kind !== "unconfirmed").sort(), name).toEqual(expected);
  checkNoDenial(world);
}

/** I3 of the submit machine, for the words on the screen. */
export function checkNoDenial({ shown }: FaultWorld): void {
  for (const { state, jobs: made } of shown) {
    if (made > 0) expect(noticeOf(state)).not.toMatch(/nothing (was|would be) charged|not charged/i);
  }
}

import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Job } from "#api/types.ts";
import { readMediaFile } from "#media/download/download-media.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { stateShown } from "../setup/state-shown.ts";
import { QUICK } from "./endpoint-drivers.ts";
import { expectedSubmit } from "./expected-submit.ts";
import { type Endpoint, ORIGIN } from "./fault-network.ts";
import { type FaultWorld, openFaultWorld } from "./fault-world.ts";
import { casesOf, FAULT_NAMES, type FaultCase } from "./faults.ts";
import { armFault, checkKey } from "./play-cell.ts";
import { checkMoney, endure, recover } from "./play-submit.ts";
import { failOnStrayErrors } from "./stray-errors.ts";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: string }) => createElement("a", {}, children),
}));

failOnStrayErrors();
beforeEach(() => {
  vi.stubGlobal("location", new URL(`${ORIGIN}/create`));
});

const CASES = FAULT_NAMES.flatMap(casesOf);
const PATH: readonly (Endpoint | undefined)[] = ["list", "job", "media GET"];
const MINUTE_MS = 60_000;
const MAX_RECOVERIES = 4;
const [REQUEST = { model: "", payload: {} }] = QUICK;

const named = ({ name, variant }: FaultCase) => `${name} ${variant}`.trim();
const anyOf = (cases: readonly FaultCase[]) =>
  fc.constantFrom(...cases).map((faultCase) => ({ ...faultCase, toString: () => named(faultCase) }));
const anyCase = anyOf(CASES);
/** Two presses at once are no pair: the second of them would meet the other fault first. */
const anyFirst = anyOf(CASES.filter(({ sort }) => sort !== "out of order"));

// Of 32 x 32 pairs and their forms a sample; CASES=2000 comes near to all, in half an hour.
test("two faults on the way from Run to the file end in one charge and the file", async () => {
  await fc.assert(fc.asyncProperty(anyFirst, anyCase, playPair), {
    numRuns: cases(12, 400),
    includeErrorInReport: true,
  });
}, 180_000);

/** One fault at the submit; the other, from then on, wherever its job is looked for, polled and downloaded. */
async function playPair(first: FaultCase, second: FaultCase): Promise<void> {
  const world = openFaultWorld();
  const { time, network } = world;
  try {
    await time.until(world.page.client.fetchQuery(estimateQueries(world.page.api).price(REQUEST)));
    armFault(world, "submit", first);
    network.arm((endpoint) => PATH.includes(endpoint) && network.count("submit") > 0, second.fault);
    await endure(world, first);
    await time.pass(MINUTE_MS);
    const posts = network.count("submit");
    expect(posts).toBeLessThanOrEqual(expectedSubmit(first.sort).posts);

    network.heal();
    network.release();
    const requestId = await accepted(world);
    expect(network.count("submit")).toBeLessThanOrEqual(posts + 1);

    network.arm((endpoint) => PATH.includes(endpoint), second.fault);
    await time.until(ended(download(world, requestId)));
    network.heal();
    network.release();
    await time.until(ended(download(world, requestId)));
    expect(await time.until(download(world, requestId))).toMatch(/^png of \d+ bytes$/);

    await time.pass(30 * MINUTE_MS);
    await checkMoney(world, first);
    world.leave();
    await time.pass(1);
    expect(time.timersLeft()).toBe(0);
    checkKey(world);
  } finally {
    world.end();
  }
}

/** Until the job of the request is known, by the machine or by one more press. */
async function accepted(world: FaultWorld): Promise<string> {
  const stateOf = () => stateShown(world.page.submissions, REQUEST.model);
  for (let tried = 0; tried < MAX_RECOVERIES && stateOf()?.phase !== "accepted"; tried += 1) await recover(world);
  const state = stateOf();
  if (state?.phase !== "accepted") throw new Error(`It ends as ${state?.phase}.`);
  return state.requestId;
}

/** The job by its own poll, and its first file. Whatever holds an answer back for ever is given up after a while. */
async function download({ page, time }: FaultWorld, requestId: string): Promise<string> {
  const leaving = new AbortController();
  void time.elsewhere(10 * MINUTE_MS).then(() => leaving.abort());
  const job: Job = await page.client.fetchQuery(jobQueries(page.api).detail(requestId));
  const [item] = job.media;
  if (!item) return "no file";
  const { blob, extension } = await readMediaFile({ job, item, index: 0, signal: leaving.signal });
  return `${extension} of ${blob.size} bytes`;
}

const ended = (work: Promise<unknown>) =>
  work.then(
    () => {},
    () => {},
  );

import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { Job, JobRequest } from "#api/types.ts";
import { readMediaFile } from "#media/download/download-media.ts";
import { MediaError } from "#media/media-failure.ts";
import { modelQueries } from "#models/model-queries.ts";
import { deleteJobMedia } from "#results/deletion/delete-media.ts";
import { isComplete, readJobPage, START } from "#runs/job-list/job-pages.ts";
import { isPollingDone, jobKey, jobQueries } from "#runs/poll/job-queries.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { type FaultWorld, openFaultWorld } from "../faults/fault-world.ts";
import { cases } from "../setup/cases.ts";
import { stateShown } from "../setup/state-shown.ts";
import { combinations, NOBODY_GETS_ON } from "./combinations.ts";

const FAST: JobRequest = { model: "lumen-2", payload: { prompt: "A lamp" } };
const REFUSED: JobRequest = { model: "lumen-2-fast", payload: { prompt: "error:400 Another lamp" } };
const SLOW: JobRequest = { model: "halide-video", payload: { prompt: "A slow tide" } };
const FAILING: JobRequest = { model: "halide-turbo", payload: { prompt: "fail:moderation", mode: "std" } };

/** Quirks that hide what a job made. */
const WITHOUT_FILES = ["outcome-without-media", "outcome-null-for-good"];
/** A refusal that is no JSON may be a gateway's, after the job was made. */
const UNCERTAIN_REFUSAL = ["error-text", "error-html"];

/** What comes of a job's file where it is no picture. The network of these tests follows no redirect, as browsers do. */
const FILES: Record<string, string> = { "media-gone": "gone", "media-as-page": "bin", "media-redirects": "failed" };

const stateOf = ({ page }: FaultWorld, { model }: JobRequest): SubmitState | undefined =>
  stateShown(page.submissions, model);

/** Presses Run at its price, and resolves when the attempt is settled or open. */
async function press({ page: { api, client, submissions }, time }: FaultWorld, request: JobRequest): Promise<void> {
  const { priceMicroUsd } = await time.until(client.fetchQuery(estimateQueries(api).price(request)));
  expect(priceMicroUsd).toBeGreaterThan(0);
  await time.until(submissions.submit(request, priceMicroUsd, true));
}

/** Presses Run, and gives the job that the page has found for it. A lost answer is looked for in the list. */
async function run(world: FaultWorld, request: JobRequest): Promise<string> {
  await press(world, request);
  for (let minutes = 0; minutes < 5 && stateOf(world, request)?.phase === "unconfirmed"; minutes++)
    await world.time.pass(60_000);
  const state = stateOf(world, request);
  expect(state).toMatchObject({ phase: "accepted", alsoFound: [] });
  return state?.phase === "accepted" ? state.requestId : "";
}

/** The job as a screen that shows it has it in the end: polled until nothing more is to come. */
function watch({ page, time }: FaultWorld, requestId: string): Promise<Job> {
  const { api, client } = page;
  const observer = new QueryObserver(client, jobQueries(api).detail(requestId));
  const ended = new Promise<Job>((resolve) => {
    const unsubscribe = observer.subscribe(() => {
      const job = client.getQueryData<Job>(jobKey(requestId));
      if (job === undefined || !isPollingDone(job, getPollControl(api).pollsSinceFinal(requestId))) return;
      unsubscribe();
      resolve(job);
    });
  });
  return time.until(ended);
}

/** The ending of the first file's name, or why it could not be read. */
async function fileOf({ time }: FaultWorld, job: Job): Promise<string> {
  const [item] = job.media;
  if (!item) return "none";
  const { signal } = new AbortController();
  const file = readMediaFile({ job, item, index: 0, signal });
  return time.until(
    file.then(
      ({ extension }) => extension,
      (error: unknown) => (error instanceof MediaError ? error.failure : String(error)),
    ),
  );
}

/** The jobs of the service's list, read to its end as History does. */
async function listed({ page: { api }, time }: FaultWorld): Promise<Map<string, Job>> {
  const jobs = new Map<string, Job>();
  const context = { client: new QueryClient(), signal: new AbortController().signal };
  for (let place = START; !isComplete(place); ) {
    const page = await time.until(readJobPage(place, { api, known: () => jobs }, context));
    for (const job of page.jobs) jobs.set(job.requestId, job);
    place = page.place;
  }
  return jobs;
}

async function inWorld(quirks: readonly string[], story: (world: FaultWorld) => Promise<void>): Promise<void> {
  const world = openFaultWorld();
  try {
    world.sandbox.configure({ quirks: [...quirks] });
    await story(world);
  } finally {
    world.end();
  }
}

/** What may be, where some quirks change it: with several at once, another may take the change away. */
function mayBe(quirks: readonly string[], changing: readonly string[]): boolean[] {
  if (!quirks.some((quirk) => changing.includes(quirk))) return [false];
  return quirks.length === 1 ? [true] : [true, false];
}

/** From Connect's questions to the deletion of a file. */
const runs = (quirks: readonly string[]) => async (world: FaultWorld) => {
  const { page, sandbox, time } = world;
  const ids = await time.until(page.client.fetchQuery(modelQueries(page.api).ids()));
  expect(ids).toContain(FAST.model);
  expect((await time.until(page.api.listTextModels())).length).toBeGreaterThan(0);

  const fast = await run(world, FAST);
  const slow = await run(world, SLOW);
  expect(sandbox.inspect().jobs.map(({ requestId }) => requestId)).toEqual([fast, slow]);
  const files = quirks.map((quirk) => FILES[quirk]).filter((file) => file !== undefined);
  for (const [requestId, { model, payload }] of [[fast, FAST] as const, [slow, SLOW] as const]) {
    const job = await watch(world, requestId);
    expect(job).toMatchObject({ requestId, model, status: "success", payload });
    expect(mayBe(quirks, WITHOUT_FILES)).toContain(job.media.length === 0);
    if (job.media.length > 0)
      expect(quirks.length > 1 ? [...files, "png"] : [files[0] ?? "png"]).toContain(await fileOf(world, job));
  }
  const jobs = await listed(world);
  expect([...jobs.keys()].sort()).toEqual([fast, slow].sort());
  for (const job of jobs.values()) expect(job.status).toBe("success");

  expect(await time.until(deleteJobMedia(page.api, [fast]))).toEqual({ deleted: [fast], failed: [] });
  expect(sandbox.inspect().jobs).toMatchObject([{ isMediaDeleted: true }, { isMediaDeleted: false }]);
};

const refusals = (quirks: readonly string[]) => async (world: FaultWorld) => {
  await press(world, REFUSED);
  const state = stateOf(world, REFUSED);
  expect(state).toMatchObject({ refusal: { status: 400 } });
  expect(mayBe(quirks, UNCERTAIN_REFUSAL)).toContain(state?.phase === "unconfirmed");
  expect(state?.phase).toMatch(/^(unconfirmed|rejected)$/);
  const failed = await watch(world, await run(world, FAILING));
  expect(failed).toMatchObject({
    status: "failed",
    failureReason: "The safety filter stopped this generation.",
  });
};

const names = QUIRKS.map(({ name }) => name).filter((name) => !NOBODY_GETS_ON.includes(name));

// In virtual time, by the studio's own way and without its page. Where the page says something else because of a quirk:
// `page-quirks.test.tsx`. All of them through the page: `queue-quirks.long.test.tsx`.
describe("a service with a quirk", () => {
  it.each(names)("%s: is connected to, its runs are watched to their files, listed and deleted", (quirk) =>
    inWorld([quirk], runs([quirk])),
  );
  it.each(names)("%s: says why a run was refused, and why a job failed", (quirk) =>
    inWorld([quirk], refusals([quirk])),
  );
});

describe("a service with several quirks", () => {
  const several = combinations(cases(12, 200)).map((quirks) => [quirks.join(", "), quirks] as const);
  it.each(several)("%s: goes the same way", async (_, quirks) => {
    await inWorld(quirks, runs(quirks));
    await inWorld(quirks, refusals(quirks));
  });
});

import { expect, test } from "vitest";
import { readJob } from "#api/jobs.ts";
import { matchJobs } from "#jobs/submit/match-jobs.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const listed = (requestId: string, payload?: object) =>
  readJob({ request_id: requestId, model: "lumen-2", status: "queued", ...(payload && { payload }) });
const idsOf = (claimed: string[], baseline: string[] = []) => {
  const jobs = [listed("theirs", { prompt: "a lamp" }), listed("ours")];
  const { ours } = matchJobs(jobs, makeIntent(), { ids: new Set(baseline), afterSeconds: 0 }, new Set(claimed));
  return ours.map(({ requestId }) => requestId);
};

test("a job of another run, though it echoes the same prompt, does not stand in the way of one that echoes nothing", () => {
  expect(idsOf([])).toEqual(["theirs"]);
  expect(idsOf(["theirs"])).toEqual(["ours"]);
});

test("nor does one that was listed before the run was sent", () => {
  expect(idsOf([], ["theirs"])).toEqual(["ours"]);
});

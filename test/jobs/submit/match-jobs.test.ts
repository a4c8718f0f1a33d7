import { expect, test } from "vitest";
import { readJob } from "#api/jobs.ts";
import { matchJobs } from "#jobs/submit/match-jobs.ts";
import { outboxRow } from "../../setup/outbox-row.ts";

const listed = (requestId: string, payload?: object) =>
  readJob({ request_id: requestId, model: "lumen-2", status: "queued", ...(payload && { payload }) });
const idsOf = (row: ReturnType<typeof outboxRow>, claimed: string[]) =>
  matchJobs([listed("theirs", { prompt: "a lamp" }), listed("ours")], row, new Set(claimed)).ours.map(
    ({ requestId }) => requestId,
  );

test("a job of another run, though it echoes the same prompt, does not stand in the way of one that echoes nothing", () => {
  expect(idsOf(outboxRow(), [])).toEqual(["theirs"]);
  expect(idsOf(outboxRow(), ["theirs"])).toEqual(["ours"]);
});

test("nor does one that was listed before the run was sent", () => {
  expect(idsOf(outboxRow({ baseline: ["theirs"] }), [])).toEqual(["ours"]);
});

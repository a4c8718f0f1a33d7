import { expect, it } from "vitest";
import { mayHaveMore } from "#api/job-list.ts";
import { listModelJobs } from "#runs/submit/run.ts";
import { JOB_QUIRKS } from "#sandbox/quirks/job-quirks.ts";
import { LIST_QUIRKS } from "#sandbox/quirks/list-quirks.ts";
import { OUTCOME_QUIRKS } from "#sandbox/quirks/outcome-quirks.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { openMemorySandbox } from "./memory-sandbox.ts";

const WITHOUT_FILES = ["outcome-without-media", "outcome-null-for-good"];
const NAMES = [...JOB_QUIRKS, ...OUTCOME_QUIRKS, ...LIST_QUIRKS].map(({ name }) => name);
const OF_LISTS = [...LIST_QUIRKS.map(({ name }) => name), "lean-list"];

it("reads jobs, their times, files, reasons and the list with any quirks at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(NAMES, { minLength: 2 }), async (quirks) => {
      const { api, pass } = openMemorySandbox({ quirks });
      const request = { model: "halide-video", payload: { prompt: "A fox" } };
      const { requestId } = await api.submit(request);
      const failing = await api.submit({ ...request, payload: { prompt: "fail:moderation" } });
      pass(400);
      const done = await api.getJob(requestId);
      expect(done).toMatchObject({ requestId, status: "success", model: "halide-video", payload: { prompt: "A fox" } });
      // Of several quirks, one may take away what another changes.
      if (!quirks.some((quirk) => WITHOUT_FILES.includes(quirk))) expect(done.media.length).toBeGreaterThan(0);
      if (!quirks.includes("untimed-records")) expect(done.createdAtSeconds).toBeGreaterThan(1.7e9);
      const failed = await api.getJob(failing.requestId);
      expect(failed).toMatchObject({ status: "failed", failureReason: "The safety filter stopped this generation." });
      const { jobs } = await api.listJobs({ limit: 10 });
      expect(jobs.map((job) => job.requestId).sort()).toEqual([requestId, failing.requestId].sort());
      expect(jobs.find((job) => job.requestId === requestId)?.status).toBe("success");
    }),
    { numRuns: cases(30, 600) },
  );
});

// Money: a job that is not seen in the list would be taken for one that was never made.
it("reads a long list to its end with any quirks of lists at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(OF_LISTS, { minLength: 1 }), async (quirks) => {
      const { api } = openMemorySandbox({ quirks, history: 1300 });
      const jobs = await listModelJobs({ api } as never, "", 0);
      // A bare list, and one that counts its offset in pages, name no place to go on from.
      const isCut = quirks.some((quirk) => ["list-bare", "offset-in-pages"].includes(quirk));
      if (!isCut) expect(new Set(jobs.map(({ requestId }) => requestId)).size).toBe(1300);
      else expect(jobs.length).toBeGreaterThanOrEqual(1000);
    }),
    { numRuns: cases(6, 60) },
  );
});

it.each([
  [{ total: 41 }, 10, 41, false],
  [{ total: 41 }, 10, 40, true],
  [{ total: 10 }, 10, 10, true],
  [{ total: 4 }, 10, 4, false],
  [{ total: undefined }, 10, 10, true],
  [{ total: undefined, hasMore: false }, 10, 10, false],
  [{ total: undefined, hasMore: true }, 50, 10, true],
  [{ total: undefined, next: { cursor: "c" } }, 50, 10, true],
])("after a page with %j, a limit of %i and %i read, more may follow: %s", (page, limit, read, expected) => {
  const count = Math.min(limit, read, 10);
  const jobs = Array.from({ length: count }, () => ({})) as never[];
  expect(mayHaveMore({ jobs, ...page }, limit, read)).toBe(expected);
});

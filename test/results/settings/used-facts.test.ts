import { expect, test } from "vitest";
import { getUsedSeeds, usedFacts } from "#results/settings/used-facts.ts";
import { readStoredJob, type TrackedJob, tookMs, trackedRows } from "#storage/job-records.ts";

const job: TrackedJob = {
  requestId: "job-1",
  model: "lumen-2",
  status: "success",
  media: [],
  payload: { prompt: "A lamp", seed: 7, aspect_ratio: "1:1", size: "2K", quality: null },
  createdAtSeconds: 100,
  updatedAtSeconds: 106,
  failureReason: undefined,
  raw: {},
  submittedAtMs: 100_000,
  finishedAtMs: 106_240,
  origin: "answered",
};
const factsOf = (files: TrackedJob["files"] = [], defaults = {}) =>
  Object.fromEntries(usedFacts({ job, files, schema: undefined, defaults }).map(({ name, value }) => [name, value]));

test("what was used is told, with the default where a key was left out", () => {
  expect(factsOf([], { quality: "medium" })).toEqual({
    Model: "lumen-2",
    Size: "2K, 1:1",
    Quality: "medium",
    Seed: "7",
    "Run time": "6.2 s",
  });
});

test("pixels, length and size are those of the files, and absent as long as they are unknown", () => {
  const file = { width: 2048, height: 2048, bytes: 2_950_000, extension: "png" };
  expect(factsOf([file, file, file, file])).toMatchObject({ Pixels: "2048 × 2048", Files: "4 PNG, 12 MB" });
  expect(factsOf([{ durationSeconds: 6, extension: "mp4" }])).toMatchObject({ Duration: "6.0 s", Files: "MP4" });
  expect(Object.keys(factsOf([{}, {}]))).not.toContain("Files");
});

test("seeds that the service tells count for more than the one that was sent", () => {
  const told = { ...job, raw: { payload: { seed: 7 }, outcome: { seeds: [11, 12] } } };
  expect(getUsedSeeds(told, { seed: 7 }, undefined)).toEqual(["11", "12"]);
  expect(getUsedSeeds(job, { seed: 7 }, undefined)).toEqual(["7"]);
  expect(getUsedSeeds(job, { seed: -1 }, undefined)).toEqual([]);
});

test("a job whose end was seen late took as long as the service says", () => {
  expect(tookMs(job)).toBe(6240);
  expect(tookMs({ ...job, finishedAtMs: 900_000 })).toBe(6000);
  expect(tookMs({ ...job, updatedAtSeconds: undefined, finishedAtMs: undefined })).toBeUndefined();
});

test("facts of files are read back from a stored row, and nothing that is none", () => {
  const files = [{ width: 2, height: 3, bytes: -1, extension: "png" }, "x", { extension: "<b>" }];
  const row = { key: "k", scope: "s", v: 1, body: undefined };
  const read = trackedRows.read({ ...job, job, files, defaults: { n: 1 } }, row);
  expect(read?.files).toEqual([{ width: 2, height: 3, extension: "png" }, {}, {}]);
  expect(read?.defaults).toEqual({ n: 1 });
  expect(readStoredJob(job)?.requestId).toBe("job-1");
});

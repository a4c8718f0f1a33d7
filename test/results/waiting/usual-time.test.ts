import { expect, it } from "vitest";
import { expectedResult, usedFacts } from "#results/waiting/expected-result.ts";
import { getUsualTime, pastJob } from "#results/waiting/usual-time.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { newRecord, type TrackedJob } from "#storage/job-records.ts";

const past = (model: string, kind: string, seconds: number, endedAtSeconds = 10_000) => ({
  requestId: `${model} ${seconds} ${endedAtSeconds}`,
  model,
  kind,
  tookMs: seconds * 1000,
  endedAtMs: endedAtSeconds * 1000,
});

it("is that of the model's own jobs, once there are three of them", () => {
  const jobs = [past("reel", "video", 62), past("reel", "video", 110), past("reel", "video", 175)];
  expect(getUsualTime(jobs, "reel", "video")).toMatchObject({ lowMs: 60_000, highMs: 180_000, jobs: 3, of: "model" });
});

it("falls back to jobs that make the same kind of file, and to nothing where those are few", () => {
  const jobs = [
    past("reel", "video", 70),
    past("clip", "video", 80),
    past("wave", "video", 85),
    past("still", "image", 4),
  ];
  expect(getUsualTime(jobs, "new-model", "video")).toMatchObject({ jobs: 3, of: "kind" });
  expect(getUsualTime(jobs, "new-model", "image")).toBeUndefined();
  expect(getUsualTime(jobs, undefined)).toBeUndefined();
});

it("leaves one very slow job in ten out of the range", () => {
  const jobs = Array.from({ length: 20 }, (_, index) => past("reel", "video", index === 7 ? 3600 : 20 + index));
  expect(getUsualTime(jobs, "reel")?.highMs).toBeLessThanOrEqual(40_000);
});

const listed = { requestId: "a", model: "reel", media: [], payload: undefined, failureReason: undefined, raw: {} };

it("counts only jobs that succeeded, by the service's own clock", () => {
  const job = { ...listed, createdAtSeconds: 100, updatedAtSeconds: 190 };
  expect(pastJob({ ...job, status: "success" })?.tookMs).toBe(90_000);
  expect(pastJob({ ...job, status: "failed" })).toBeUndefined();
  expect(pastJob({ ...job, status: "success", updatedAtSeconds: 100 })).toBeUndefined();
});

it("takes no time from an imported job that only this browser's clock knows", () => {
  const ran = { requestId: "a", model: "reel", status: "success", submittedAtMs: 1000, finishedAtMs: 9000 };
  const tracked = newRecord({ ...ran, origin: "imported" });
  expect(pastJob(tracked)).toBeUndefined();
  expect(pastJob({ ...tracked, origin: "answered" })?.tookMs).toBe(8000);
});

const parameters = [
  { name: "prompt", type: "string", required: true },
  { name: "image_url", type: "string" },
  { name: "aspect_ratio", type: "string", default_value: "9:16", options: ["16:9", "9:16"] },
  { name: "resolution", type: "string", default_value: "1080P", options: ["720P", "1080P"] },
  { name: "duration", type: "integer", default_value: 6 },
  { name: "num_images", type: "integer", default_value: 1, max_value: 4 },
  { name: "seed", type: "integer" },
];
const schema = readSchema({ id: "reel", parameters }, {});
const asked = { schema, model: "reel", type: "video", tracked: [] };

it("takes the shape from the payload, else from the model's defaults", () => {
  expect(expectedResult({ ...asked, payload: { aspect_ratio: "16:9" } }).aspect).toBeCloseTo(16 / 9);
  expect(expectedResult({ ...asked, payload: {} }).aspect).toBeCloseTo(9 / 16);
  expect(expectedResult({ ...asked, schema: undefined, payload: { width: 512, height: 256 } }).aspect).toBe(2);
  expect(expectedResult({ ...asked, schema: undefined, payload: { size: "1536x1024" } }).aspect).toBeCloseTo(1.5);
});

it("takes an unknown shape from the model's last result, with and without an input apart", () => {
  const item = { id: "1", kind: "video", url: "https://files.example/1.mp4", width: 300, height: 400 } as const;
  const tracked = [{ model: "reel", payload: {}, media: [item] }] as unknown as TrackedJob[];
  const bare = { ...asked, schema: undefined, tracked };
  expect(expectedResult({ ...bare, payload: {} }).aspect).toBe(0.75);
  expect(expectedResult({ ...bare, payload: { image_url: "https://files.example/a.png" } }).aspect).toBeUndefined();
});

it("names the main settings, the input and the number of results", () => {
  const payload = { prompt: "A lamp", image_url: "https://files.example/a.png", num_images: 3 };
  const expected = expectedResult({ ...asked, payload });
  expect(expected).toMatchObject({ count: 3, inputs: 1, settings: ["9:16", "1080p", "6 s"] });
  expect(expected.input).toEqual({ url: "https://files.example/a.png", kind: "image" });
  expect(usedFacts({ ...asked, payload }).map(({ label, value }) => `${label} ${value}`)).toEqual([
    "Model reel",
    "Input 1 image",
    "Results 3",
    "Duration 6 s",
    "Size 9:16, 1080p",
    "Seed Random",
  ]);
});

it.each([[{ num_images: 1e9 }], [{ num_images: "many" }], [{ width: Number.NaN, height: 3 }], [{ image_url: {} }]])(
  "never fails on %j",
  (payload) => {
    const { count, aspect = 1 } = expectedResult({ ...asked, payload });
    expect(count >= 1 && count <= 16 && aspect > 0).toBe(true);
  },
);

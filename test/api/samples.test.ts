import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJobPage } from "#api/job-list.ts";
import { readJob } from "#api/jobs.ts";
import { readModelDetail, readModelIds, readTextModels } from "#api/models.ts";
import { readError } from "#api/read-error.ts";
import { isRecord } from "#lib/read.ts";

// Records of real services, which are not part of the project: read where they are at hand.
const SAMPLES = join(import.meta.dirname, "../../../shared/samples/records");
const isHere = existsSync(SAMPLES);
const parsed = (path: string): unknown => JSON.parse(readFileSync(join(SAMPLES, path), "utf8"));
const files = (folder: string) => (isHere ? readdirSync(join(SAMPLES, folder)).map((name) => `${folder}/${name}`) : []);

describe.runIf(isHere)("records of real services", () => {
  it.each(files("jobs").filter((path) => /\/(poll|submit)\./.test(path)))("%s is a job", (path) => {
    const job = readJob(parsed(path));
    expect(job.requestId).not.toBe("");
    expect(job.model).toBeDefined();
    expect(job.createdAtSeconds).toBeGreaterThan(1_700_000_000);
    if (path.includes("poll") && job.status === "success") expect(job.media).toMatchObject([{ kind: "audio" }]);
  });

  it("a video that is its own thumbnail is read as one video", () => {
    const outcome = parsed("jobs/outcome.Veo3.success.docs.json");
    expect(readJob({ request_id: "r", status: "success", outcome }).media).toMatchObject([{ kind: "video" }]);
  });

  it("failures have their reason, whichever field holds it", () => {
    const shapes = parsed("jobs/failed.SHAPES.json");
    const reasons = (Array.isArray(shapes) ? shapes : []).map(
      (shape) => readJob({ ...(isRecord(shape) ? shape : {}), request_id: "r" }).failureReason,
    );
    expect(reasons).toEqual([
      "Music generation failed: rate limit exceeded(RPM)",
      "Safety filter triggered",
      "string",
      undefined,
    ]);
  });

  it("lists are read and each id comes once", () => {
    expect(readModelIds(parsed("lists/models.docs.json"))).toHaveLength(5);
    expect(readModelIds(parsed("lists/models.duplicates.newapi-test.json"))).toHaveLength(4);
    expect(readTextModels(parsed("lists/v1_models.openai-shape.json"))).toHaveLength(2);
    expect(readTextModels(parsed("lists/v1_models.with-pricing.client-test.json"))).toHaveLength(1);
    expect(readJobPage(parsed("lists/requests.sdk-shape.json")).total).toBe(0);
  });

  it("a model's detail is read", () => {
    const detail = readModelDetail(parsed("model_detail/minimax-tts-speech-2.8-hd.RECONSTRUCTED.json"), "x");
    expect(detail).toMatchObject({
      id: "x",
      type: "audio",
      priceText: "$0.10 per audio (per one thousand character)",
    });
  });

  it("errors have their message", () => {
    const errors = parsed("errors/queue.json");
    for (const entry of Array.isArray(errors) ? errors : []) {
      if (!isRecord(entry) || !isRecord(entry.body)) continue;
      expect(readError(400, JSON.stringify(entry.body)).message).toBe(entry.body.error);
    }
  });
});

it.runIf(!isHere)("records of real services are not here, so they were not read", () => {
  expect(isHere).toBe(false);
});

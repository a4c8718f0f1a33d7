import { describe, expect, it } from "vitest";
import { hasNoResult, isFinal, readJob, readStatus } from "#api/jobs.ts";

// Spec 3.
describe("a status", () => {
  it.each([
    [
      "success",
      "success SUCCESS succeeded Succeeded SUCCEED completed Complete done finished JOB_STATE_SUCCEEDED TaskCompleted",
    ],
    ["failed", "failed FAILED failure error errored Rejected STATUS_FAILED task_failed JobFailed"],
    ["cancelled", "cancelled canceled CANCELED aborted TASK_STATUS_CANCELED"],
  ])("means %s in words that plainly say so", (meaning, words) => {
    expect(words.split(" ").map(readStatus)).toEqual(words.split(" ").map(() => meaning));
  });

  it.each(["timed_out", "TIMEOUT", "Timed out", "expired", "nsfw", "NSFW", "Content Moderated"])(
    "is an end without a result, and not a failed job, as %s",
    (word) => {
      const status = readStatus(word);
      expect([isFinal(status), hasNoResult(status), status === "failed"]).toEqual([true, true, false]);
    },
  );

  it.each(
    "queued created IN_QUEUE in_progress InProgress Processing running starting warming_up canceling cancel_requested ready stopped paused retrying uploading_success_page completing failing_over partial".split(
      " ",
    ),
  )("means still running where it is %s", (word) => {
    expect(isFinal(readStatus(word))).toBe(false);
  });

  it("is in one spelling, whatever it was sent in", () => {
    expect(
      ["IN_PROGRESS", "InProgress", "in-progress", " in  progress ", "STATUS_IN_PROGRESS"].map(readStatus),
    ).toEqual(Array(5).fill("in_progress"));
    expect([undefined, null, "", 7, {}].map(readStatus)).toEqual(Array(5).fill("unknown"));
    expect(readStatus({ state: "SUCCEEDED" })).toBe("success");
  });
});

// Spec 2.
describe("a job record", () => {
  it.each([
    { requestId: "r", status: "queued" },
    { job_id: "r", status: "queued" },
    { task_id: "r", state: "QUEUED" },
    { predictionId: "r", phase: "queued" },
    { uuid: "r", status: "queued" },
    { data: { request_id: "r", status: "queued" } },
    { data: { job: { id: "r", status: "queued" } } },
    { result: { task: { task_id: "r", task_status: "queued" } } },
    { data: [{ request_id: "r", status: "queued" }] },
    { data: { id: "r", type: "job", attributes: { status: "queued" } } },
    { code: 0, status: "success", message: "ok", data: { task_id: "r", status: "queued" } },
    { status: "queued", job: { id: "r" } },
    { request_id: "r", data: { status: "queued" } },
    { id: "evt_1", data: { request_id: "r", status: "queued" } },
    { request_id: "r", id: "7", job_id: "8", status: "queued" },
  ])("is found in %j", (raw) => {
    expect(readJob(raw)).toMatchObject({ requestId: "r", status: "queued" });
  });

  it("keeps the id that was asked for, whatever else its answer is numbered by", () => {
    expect(readJob({ request_id: "trace-1", data: { task_id: "r", status: "failed" } }, "r")).toMatchObject({
      requestId: "r",
      status: "failed",
    });
    expect(readJob({ id: "trace-1", status: "queued" }, "r").requestId).toBe("r");
  });

  // Money: a submit's answer is taken for a job by an id that is the job's.
  it.each([
    { user: { id: "u" }, status: "queued" },
    { data: { id: "file-1", url: "https://media.example/a.png" } },
    { model: { id: "m" }, status: "queued" },
    { payload: { id: "p" } },
    { organisation_id: "o", trace_id: "t", status: "ok" },
    { error: { id: "e", message: "no" } },
  ])("is not guessed from %j", (raw) => {
    expect(() => readJob(raw)).toThrow();
  });

  it("does not take an envelope's success for the job's", () => {
    expect(readJob({ status: "success", data: { task_id: "r" } }).status).toBe("unknown");
    expect(readJob({ status: "error", job: { id: "r", model: "m" } }).status).toBe("unknown");
    expect(readJob({ status: "success", outcome: {}, request: { request_id: "r" } }).status).toBe("success");
  });

  it("has its model and payload under other names", () => {
    const payload = { prompt: "A lamp" };
    for (const fields of [
      { model: "m", payload },
      { model_id: "m", input: payload },
      { modelId: "m", parameters: payload },
      { model: { id: "m", name: "Model M" }, arguments: payload },
      { request: { model: "m", payload } },
      { modelName: "m", payload: JSON.stringify(payload) },
    ]) {
      expect(readJob({ request_id: "r", status: "queued", ...fields })).toMatchObject({ model: "m", payload });
    }
  });

  it.each(["output", "outputs", "result", "images", "image_url", "data"])("has its files under %s too", (name) => {
    const raw = { request_id: "r", status: "COMPLETED", outcome: null, [name]: "https://media.example/a.png" };
    expect(readJob(raw).media).toMatchObject([{ kind: "image", url: "https://media.example/a.png" }]);
    expect(readJob({ ...raw, status: "queued" }).media).toEqual([]);
  });

  it("takes no input and no link for a file", () => {
    const url = "https://media.example/a.png";
    const raw = {
      request_id: "r",
      status: "success",
      input: { image: url },
      icon_url: url,
      urls: { get: url },
      webhook: url,
    };
    expect(readJob(raw).media).toEqual([]);
  });

  it("holds the whole answer in raw", () => {
    const raw = { data: { request_id: "r", status: "queued" }, region: "north" };
    expect(readJob(raw).raw).toEqual(raw);
  });
});

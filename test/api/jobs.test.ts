import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import { readJobPage } from "#api/job-list.ts";
import { isFinal, isRecordOf, readJob, readSeconds, readSubmitted } from "#api/jobs.ts";
import fc from "../setup/fc.ts";

// Spec 2.
describe("a job record", () => {
  it("is read as the specification shows it", () => {
    const job = readJob({
      request_id: "r1",
      model: "m",
      status: "success",
      outcome: { media_urls: [{ id: "0", type: "image", url: "https://media.example/a.png" }] },
    });
    expect(job).toMatchObject({
      requestId: "r1",
      model: "m",
      status: "success",
      media: [{ id: "0", kind: "image", url: "https://media.example/a.png" }],
      failureReason: undefined,
    });
  });

  it("holds unspecified fields in raw", () => {
    expect(readJob({ request_id: "r", status: "queued", qworker_id: 7 }).raw).toHaveProperty("qworker_id", 7);
  });

  // Spec 3.
  it.each([
    ["queued", false],
    ["success", true],
    ["failed", true],
    ["cancelled", true],
    ["created", false],
    ["dispatched", false],
    ["processing", false],
    ["a word of tomorrow", false],
    [undefined, false],
  ])("with status %s is final: %s", (status, final) => {
    expect(isFinal(readJob({ request_id: "r", status }).status)).toBe(final);
  });

  it("reads a status in other letters or spelling as the same status", () => {
    expect(readJob({ request_id: "r", status: " SUCCESS " }).status).toBe("success");
    expect(readJob({ request_id: "r", status: "canceled" }).status).toBe("cancelled");
  });

  it("may name itself id, or come wrapped", () => {
    expect(readJob({ id: "r", status: "queued" }).requestId).toBe("r");
    expect(readJob({ data: { request_id: "r", status: "queued" } }).requestId).toBe("r");
    expect(readJob({ request: { request_id: "r" } }).requestId).toBe("r");
  });

  it("takes the id that was asked for where the answer leaves it out", () => {
    expect(readJob({ status: "queued" }, "asked").requestId).toBe("asked");
  });

  it.each([[null], [[]], ["text"], [{}], [{ error: "x" }], [{ message: "ok" }]])("is not read from %j", (raw) => {
    expect(() => readJob(raw, undefined)).toThrow(UnreadableAnswerError);
  });

  it("is not read from another kind of object, even with an id", () => {
    expect(() => readJob({ hotel: "welcome" }, "asked")).toThrow(UnreadableAnswerError);
  });

  it.each([
    [{ outcome: { error: "rate limit" } }, "rate limit"],
    [{ outcome: { error: { message: "inner" } } }, "inner"],
    [{ error: "safety filter" }, "safety filter"],
    [{ error: { message: "object" } }, "object"],
    [{ reason: "because" }, "because"],
    [{ outcome: {} }, undefined],
    [{ outcome: null }, undefined],
  ])("has the reason of a failure: %j", (fields, reason) => {
    expect(readJob({ request_id: "r", status: "failed", ...fields }).failureReason).toBe(reason);
  });

  it("has no failure when it succeeded, whatever its outcome says", () => {
    const job = readJob({ request_id: "r", status: "success", outcome: { error: "", message: "fine" } });
    expect(job.failureReason).toBeUndefined();
  });

  it("is a job or the typed error for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (outcome, payload) => {
        const job = readJob({ request_id: "r", status: "success", outcome, payload });
        for (const { url } of job.media) expect(url).toMatch(/^(https?:|data:)/i);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        try {
          expect(readJob(raw).requestId).not.toBe("");
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableAnswerError);
        }
      }),
    );
  });
});

describe("a moment", () => {
  it.each([
    [1_753_468_514, 1_753_468_514],
    [1_753_468_514_123, 1_753_468_514],
    ["1753468514", 1_753_468_514],
    ["2025-07-25T18:35:14Z", 1_753_468_514],
    [0, undefined],
    [-1, undefined],
    [null, undefined],
    ["soon", undefined],
    ["", undefined],
  ])("written %j is %s in Unix seconds", (written, seconds) => {
    expect(readSeconds(written)).toBe(seconds);
  });
});

const listed = (id: string) => ({ request_id: id, model: "m", status: "queued" });

// Spec 4.1 rule 5: body not shown.
describe("the job list", () => {
  it.each([
    [{ requests: [listed("a")], total: 41 }, ["a"], 41],
    [{ data: [listed("a")] }, ["a"], undefined],
    [{ items: [listed("a")] }, ["a"], undefined],
    [[listed("a"), listed("b")], ["a", "b"], undefined],
    [{ requests: null, total: 0 }, [], 0],
    [{ requests: null }, [], undefined],
    [{ total: 0 }, [], 0],
    [{}, [], undefined],
    [null, [], undefined],
    [{ requests: [listed("a"), listed("a")] }, ["a"], undefined],
    [{ requests: [null, 7, {}, listed("a")] }, ["a"], undefined],
    [{ requests: [], total: -1 }, [], undefined],
    [{ requests: [], total: 1.5 }, [], undefined],
  ])("%j", (raw, ids, total) => {
    const page = readJobPage(raw);
    expect(page.jobs.map(({ requestId }) => requestId)).toEqual(ids);
    expect(page.total).toBe(total);
  });

  it.each(["text", 7, { message: "Welcome to the hotel" }, { error: "x" }])("is never 'no jobs' for %j", (raw) => {
    expect(() => readJobPage(raw)).toThrow(UnreadableAnswerError);
  });
});

// Spec 2.

describe("the answer to a submit", () => {
  const read = (raw: unknown) => {
    try {
      return readSubmitted(raw).requestId;
    } catch (error) {
      return error instanceof UnreadableAnswerError ? error.unproven : error;
    }
  };
  const whole = { request_id: "r", model: "m", status: "queued" };

  it.each<[unknown, string]>([
    [whole, "r"],
    [{ request_id: "r", model: "m", status: "failed", outcome: { error: "no" } }, "r"],
    [{ request_id: 7, status: "dispatched", created_at: 1_790_000_000 }, "7"],
    [{ request_id: "r", status: "success", outcome: { media_urls: [] } }, "r"],
    [{ request_id: "r", model: "m" }, "r"],
    [{ request_id: "r", model: "m", status: "Warming up" }, "r"],
    [{ ...whole, error: null, errors: [], code: 0, success: true }, "r"],
    [{ ...whole, error: { code: 0, message: "", type: null } }, "r"],
    [{ ...whole, error: [null], exception: "None" }, "r"],
    [{ ...whole, code: 20_000, message: "ok" }, "r"],
    [{ ...whole, code: "ACCEPTED", success: false }, "r"],
    [{ ...whole, request: { prompt: "A", error: "hello" } }, "r"],
    [{ code: "0", message: "success", data: { task_id: "t", task_status: "submitted" } }, "t"],
    [{ code: 0, request_id: "trace", data: { task_id: "t", task_status: "submitted" } }, "t"],
    [{ id: "p", status: "starting", created_at: "2026-11-28T00:00:00Z", input: { prompt: "A" } }, "p"],
    [{ data: { request_id: "r", status: "JOB_STATE_QUEUED" } }, "r"],
  ])("%j proves a job", (raw, id) => {
    expect(read(raw)).toBe(id);
  });

  it.each<[unknown, string | undefined, string, boolean]>([
    [{ error: { message: "No credit" }, request_id: "t" }, "t", "No credit", true],
    [{ ...whole, error: "busy" }, "r", "busy", false],
    [{ request_id: "t", model: "m", status: "failed", error: "Safety" }, "t", "Safety", false],
    [{ request_id: "t", model: "m", success: false, message: "no" }, "t", "no", true],
    [{ request_id: "t", model: "m", success: "false", message: "no" }, "t", "no", true],
    [{ request_id: "t", model: "m", code: 1001, message: "No credit" }, "t", "No credit", true],
    [{ request_id: "t", model: "m", status_code: 402, detail: "No credit" }, "t", "No credit", true],
    [{ request_id: "t", data: { id: "x", status: "queued", model: "m" } }, "t", "", false],
    [{ request_id: "t", status: "failed", message: "No credit" }, "t", "No credit", true],
    [{ request_id: "t", status: "error", timestamp: 1_790_000_000 }, "t", "", true],
    [{ request_id: "t", status: "unauthorized", message: "Sign in" }, "t", "Sign in", false],
    [{ request_id: "t", status: "not_found" }, "t", "", false],
    [{ request_id: "t", status: { code: "Unauthorized" } }, "t", "", false],
    [{ id: "p", status: "success", message: "Sign in", timestamp: "2026-11-28T00:00:00Z" }, "p", "Sign in", false],
    [{ id: "p", status: "ok" }, "p", "", false],
    [{ id: "p", status: 200 }, "p", "", false],
    [{ id: "p", payload: { text: "my own prompt" } }, "p", "", false],
    [{ code: 1001, message: "No credit" }, undefined, "No credit", true],
    [{ message: "Welcome" }, undefined, "Welcome", true],
    [{}, undefined, "", true],
    ["Welcome", undefined, "Welcome", true],
    [[], undefined, "", true],
    [null, undefined, "", true],
  ])("%j proves none", (raw, id, words, needsEcho) => {
    expect(read(raw)).toEqual({ id, words, needsEcho });
  });

  it.each<[unknown, boolean]>([
    [{ request_id: "r", status: "queued" }, true],
    [{ request_id: "r", status: "success" }, true],
    [{ request_id: "r", model: "m", status: "Warming up" }, true],
    [{ id: "r", status: "Warming up", created_at: 1_790_000_000 }, true],
    [{ request_id: "r", model: "m", status: "failed", error: "no" }, true],
    [{ id: "r", status: "failed", created_at: 1_790_000_000 }, true],
    [{ request_id: "trace", id: "r", status: "queued" }, true],
    [{ request_id: "trace", data: { task_id: "r", task_status: "submitted" } }, true],
    [{ status: "processing" }, true],
    [{ status: "success", outcome: { media_urls: [] } }, true],
    [{ request_id: "other", status: "queued" }, false],
    [{ request_id: "r" }, false],
    [{ request_id: "r", status: "failed" }, false],
    [{ request_id: "r", status: "failed", error: "There is no such request" }, false],
    [{ request_id: "r", status: "ok" }, false],
    [{ request_id: "r", status: "not_found" }, false],
    [{ id: "r", status: "ok", message: "Sign in first", time: 1_790_000_000 }, false],
    [{ id: "r", status: "success", message: "Welcome", timestamp: 1_790_000_000 }, false],
    [{ timestamp: "2026-11-28T00:00:00Z", status: 404, error: "Not Found", path: "/x" }, false],
    [{ status: "error", model: "m", error: "no" }, false],
    [{ status: "error", message: "There is no such request" }, false],
    [{ error: "There is no such request" }, false],
    [{ message: "Welcome" }, false],
    [null, false],
  ])("%j is the record of the job r: %s", (raw, isRecord) => {
    expect(isRecordOf(raw, "r")).toBe(isRecord);
  });
});

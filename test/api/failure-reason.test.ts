import { describe, expect, it } from "vitest";
import { failureReason } from "#api/failure-reason.ts";
import { readJob } from "#api/jobs.ts";
import fc from "../setup/fc.ts";

const WHY = "The prompt names a protected person.";
const job = (fields: object, status = "failed") => readJob({ request_id: "r", status, ...fields });

describe("the reason of a failure", () => {
  it.each([
    { error: WHY },
    { error: { message: WHY } },
    { error: { error: { message: WHY } } },
    { errors: [{ message: WHY }] },
    { errors: [WHY] },
    { error: JSON.stringify({ error: { message: WHY } }) },
    { error: `Backend error (400): ${JSON.stringify({ detail: WHY })}` },
    { error: { message: "Backend request failed", details: JSON.stringify({ error: { message: WHY } }) } },
    { error_message: WHY },
    { errorMessage: WHY },
    { err_msg: WHY, error_msg: WHY },
    { message: WHY },
    { messages: ["Accepted", WHY, "Process exited with code 1"], error: null },
    {
      messages: [
        { level: "info", text: "Accepted" },
        { level: "error", text: WHY },
      ],
    },
    { logs: `2025-07-25 18:35:14 INFO loading\n2025-07-25 18:35:20 ERROR ${WHY} It is not allowed.\nshutting down` },
    { logs: `12:00:09 ERROR ${WHY}` },
    { logs: [{ message: "loading" }, { message: WHY, level: "ERROR" }, { message: "bye" }] },
    { status_detail: WHY },
    { status_message: WHY },
    { statusMessage: WHY },
    { task_status_msg: WHY },
    { detail: WHY },
    { detail: [{ loc: ["body", "prompt"], msg: WHY, type: "value_error" }] },
    { reason: WHY },
    { failure: WHY },
    { failure: { reason: WHY } },
    { failure_reason: WHY },
    { failureReason: WHY },
    { rejection_reason: WHY },
    { fail_msg: WHY },
    { outcome: WHY },
    { outcome: { error: WHY } },
    { outcome: { message: WHY } },
    { outcome: { messages: ["Started.", WHY] } },
    { outcome: { result: { failure: WHY } } },
    { outcome: { result: { failure: { cause: { description: WHY } } } } },
    { outcome: { outputs: [{ error: { message: WHY } }] } },
    { result: { error: WHY } },
    { data: { error: { message: WHY } } },
    { metadata: { error: WHY } },
    { attempts: [{ provider: "a", error: WHY }] },
    { status: { state: "failed", message: WHY } },
    { error: true, message: WHY },
    { error: "failed", outcome: { messages: [{ body: WHY }] } },
    { error: `<html><body><h1>${WHY}</h1></body></html>` },
  ])("is read from %j", (fields) => {
    expect(job(fields).failureReason).toContain(WHY);
    expect(job(fields).failureReason?.indexOf(WHY.slice(0, 20))).toBe(0);
  });

  it.each([
    {},
    { error: null, message: "" },
    { outcome: null },
    { outcome: {} },
    { error: "failed", message: "error" },
    { status_message: "FAILED", logs: "" },
    { payload: { prompt: "an error message", error: "x y" } },
    { input: { error: "no reason at all" } },
    { default_value: "a b", terrain: "c d", title: "My lamp", description: "A model for lamps" },
    { messages: [{ role: "user", content: "A lamp that failed" }] },
    { error: "https://docs.example/errors" },
    { metrics: { errors: 3 }, retries: 2 },
  ])("is not made up from %j", (fields) => {
    expect(job(fields).failureReason).toBeUndefined();
  });

  it("begins with the most specific sentence, then says the next", () => {
    const fields = {
      error: "Task failed on worker 7",
      outcome: { result: { failure: WHY } },
      message: "Try again later",
    };
    expect(job(fields).failureReason).toBe(`${WHY} Task failed on worker 7`);
  });

  it("leaves out what only says that it failed, beside a reason", () => {
    expect(job({ error: "Job failed.", message: "An error occurred", logs: [WHY] }).failureReason).not.toContain(
      "failed",
    );
    expect(job({ error: "Internal server error" }).failureReason).toBe("Internal server error");
  });

  it("names a code beside the words, and alone where there are none", () => {
    expect(job({ error: { message: WHY, code: "POLICY_BLOCK" } }).failureReason).toBe(`${WHY} (POLICY_BLOCK)`);
    expect(job({ error: { message: WHY, code: 1303 } }).failureReason).toBe(`${WHY} (code 1303)`);
    expect(job({ error_code: "NSFW_CONTENT" }).failureReason).toBe("NSFW_CONTENT");
    expect(job({ outcome: { candidates: [{ finishReason: "SAFETY" }] } }).failureReason).toBe("SAFETY");
  });

  it("says each sentence once, wherever it is repeated", () => {
    expect(job({ error: WHY, reason: WHY, outcome: { error: { message: WHY } } }).failureReason).toBe(WHY);
  });

  it("is read for an end in other words, and not for a job that runs or succeeded", () => {
    for (const status of ["error", "timed_out", "nsfw", "cancelled", "REJECTED"]) {
      expect(job({ message: WHY }, status).failureReason).toBe(WHY);
    }
    for (const status of ["queued", "processing", "success", "warming_up"]) {
      expect(job({ message: WHY, error: WHY }, status).failureReason).toBeUndefined();
    }
  });

  // H5
  it("shows hidden characters by their names", () => {
    expect(job({ logs: "Invalid\u202e prompt" }).failureReason).toContain("⟨U+202E⟩");
  });

  // H11, H12
  it("is bounded and soon found, whatever the answer is", () => {
    const wide = { messages: Array.from({ length: 50_000 }, (_, at) => `line ${at} failed`) };
    let deep: object = { error: WHY };
    for (let level = 0; level < 60; level += 1) deep = { result: deep };
    const long = { logs: "An error. ".repeat(500_000) };
    for (const fields of [wide, deep, long, { outcome: [wide, deep, long] }]) {
      expect((job(fields).failureReason ?? "").length).toBeLessThanOrEqual(1100);
    }
  });

  it("is a text without hidden characters or nothing, for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (error, outcome, logs) => {
        const reason = failureReason([{ error, outcome, logs }]);
        expect(reason === undefined || (reason.trim() !== "" && reason.length <= 1100)).toBe(true);
      }),
    );
  });

  it("is found under any error-like name at any depth, in any spelling", () => {
    const names = fc.constantFrom(
      "error",
      "failure",
      "failure_reason",
      "failureReason",
      "errorMessage",
      "status_detail",
      "reason",
    );
    const wraps = fc.array(fc.constantFrom("outcome", "result", "output", "details", "response", "meta", "info"), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(names, wraps, fc.boolean(), (name, path, isText) => {
        let fields: unknown = { [name]: WHY };
        for (const key of path) fields = { [key]: isText ? JSON.stringify(fields) : fields };
        // JSON as a text is looked into where its name says that it may speak of the failure.
        if (isText && path.some((key) => ["response", "meta", "info"].includes(key))) return;
        expect(job(fields as object).failureReason).toContain(WHY);
      }),
    );
  });
});

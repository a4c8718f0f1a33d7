import { describe, expect, it } from "vitest";
import { readJobPage } from "#api/job-list.ts";
import { readJob } from "#api/jobs.ts";
import { readMedia } from "#api/media.ts";
import { readModelDetail } from "#api/models.ts";
import { readError } from "#api/read-error.ts";

const REASON = "The model is inactive.";
const job = { request_id: "r1", model: "m", status: "queued" };

describe("a refusal", () => {
  it.each<[string, unknown]>([
    ["a list", { errors: [{ detail: REASON }] }],
    ["by field", { errors: { model: [REASON] } }],
    ["a problem with a title alone", { type: "about:blank", title: REASON, status: 404 }],
    ["in an envelope", { success: false, payload: { error: { text: REASON } } }],
    ["a code and a description", { error: "not_found", error_description: REASON }],
    ["the status in words beside it", { statusCode: 404, error: "Not Found", message: REASON }],
    ["in capitals", { Fault: { Reason: { Text: REASON } } }],
  ])("says why as %s", (_, body) => {
    expect(readError(404, JSON.stringify(body)).message).toContain(REASON);
  });
});

describe("a job", () => {
  it("is read in a payload or a list of one, and never from what it was given", () => {
    expect(readJob({ success: true, payload: job })).toMatchObject({ requestId: "r1", payload: undefined });
    expect(readJob([job]).requestId).toBe("r1");
    expect(() => readJob({ payload: { id: "fox", status: "draft" } })).toThrow();
    expect(readJob({ ...job, payload: { id: "fox", status: "success" } })).toMatchObject({
      requestId: "r1",
      status: "queued",
    });
  });

  it.each<[unknown, string]>([
    ["failed: moderation", "failed"],
    ["Failed (moderation)", "failed"],
    ["status.success", "success"],
    [{ code: "success", text: "Done" }, "success"],
  ])("with status %j is %s", (status, expected) => {
    expect(readJob({ ...job, status }).status).toBe(expected);
  });

  it.each(["queue_time", "request_time", "job_created_at", "gmt_create", "acceptedAt"])(
    "was made at its %s",
    (name) => {
      expect(readJob({ ...job, [name]: 1_795_341_600 }).createdAtSeconds).toBe(1_795_341_600);
    },
  );

  it.each(["diagnostics", "notes", "explanation", "timeline", "verdict"])("says in %s why it failed", (name) => {
    const failed = { ...job, status: "failed", [name]: [{ message: "The picture shows a face." }] };
    expect(readJob(failed).failureReason).toBe("The picture shows a face.");
  });
});

it.each<[object, object]>([
  [{ extension: ".mp4" }, { kind: "video" }],
  [{ "content-type": "audio/ogg" }, { kind: "audio" }],
  [{ dimensions: "1024 x 768 px" }, { width: 1024, height: 768 }],
  [
    { width: "1024", duration: "5.2s" },
    { width: 1024, durationSeconds: 5.2 },
  ],
])("what is said of a file is read: %j", (said, expected) => {
  expect(readMedia({ media_urls: [{ url: "https://files.example/a", ...said }] })[0]).toMatchObject(expected);
});

it.each<[object, object]>([
  [{ page: 1, pages: 3 }, { hasMore: true }],
  [{ current_page: 3, last_page: 3 }, { hasMore: false }],
  [{ has_more: "false" }, { hasMore: false }],
  [{ links: { next: { href: "/x?page=2" } } }, { next: { page: "2" } }],
])("a list says where it ends: %j", (about, expected) => {
  expect(readJobPage({ requests: [job], ...about })).toMatchObject(expected);
});

it("a price in cents is never shown as dollars", () => {
  const detail = { price: { amount: 3, currency: "USD", unit: "cents" } };
  expect(readModelDetail(detail, "m").priceText).toBe("$0.03");
});

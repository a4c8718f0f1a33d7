import { describe, expect, it } from "vitest";
import { errorOf, mediaOf, openSandbox } from "./sandbox-client.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// Spec 3.
describe("from submit to a final status", () => {
  // Spec 2.
  it("a submit answers a request_id, the model and the status queued", async () => {
    const { json, status } = await openSandbox().submit("halide-video", { prompt: "A fox" });
    expect(status).toBe(200);
    expect(json).toMatchObject({ request_id: expect.stringMatching(UUID), model: "halide-video", status: "queued" });
    expect(json).not.toHaveProperty("outcome");
  });

  it("the estimated price is pre-charged to the organization balance at submit", async () => {
    const { submit, sandbox } = openSandbox({ openingBalanceMicroUsd: 1_000_000 });
    const { json } = await submit("halide-video", { prompt: "A fox" });
    expect(sandbox.inspect().ledger).toMatchObject([
      { kind: "charge", requestId: json.request_id, amountMicroUsd: 210_000, user: "user-ada" },
    ]);
    expect(sandbox.inspect().balances).toEqual({ "org-safelight": 790_000 });
  });

  // Spec 2, 8.
  it("a fast image model's submit response already contains the outcome", async () => {
    const answer = await openSandbox().submit("lumen-2", { prompt: "A fox", n: 3, size: "512x512" });
    expect(answer.json.status).toBe("success");
    expect(mediaOf(answer)).toHaveLength(3);
    expect(mediaOf(answer)[2]).toEqual({ id: "2", type: "image", url: expect.any(String), width: 512, height: 512 });
  });

  // Spec 8.
  it("a job of a video model takes roughly 1 to 5 minutes", async () => {
    const { submit, sandbox } = openSandbox();
    for (let round = 0; round < 60; round += 1) await submit("halide-video", { prompt: `Fox ${round}` });
    const seconds = sandbox.inspect().jobs.map((job) => (job.finishesAtMs - job.createdAtMs) / 1000);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(300);
    expect(new Set(seconds).size).toBeGreaterThan(20);
  });

  // Spec 4.1 rule 2.
  it("polling sees queued, then success with outcome.media_urls, and success is final", async () => {
    const { submit, job, pass } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "A fox", duration: "10" });
    expect((await job(json.request_id)).json.status).toBe("queued");
    pass(59);
    expect((await job(json.request_id)).json).toMatchObject({ status: "queued" });
    pass(241);
    const done = await job(json.request_id);
    expect(done.json.status).toBe("success");
    expect(mediaOf(done)).toEqual([
      { id: "0", type: "video", url: expect.stringMatching(/^http.*\.mp4$/), width: 432, height: 244 },
    ]);
    pass(86_400);
    expect((await job(json.request_id)).json.status).toBe("success");
  });

  it("a job's record echoes the payload as submitted and carries unix seconds", async () => {
    const { submit, job } = openSandbox();
    const payload = { prompt: "A fox", aspect_ratio: null };
    const { json } = await submit("grainfield", payload);
    const record = (await job(json.request_id)).json;
    expect(record.payload).toEqual(payload);
    expect(record.created_at).toBe(Date.UTC(2026, 4, 1, 12) / 1000);
    expect(record).toMatchObject({ queued_at: record.created_at, updated_at: record.created_at });
  });

  it("a job that fails is refunded exactly, when it fails and not before", async () => {
    const { submit, job, pass, sandbox } = openSandbox({ openingBalanceMicroUsd: 1_000_000 });
    const { json } = await submit("halide-video", { prompt: "A fox, fail:moderation" });
    expect(json.status).toBe("queued");
    expect(sandbox.inspect().balances).toEqual({ "org-safelight": 790_000 });
    pass(300);
    expect((await job(json.request_id)).json).toMatchObject({
      status: "failed",
      error: expect.stringContaining("safety"),
    });
    expect(sandbox.inspect().balances).toEqual({ "org-safelight": 1_000_000 });
    pass(300);
    await job(json.request_id);
    expect(sandbox.inspect().ledger.map((entry) => [entry.kind, entry.amountMicroUsd])).toEqual([
      ["charge", 210_000],
      ["refund", 210_000],
    ]);
  });

  // Spec 2: present when the job has produced results.
  it("a failed job has no outcome", async () => {
    const { submit } = openSandbox();
    const { json } = await submit("lumen-2", { prompt: "A fox, fail:provider" });
    expect(json.status).toBe("failed");
    expect(json).not.toHaveProperty("outcome");
  });

  it("a rejected job exists nowhere, and its charge is refunded exactly", async () => {
    const { submit, queue, sandbox } = openSandbox();
    const answer = await submit("lumen-2", { prompt: "reject:moderation" });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).message).toContain("rejected");
    const { ledger, jobs } = sandbox.inspect();
    expect(jobs).toEqual([]);
    expect(ledger.map((entry) => [entry.kind, entry.amountMicroUsd])).toEqual([
      ["charge", 35_000],
      ["refund", 35_000],
    ]);
    expect((await queue("GET", "/apikey/requests")).json.requests).toEqual([]);
  });

  // Spec 7.
  it("a submit to an inactive model gives 404, without a job or a charge", async () => {
    const { submit, sandbox } = openSandbox();
    const answer = await submit("lumen-1", { prompt: "A fox" });
    expect(answer.status).toBe(404);
    expect(errorOf(answer).message).toMatch(/lumen-1.*inactive/);
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
  });

  // Spec 3 names no refund for it.
  it("a job that ends in cancelled is not refunded", async () => {
    const { submit, job, pass, sandbox } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "cancel:operator" });
    pass(300);
    expect((await job(json.request_id)).json.status).toBe("cancelled");
    expect(sandbox.inspect().refundedMicroUsd).toBe(0);
  });

  it("a balance that does not cover the price answers 402, and nothing is charged", async () => {
    const { submit, sandbox } = openSandbox({ openingBalanceMicroUsd: 34_999 });
    expect((await submit("lumen-2", { prompt: "A fox" })).status).toBe(402);
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
  });

  it("one model always fails, and one is slow", async () => {
    const { submit, job, pass } = openSandbox();
    const failing = await submit("dead-pixel", { prompt: "A fox" });
    const slow = await submit("halide-longtake", { prompt: "A fox" });
    pass(599);
    expect((await job(failing.json.request_id)).json.status).toBe("failed");
    expect((await job(slow.json.request_id)).json.status).toBe("queued");
    pass(1);
    expect((await job(slow.json.request_id)).json.status).toBe("success");
  });

  it("stuck:hour stays queued for an hour", async () => {
    const { submit, job, pass } = openSandbox();
    const { json } = await submit("lumen-2", { prompt: "stuck:hour" });
    pass(3599);
    expect((await job(json.request_id)).json.status).toBe("queued");
    pass(1);
    expect((await job(json.request_id)).json.status).toBe("success");
  });
});

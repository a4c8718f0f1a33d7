import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { isRecord } from "#lib/read.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { visitStudio } from "../visit-studio.tsx";

let sandbox: ReturnType<typeof openSandboxMedia>;
beforeEach(async () => {
  localStorage.clear();
  sandbox = openSandboxMedia();
  await openSandbox();
});
afterEach(() => {
  disconnect();
  sandbox.close();
});

/** A job whose record has these fields in place of its own. */
async function jobWith(fields: object): Promise<string> {
  const { requestId } = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "A tide" } });
  const answer = sandbox.sandbox.fetch;
  sandbox.sandbox.fetch = async (request) => {
    const response = await answer(request);
    if (request.method !== "GET" || !request.url.endsWith(`/requests/${requestId}`)) return response;
    const body: unknown = await response.json();
    return Response.json({ ...(isRecord(body) ? body : {}), ...fields }, { headers: response.headers });
  };
  visitStudio(`/jobs/${requestId}`);
  return requestId;
}

describe("a job that failed", () => {
  it.each([
    [{ logs: "12:00:09 ERROR The worker ran out of memory" }, "The worker ran out of memory"],
    [{ outcome: { messages: ["Accepted.", "The prompt names a person"] } }, "The prompt names a person"],
    [{ status_detail: "The input is too large" }, "The input is too large"],
    [{ error: { message: "The prompt was refused", code: "POLICY_2" } }, "The prompt was refused (POLICY_2)"],
  ])("says why from %j", async (fields, words) => {
    await jobWith({ status: "failed", ...fields });
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByText(/gave no reason/)).not.toBeInTheDocument();
  });

  it("links to the whole answer where the service gave no reason, and opens it", async () => {
    await jobWith({ status: "FAILED", region: "north-7" });
    expect(await screen.findByText(/The service gave no reason\./)).toBeVisible();
    const record = screen.getByText(/north-7/);
    expect(record).not.toBeVisible();
    screen.getByRole("link", { name: "See the whole answer" }).click();
    await expect.poll(() => record.closest("details")?.open).toBe(true);
  });
});

describe("a job that ended in another word", () => {
  it.each([
    ["TIMED_OUT", "Timed out"],
    ["expired", "Expired"],
    ["nsfw", "Stopped as unsafe (NSFW)"],
  ])("%s: says it in words, with the reason, and promises no refund", async (status, words) => {
    await jobWith({ status, message: "No worker took it" });
    expect(await screen.findByText("No worker took it")).toBeVisible();
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
    expect(screen.getByText(/does not say whether this end counts as one/)).toBeVisible();
    expect(screen.queryByText(/refunded automatically/)).not.toBeInTheDocument();
  });
});

describe("a job that runs", () => {
  it.each([
    ["IN_PROGRESS", "In progress"],
    ["warming_up", "Warming up"],
    ["WaitingForWorker", "Waiting for worker"],
    ["IN_QUEUE", "Queued"],
  ])("%s is shown as words: %s", async (status, words) => {
    await jobWith({ status });
    expect(await screen.findByRole("timer", { name: "Elapsed" })).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    // The record itself stands below as it came.
    expect(screen.queryByText(status)).not.toBeInTheDocument();
  });
});

import { describe, expect, it } from "vitest";
import { SANDBOX_LIMITS } from "#sandbox/limits.ts";
import { clipShape } from "#sandbox/media/paint-picture.ts";
import { openSandbox } from "./sandbox-client.ts";

const sentenceOf = (about: string) => SANDBOX_LIMITS.find((limit) => limit.about === about)?.sentence ?? "";

describe("what the sandbox does not do", () => {
  it("is listed in whole sentences, each subject once", () => {
    expect(new Set(SANDBOX_LIMITS.map(({ about }) => about)).size).toBe(SANDBOX_LIMITS.length);
    for (const { sentence } of SANDBOX_LIMITS) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  it("states the real bounds of a video", () => {
    const { width, fps, frameCount } = clipShape(3840, 2160, 4);
    expect(sentenceOf("Video size")).toContain(`up to ${width} pixels`);
    expect(sentenceOf("Video size")).toContain(`up to ${fps} frames per second`);
    expect(frameCount / fps).toBe(4);
  });

  it("states the real answer for deleting a running job's media", async () => {
    const { submit, queue } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "A fox" });
    const { status } = await queue("DELETE", `/apikey/requests/${json.request_id}/media`);
    expect(sentenceOf("Deleting files of a running job")).toContain(`returns ${status}`);
  });

  it("states the real charge of a cancelled job", async () => {
    const { submit, job, pass, sandbox } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "cancel:operator" });
    pass(400);
    expect((await job(json.request_id)).json.status).toBe("cancelled");
    expect(sandbox.inspect().refundedMicroUsd).toBe(0);
    expect(sentenceOf("Cancelled jobs")).toContain("stays charged");
  });

  it("states rightly that requests are unlimited until a limit is set", async () => {
    const { queue } = openSandbox();
    for (let count = 0; count < 300; count += 1) expect((await queue("GET", "/apikey/models")).status).toBe(200);
    expect(sentenceOf("Rate limits")).toContain("none until you set them");
  });
});

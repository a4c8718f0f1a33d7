import { describe, expect, it } from "vitest";
import { nodeEncoders } from "#host/node-encoders.ts";
import { CATALOGUE } from "#sandbox/catalogue/catalogue.ts";
import { withDefaults } from "#sandbox/catalogue/payload-check.ts";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { clipShape } from "#sandbox/media/paint-picture.ts";
import { mediaOf, ORIGIN, openSandbox, START_MS } from "./sandbox-client.ts";

/** The first file of one job, made by the encoders of Node. */
async function realFile(model: string, payload: Record<string, unknown>) {
  let nowMs = START_MS;
  const sandbox = createSandbox({ now: () => nowMs, media: nodeEncoders });
  const client = openSandbox({ now: () => nowMs });
  const headers = { authorization: "Bearer sandbox-key" };
  const queue = `${ORIGIN}/sandbox/api/v1/queue/apikey/requests`;
  const body = JSON.stringify({ model, payload });
  await sandbox.fetch(new Request(queue, { method: "POST", headers, body }));
  const { json } = await client.submit(model, payload);
  nowMs += 600_000;
  const [item] = mediaOf(await client.job(json.request_id));
  const response = await sandbox.fetch(new Request(item?.url ?? ""));
  return { item, type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("generated media is real", () => {
  it("a PNG of exactly the asked size", async () => {
    const { item, type, bytes } = await realFile("lumen-2", { prompt: "A lighthouse", size: "512x512" });
    expect([type, bytes.subarray(1, 4).toString()]).toEqual(["image/png", "PNG"]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512]);
    expect(item).toMatchObject({ width: 512, height: 512 });
  });

  it("a JPEG where it is asked for", async () => {
    const { type, bytes } = await realFile("grainfield", { prompt: "A lighthouse" });
    expect([type, bytes.subarray(0, 3).toString("hex")]).toEqual(["image/jpeg", "ffd8ff"]);
  });

  it("a WAV", async () => {
    const { type, bytes } = await realFile("overture-voice", { text: "Once upon a time" });
    expect([type, bytes.subarray(0, 4).toString(), bytes.subarray(8, 12).toString()]).toEqual([
      "audio/wav",
      "RIFF",
      "WAVE",
    ]);
  });

  it("every record states the true size of its clip", () => {
    const clips = CATALOGUE.flatMap((model) => model.files(withDefaults(model, {}))).filter(
      (file) => file.kind === "video",
    );
    expect(clips.length).toBeGreaterThan(5);
    for (const { width = 0, height = 0, durationSeconds = 0 } of clips) {
      expect(clipShape(width, height, durationSeconds)).toMatchObject({ width, height });
    }
  });
});

import { ALL_FORMATS, BlobSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, it } from "vitest";
import { nodeEncoders } from "#host/node-encoders.ts";
import { type Clip, joinClips } from "#media/clips/join-clips.ts";
import { makeMedia } from "#sandbox/media/make-media.ts";

const SHAPE = { kind: "video", format: "mp4", index: 0, width: 160, height: 96 } as const;

async function makeClip(seed: number, durationSeconds: number, changes = {}): Promise<Clip> {
  const spec = { ...SHAPE, prompt: "A lamp in the fog", seed, durationSeconds, ...changes };
  const { bytes, contentType } = await makeMedia(spec, nodeEncoders);
  return { name: `Clip ${seed}`, blob: new Blob([bytes], { type: contentType }) };
}

async function readPackets(blob: Blob) {
  const input = new Input({ source: new BlobSource(blob), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error("No video");
  const packets: { at: number; bytes: string }[] = [];
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
    packets.push({ at: timestamp, bytes: Buffer.from(data).toString("base64") });
  }
  return { packets, seconds: await track.computeDuration(), width: await track.getDisplayWidth() };
}

describe("joining clips", () => {
  it("copies every packet of clips that are alike, one clip after the other", async () => {
    const clips = [await makeClip(1, 1), await makeClip(2, 2), await makeClip(3, 1)];
    const shares: number[] = [];
    const joined = await joinClips(clips, { onProgress: (done) => shares.push(done) });
    const parts = await Promise.all(clips.map(({ blob }) => readPackets(blob)));
    const whole = await readPackets(joined.blob);
    expect(whole.packets.map(({ bytes }) => bytes)).toEqual(
      parts.flatMap(({ packets }) => packets.map(({ bytes }) => bytes)),
    );
    const seconds = parts.reduce((total, part) => total + part.seconds, 0);
    expect(whole.seconds).toBeCloseTo(seconds, 2);
    expect(joined.seconds).toBeCloseTo(seconds, 2);
    expect(joined).toMatchObject({ notes: [] });
    expect(joined.blob.type).toBe("video/mp4");
    expect(whole.width).toBe(160);
    const times = whole.packets.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it("says what is missing where clips differ and the browser has no encoder", async () => {
    const clips = [await makeClip(1, 1), await makeClip(2, 1, { width: 96, height: 160 })];
    await expect(joinClips(clips)).rejects.toThrow(
      "The videos differ in size, and this browser can’t decode “Clip 1”. Join videos of one model and size, or try Chrome.",
    );
  });

  it("names a file that is no video", async () => {
    const clips = [await makeClip(1, 1), { name: "Notes", blob: new Blob(["not a clip"]) }];
    await expect(joinClips(clips)).rejects.toThrow("“Notes” can’t be read as a video. Remove it, then join again.");
  });

  it("ends with the reason of the signal once it is cancelled", async () => {
    const clips = [await makeClip(1, 1), await makeClip(2, 1)];
    const stop = new AbortController();
    const joining = joinClips(clips, { signal: stop.signal, onProgress: () => stop.abort(new Error("Cancelled")) });
    await expect(joining).rejects.toThrow("Cancelled");
  });
});

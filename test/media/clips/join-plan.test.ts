import { describe, expect, it } from "vitest";
import { type ClipFacts, checkSize, type Encoders, planJoin } from "#media/clips/join-plan.ts";

const HOLDS = { picture: ["avc", "vp9"], sound: ["aac", "opus"] };
const ALL: Encoders = { picture: async () => "avc", sound: async () => "opus" };
const NONE: Encoders = { picture: async () => undefined, sound: async () => undefined };

const SOUND = { codec: "aac", setup: "48000/2", startSeconds: 0, endSeconds: 5, canDecode: true };

function clip(changes: Partial<ClipFacts["picture"]> = {}, sound: ClipFacts["sound"] = undefined): ClipFacts {
  const { width = 1280, height = 720 } = changes;
  const picture = { codec: "avc", setup: `${width}x${height}`, width, height, canDecode: true, ...changes };
  return { name: "Fog", seconds: 5, picture, sound };
}

describe("the plan of a join", () => {
  it("copies what is alike without a note", async () => {
    const plan = await planJoin([clip({}, SOUND), clip({}, SOUND)], NONE, HOLDS);
    expect(plan).toEqual({
      picture: { way: "copy", codec: "avc" },
      sound: { way: "copy", codec: "aac" },
      notes: [],
    });
  });

  it("scales clips of another size to the first one, in even pixels", async () => {
    const plan = await planJoin([clip({ width: 1281 }), clip({ width: 720, height: 1280 })], ALL, HOLDS);
    expect(plan.picture).toEqual({ way: "encode", codec: "avc", width: 1280, height: 720 });
    expect(plan.notes).toEqual([
      "Videos of another size are scaled to 1280×720, with black bars where the aspect ratio differs.",
      "The videos are encoded again, with a small loss of quality.",
    ]);
  });

  it("encodes clips of one size whose parameter sets differ", async () => {
    const plan = await planJoin([clip(), clip({ setup: "other" })], ALL, HOLDS);
    expect(plan).toMatchObject({
      picture: { way: "encode" },
      notes: ["The videos are encoded again, with a small loss of quality."],
    });
  });

  it("refuses clips that differ where nothing can be encoded", async () => {
    await expect(planJoin([clip(), clip({ setup: "other" })], NONE, HOLDS)).rejects.toThrow(
      "The videos are encoded differently, and this browser can’t encode video.",
    );
  });

  it("encodes the sound where one clip is silent, and says in which codec", async () => {
    const plan = await planJoin([clip({}, SOUND), clip()], ALL, HOLDS);
    expect(plan.picture.way).toBe("copy");
    expect(plan.sound).toEqual({ way: "encode", codec: "opus" });
    expect(plan.notes).toEqual(["The audio is encoded as Opus, which some players can’t play."]);
  });

  it("encodes sound that ends before its pictures, which a player would stumble over", async () => {
    const short = { ...SOUND, endSeconds: 3 };
    const plan = await planJoin([clip({}, short), clip({}, SOUND)], ALL, HOLDS);
    expect(plan.sound.way).toBe("encode");
  });

  it("leaves the sound out and says so where it cannot be encoded", async () => {
    const plan = await planJoin([clip({}, SOUND), clip()], NONE, HOLDS);
    expect(plan.sound).toEqual({ way: "none" });
    expect(plan.notes).toEqual(["Audio is excluded, because this browser can’t combine the audio of these videos."]);
  });

  it("says the same where it cannot be decoded", async () => {
    const unread = { ...SOUND, setup: "other", canDecode: false };
    const plan = await planJoin([clip({}, SOUND), clip({}, unread)], ALL, HOLDS);
    expect(plan.sound).toEqual({ way: "none" });
    expect(plan.notes).toEqual(["Audio is excluded, because this browser can’t combine the audio of these videos."]);
  });

  it("refuses more bytes than a page should hold", () => {
    expect(() => checkSize(1e9)).not.toThrow();
    expect(() => checkSize(1.4e9)).toThrow(
      "These videos are 1.4 GB together. The limit is 1.0 GB. Choose fewer videos.",
    );
  });
});

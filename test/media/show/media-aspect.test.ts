import { describe, expect, it } from "vitest";
import { mediaAspect } from "#media/show/media-aspect.ts";

describe("the shape of the box", () => {
  it.each([
    [{ kind: "image", width: 800, height: 400 }, undefined, 2],
    [{ kind: "image" }, { width: 512, height: 1024 }, 0.5],
    [{ kind: "image" }, { size: "1024x1536" }, 1024 / 1536],
    [{ kind: "video" }, { aspect_ratio: "9:16" }, 9 / 16],
    [{ kind: "video" }, { resolution: "720p" }, 16 / 9],
    [{ kind: "image" }, { size: "0x0" }, 1],
    [{ kind: "image", width: 10_000, height: 1 }, undefined, 5],
    [{ kind: "audio", width: 1, height: 9 }, undefined, 16 / 5],
  ] as const)("%j with %j is %d", (file, payload, aspect) => {
    expect(mediaAspect(file, payload)).toBeCloseTo(aspect);
  });
});

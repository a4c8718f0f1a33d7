import { expect, it } from "vitest";
import { readMedia } from "#api/media.ts";

// H1, H15
it.each([
  [{ error: "https://evil.example/a.png" }, true],
  [{ message: { url: "https://evil.example/a.png" } }, true],
  [{ payload: { image_url: "https://evil.example/a.png" } }, true],
  [{ input: ["https://evil.example/a.png"] }, true],
  [{ prompt: "https://evil.example/a.png" }, true],
  [{ images: [{ url: "https://cdn.example/a.png" }] }, false],
  [{ media_urls: ["https://cdn.example/a.png"] }, false],
  [{ video_url: "https://cdn.example/a.mp4" }, false],
  [{ output: "https://cdn.example/a.png" }, false],
])("%j is such a file unless it repeats an input or speaks: held %s", (outcome, isHeld) => {
  expect(readMedia(outcome).map(({ isElsewhere }) => isElsewhere === true)).toEqual([isHeld]);
});

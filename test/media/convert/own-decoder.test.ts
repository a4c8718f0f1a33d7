import "../../setup/page-stand-in.ts";
import { afterEach, expect, test, vi } from "vitest";
import { readPicture } from "#media/convert/picture.ts";

/** The first bytes of a HEIC picture. */
const HEIC = new Blob([Uint8Array.from([0, 0, 0, 24, ...new TextEncoder().encode("ftypheic\0\0\0\0mif1heic")])]);

const started: string[] = [];
class NoWorker {
  onerror: (() => void) | undefined;
  constructor(address: string) {
    started.push(address);
    queueMicrotask(() => this.onerror?.());
  }
  postMessage() {}
  terminate() {}
}

/** A browser that decodes HEIC for a bitmap, in an image element, or nowhere. */
function browserThatDecodes(where: "bitmap" | "element" | "nowhere") {
  started.length = 0;
  vi.stubGlobal("Worker", NoWorker);
  vi.stubGlobal("createImageBitmap", () =>
    where === "bitmap" ? Promise.resolve({ width: 4, height: 3, close() {} }) : Promise.reject(new Error("unknown")),
  );
  class Image {
    src = "";
    naturalWidth = 4;
    naturalHeight = 3;
    decode = () => (where === "element" ? Promise.resolve() : Promise.reject(new Error("unknown")));
  }
  vi.stubGlobal("Image", Image);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(["bitmap", "element"] as const)(
  "a HEIC that the browser decodes itself (%s) loads no decoder",
  async (where) => {
    browserThatDecodes(where);
    await readPicture(HEIC);
    expect(started).toEqual([]);
  },
);

test("a HEIC that the browser does not know is read by the decoder of the studio", async () => {
  browserThatDecodes("nowhere");
  await expect(readPicture(HEIC)).rejects.toThrow("couldn’t be loaded");
  expect(started).toHaveLength(1);
  expect(started[0]).toContain("heic-worker");
});

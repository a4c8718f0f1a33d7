import { describe, expect, it } from "vitest";
import { readMedia } from "#api/media.ts";

const FILE = "https://media.example/out";

// Spec 2: media_urls; others as services send them.
describe("the files of an outcome", () => {
  it.each([
    [{ media_urls: [`${FILE}.png`] }, [{ id: "0", kind: "image", url: `${FILE}.png` }]],
    [{ media_urls: [{ id: "7", url: `${FILE}.mp3` }] }, [{ id: "7", kind: "audio", url: `${FILE}.mp3` }]],
    [{ media_urls: [{ url: FILE, type: "video" }] }, [{ id: "0", kind: "video", url: FILE }]],
    [{ media_urls: [{ url: FILE, type: "image/webp" }] }, [{ id: "0", kind: "image", url: FILE }]],
    [
      { media_urls: [{ url: FILE, type: "image", width: 1152, height: 1536 }] },
      [{ id: "0", kind: "image", url: FILE, width: 1152, height: 1536 }],
    ],
    [{ audio_url: FILE, format: "mp3", status: "success" }, [{ id: "0", kind: "audio", url: FILE }]],
    [{ image_url: FILE }, [{ id: "0", kind: "image", url: FILE }]],
    [{ url: `${FILE}.mp4?signature=a.png` }, [{ id: "0", kind: "video", url: `${FILE}.mp4?signature=a.png` }]],
    [{ url: FILE }, [{ id: "0", kind: "other", url: FILE }]],
    [{ result: { deep: [{ sample: `${FILE}.wav` }] } }, [{ id: "0", kind: "audio", url: `${FILE}.wav` }]],
    [{ voice_id: "v1" }, []],
    [null, []],
    [`${FILE}.gif`, [{ id: "0", kind: "image", url: `${FILE}.gif` }]],
  ])("%j", (outcome, media) => {
    expect(readMedia(outcome)).toEqual(media);
  });

  it("drops a thumbnail that is the video itself", () => {
    expect(readMedia({ thumbnail_image_url: `${FILE}.mp4`, video_url: `${FILE}.mp4` })).toEqual([
      { id: "0", kind: "video", url: `${FILE}.mp4` },
    ]);
  });

  it("makes a real thumbnail the video's poster", () => {
    expect(readMedia({ thumbnail_image_url: `${FILE}.jpg`, video_url: `${FILE}.mp4` })).toEqual([
      { id: "0", kind: "video", url: `${FILE}.mp4`, posterUrl: `${FILE}.jpg` },
    ]);
  });

  it("puts media_urls first, each address once", () => {
    const media = readMedia({ audio_url: `${FILE}/2.mp3`, media_urls: [`${FILE}/1.png`, `${FILE}/2.mp3`] });
    expect(media.map(({ url }) => url)).toEqual([`${FILE}/1.png`, `${FILE}/2.mp3`]);
  });

  it.each([
    { mimeType: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" },
    { mime_type: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" },
  ])("includes an inline file: %j", (inlineData) => {
    const outcome = { candidates: [{ content: { parts: [{ text: "here" }, { inlineData }] } }] };
    expect(readMedia(outcome)).toEqual([
      { id: "0", kind: "image", url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==" },
    ]);
  });

  it.each([
    "javascript:alert(1)//https://a.example/x.png",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "blob:https://a.example/1",
    "file:///etc/passwd",
    "see https://a.example/x.png for more",
    "https://",
  ])("does not include %j", (url) => {
    expect(readMedia({ media_urls: [{ url, type: "image" }] })).toEqual([]);
  });

  it("does not include inline SVG, which can hold script", () => {
    expect(readMedia({ inlineData: { mimeType: "image/svg+xml", data: "PHN2Zz48L3N2Zz4AAAA=" } })).toEqual([]);
  });
});

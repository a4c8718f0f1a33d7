import { describe, expect, it } from "vitest";
import { locateMedia, readMedia } from "#api/media.ts";

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

  it.each([
    ["mediaUrls", { mediaUrls: [{ url: `${FILE}.png` }] }],
    ["files", { files: [{ href: `${FILE}.png` }] }],
    ["outputs", { outputs: { main: [{ uri: `${FILE}.png` }] } }],
    ["images", { images: [{ url: `${FILE}.png`, content_type: "image/png", file_name: "a.png" }] }],
    ["results", { results: [{ url: `${FILE}.png` }] }],
    ["output as a text", { output: `${FILE}.png` }],
    ["output as a list", { output: [`${FILE}.png`] }],
    ["a thirteenth level", JSON.parse(`${'{"a":'.repeat(13)}"${FILE}.png"${"}".repeat(13)}`)],
    ["a text of JSON", { output: JSON.stringify({ images: [`${FILE}.png`] }) }],
    ["the whole as a text of JSON", JSON.stringify({ images: [`${FILE}.png`] })],
    ["an address without its scheme", { url: `//${FILE.slice(8)}.png` }],
    ["the answer of a chat", { choices: [{ message: { images: [{ image_url: { url: `${FILE}.png` } }] } }] }],
    ["a download address of the same", { url: `${FILE}.png`, download_url: `${FILE}.png?download=1` }],
    ["an echoed input", { input: { image_url: "https://media.example/in.png" }, output: `${FILE}.png` }],
    [
      "links of the service",
      { urls: { get: "https://a.example/1" }, status_url: "https://a.example/2", x: `${FILE}.png` },
    ],
  ])("finds the one file under %s", (_, outcome) => {
    expect(readMedia(outcome).map(({ url }) => url)).toEqual([`${FILE}.png`]);
    expect(readMedia(outcome)[0]).not.toHaveProperty("isElsewhere");
  });

  it("names the kind by content type, file name, query or the list it stands in", () => {
    const at = (record: object) => readMedia({ media_urls: [{ url: FILE, ...record }] })[0]?.kind;
    expect(at({ content_type: "video/mp4" })).toBe("video");
    expect(at({ mimeType: "audio/mpeg", type: "file" })).toBe("audio");
    expect(at({ mime_type: "application/octet-stream", file_name: "lamp.WEBP" })).toBe("image");
    expect(at({ url: `${FILE}.bin`, type: "file" })).toBe("other");
    expect(at({ url: `${FILE}?response-content-disposition=attachment%3B%20filename%3D%22a.mp4%22` })).toBe("video");
    expect(at({ url: `${FILE}.pdf` })).toBe("other");
    expect(readMedia({ videos: [{ url: FILE }] })[0]?.kind).toBe("video");
    expect(readMedia({ image_to_video: { url: FILE } })[0]?.kind).toBe("video");
  });

  it("has the size and length of a file where the service tells them", () => {
    const record = { url: FILE, type: "video", size: "1280x720", file_size: 1200, duration_ms: 5500 };
    const said = { width: 1280, height: 720, bytes: 1200, durationSeconds: 5.5 };
    expect(readMedia({ files: [record] })[0]).toMatchObject(said);
    expect(readMedia({ files: [{ url: FILE, size: 1200, duration: 5.5 }] })[0]).toMatchObject({
      bytes: 1200,
      durationSeconds: 5.5,
    });
  });

  it("gives each file its own thumbnail", () => {
    const file = (name: string) => ({ url: `${FILE}-${name}.mp4`, thumbnail_url: `${FILE}-${name}.jpg` });
    const nested = (name: string) => ({
      video: { url: `${FILE}-${name}.mp4` },
      preview: { url: `${FILE}-${name}.jpg` },
    });
    const apart = { videos: [`${FILE}-1.mp4`, `${FILE}-2.mp4`], thumbnails: [`${FILE}-1.jpg`, `${FILE}-2.jpg`] };
    for (const outcome of [{ media_urls: [file("1"), file("2")] }, [nested("1"), nested("2")], apart]) {
      expect(readMedia(outcome).map(({ url, posterUrl }) => [url, posterUrl])).toEqual([
        [`${FILE}-1.mp4`, `${FILE}-1.jpg`],
        [`${FILE}-2.mp4`, `${FILE}-2.jpg`],
      ]);
    }
    const one = readMedia({ videos: [`${FILE}-1.mp4`, `${FILE}-2.mp4`], cover_url: `${FILE}.jpg` });
    expect(one.map(({ posterUrl }) => posterUrl)).toEqual([undefined, undefined]);
    expect(readMedia({ previews: [`${FILE}.jpg`] })).toHaveLength(1);
  });

  it("holds several files of one entry, each with an id of its own", () => {
    const entry = { id: "7", image_url: `${FILE}.png`, mask_url: `${FILE}-mask.png`, model_3d: `${FILE}.glb` };
    const media = readMedia({ media_urls: [entry] });
    expect(media.map(({ kind }) => kind)).toEqual(["image", "image", "other"]);
    expect(new Set(media.map(({ id }) => id)).size).toBe(3);
    expect(media[0]?.id).toBe("7");
  });

  it("takes a file of the payload for an input, wherever it is repeated", () => {
    const payload = { image: `${FILE}-in.png` };
    expect(readMedia({ image: `${FILE}-in.png`, result: `${FILE}.png` }, payload).map(({ url }) => url)).toEqual([
      `${FILE}.png`,
    ]);
    expect(readMedia({ image: `${FILE}-in.png` }, payload)).toMatchObject([{ isElsewhere: true }]);
  });

  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  it.each([
    ["data[].b64_json", { data: [{ b64_json: PNG }] }],
    ["artifacts[].base64", { artifacts: [{ base64: PNG, finishReason: "SUCCESS" }] }],
    ["a wrong type", { inlineData: { mimeType: "application/octet-stream", data: PNG } }],
    ["lines", { image_base64: PNG.replace(/.{30}/g, "$&\n") }],
    ["a data address without a type", { output: `data:application/octet-stream;base64,${PNG}` }],
    ["a bare text of some length", { images: [PNG + PNG + PNG] }],
  ])("reads a file inside the answer: %s", (_, outcome) => {
    expect(readMedia(outcome)).toMatchObject([
      { kind: "image", url: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo[\w+/=]+$/) },
    ]);
  });

  it.each([
    { voice_id: "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHZvaWNl" },
    { token: "iVBORw0KGgoAAAANSUhEUg" },
    { data: "QSBsb25nIHRleHQgdGhhdCBpcyBubyBwaWN0dXJlLCBqdXN0IHdvcmRzLg==" },
    { b64_json: "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+PC9zdmc+PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+" },
    { error: "https://a.example/help" },
  ])("takes no text for a file: %j", (outcome) => {
    expect(readMedia(outcome)).toEqual([]);
  });

  it("lists a file that no browser can fetch, and a path, as they stand", () => {
    expect(
      readMedia({ output: ["s3://bucket/a.png", "gs://bucket/b.mp4"] }).map(({ url, kind }) => [url, kind]),
    ).toEqual([
      ["s3://bucket/a.png", "image"],
      ["gs://bucket/b.mp4", "video"],
    ]);
    const media = readMedia({ file_url: "/files/a.png", note: "/files/b.png" });
    expect(media.map(({ url }) => url)).toEqual(["/files/a.png"]);
    expect(locateMedia({ media }, "https://api.example/v1/queue").media[0]?.url).toBe(
      "https://api.example/files/a.png",
    );
    expect(locateMedia({ media: readMedia({ url: "//[bad" }) }, "https://api.example")).toEqual({ media: [] });
  });

  it("ends soon for an answer that is too deep, too wide or full of files", () => {
    let deep: unknown = `${FILE}.png`;
    for (let level = 0; level < 5000; level += 1) deep = { a: deep };
    expect(readMedia(deep)).toEqual([]);
    expect(readMedia(Array.from({ length: 400_000 }, () => ({ a: 1 })))).toEqual([]);
    expect(readMedia(Array.from({ length: 100_000 }, (_, index) => `${FILE}-${index}.png`))).toHaveLength(200);
    expect(
      readMedia(JSON.parse(`{"__proto__":{"url":"${FILE}.png"},"constructor":{"url":"${FILE}.png"}}`)),
    ).toHaveLength(1);
    expect(({} as Record<string, unknown>).url).toBeUndefined();
  });

  it("does not include inline SVG, which can hold script", () => {
    expect(readMedia({ inlineData: { mimeType: "image/svg+xml", data: "PHN2Zz48L3N2Zz4AAAA=" } })).toEqual([]);
  });
});

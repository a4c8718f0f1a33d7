import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import {
  FACTS_BYTES,
  forgetFacts,
  isPage,
  knownFacts,
  noteFacts,
  readFacts,
  storedFactsQuery,
} from "#media/file-facts.ts";
import { writeFacts } from "#storage/stored-files.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const EBML = "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82";

describe("what a file is by its first kilobyte", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n", "image", "png", "PNG image"],
    ["\xff\xd8\xff\xe0", "image", "jpg", "JPG image"],
    ["RIFF\0\0\0\0WEBP", "image", "webp", "WEBP image"],
    ["\0\0\0\x18ftypheic", "image", "heic", "HEIC image"],
    ["\0\0\0\x18ftypavif", "image", "avif", "AVIF image"],
    ["\0\0\0\x18ftypisom", "video", "mp4", "MP4 video"],
    ["\0\0\0\x14ftypqt  ", "video", "mov", "MOV video"],
    [`${EBML}\x84webm`, "video", "webm", "WEBM video"],
    [`${EBML}\x88matroska`, "video", "mkv", "MKV video"],
    ["ID3\x04\0", "audio", "mp3", "MP3 audio"],
    ["\xff\xf1\x50\x80\0\x1f\xfc", "audio", "aac", "AAC audio"],
    ["\0\0\0\x18ftypM4A ", "audio", "m4a", "M4A audio"],
    ["fLaC\0", "audio", "flac", "FLAC audio"],
    [`OggS${"\0".repeat(24)}\x80theora`, "video", "ogv", "OGV video"],
    ["%PDF-1.7\n%\xe2\xe3", "other", "pdf", "PDF document"],
    ["glTF\x02\0\0\0", "other", "glb", "3D model (GLB)"],
    ['{"asset":{"version":"2.0"},"scenes":[]}', "other", "gltf", "3D model (glTF)"],
    ["PK\x03\x04\x14\0", "other", "zip", "Zip archive"],
    ['{"a": 1}', "other", "json", "JSON"],
    ["1\n00:00:01,000 --> 00:00:02,000\nA lamp", "other", "txt", "Text"],
    ['<?xml version="1.0"?>\n<!-- a --><svg xmlns="x" onload="alert(1)">', "other", "svg", "SVG drawing"],
    ["  <!DOCTYPE html><script>alert(1)</script>", "other", "bin", "Web page"],
    ["<script>alert(1)</script>", "other", "bin", "Web page"],
    ["\0\x01\x02\x03 nothing known", "other", "bin", undefined],
    ["", "other", "bin", undefined],
  ])("%j is a file of kind %s, saved as %s", (start, kind, extension, label) => {
    const facts = readFacts(bytes(start));
    expect([facts.kind, facts.extension, facts.label]).toEqual([kind, extension, label]);
  });

  it("is a type that can run for none of them", () => {
    for (const start of ["<svg/>", "<!doctype html>", "{}", "words", "%PDF-1.7"]) {
      expect(readFacts(bytes(start)).mimeType).toBe("application/octet-stream");
    }
  });

  it("tells a page from other files, and has the beginning of a text", () => {
    expect(isPage(readFacts(bytes("<html><body>Sign in")))).toBe(true);
    expect(isPage(readFacts(bytes("words")))).toBe(false);
    expect(readFacts(bytes("words")).text).toBe("words");
    const cut = new TextEncoder().encode("é".repeat(FACTS_BYTES)).slice(0, FACTS_BYTES);
    expect(readFacts(cut.slice(0, FACTS_BYTES - 1))).toMatchObject({ extension: "bin" });
    expect(readFacts(Uint8Array.from([0x61, ...cut]).slice(0, FACTS_BYTES))).toMatchObject({ extension: "txt" });
    expect(readFacts(bytes("<svg/>"))).not.toHaveProperty("text");
  });

  it("takes no longer for what is made to be hard to read", () => {
    for (const start of [
      "<!--".repeat(256),
      `<?xml ${"?>".repeat(500)}`,
      " ".repeat(FACTS_BYTES),
      '{"asset":'.repeat(100),
    ]) {
      expect(readFacts(bytes(start).slice(0, FACTS_BYTES)).kind).toBe("other");
    }
  });
});

describe("what is known of a file", () => {
  beforeEach(freshDatabase);
  const url = "https://store.example/facts/0123456789abcdef0123456789abcdef.mp4";

  it("comes together, whoever tells it, and is the same under another signature", () => {
    noteFacts(url, { width: 640, height: 360 });
    noteFacts(`${url}?X-Amz-Signature=b`, { durationSeconds: 5 });
    noteFacts(url, { width: 1280, height: 720, isLoaded: true });
    expect(knownFacts(url)).toEqual({ width: 1280, height: 720, durationSeconds: 5, isLoaded: true });
    expect(knownFacts("https://store.example/facts/other.mp4")).toBeUndefined();
  });

  it("keeps its shape where the file is looked at again", () => {
    noteFacts(url, { width: 2, height: 1, kind: "video", label: "MP4 video", bytes: 9, isLoaded: true });
    forgetFacts(url);
    expect(knownFacts(url)).toEqual({ width: 2, height: 1, durationSeconds: 5 });
  });

  it("is also what an earlier page stored, unless this one has learned something newer", async () => {
    const stored = "store.example/facts/stored.png";
    const newer = "store.example/facts/newer.png";
    const facts = { width: 3, height: 2 };
    await writeFacts("account-a", new Map([stored, newer].map((name) => [name, facts])));
    noteFacts(`https://${newer}`, { width: 4 });
    expect(await new QueryClient().fetchQuery(storedFactsQuery("account-a"))).toBe(true);
    expect(knownFacts(`https://${stored}`)).toEqual(facts);
    expect(knownFacts(`https://${newer}`)).toEqual({ width: 4, height: 2 });
  });
});

import { describe, expect, it } from "vitest";
import { blobKind, fileKind } from "#media/file-kind.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the kind of a file, from its first bytes", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "png", "image"],
    ["\xff\xd8\xff\xe0\0\x10JFIF", "jpg", "image"],
    ["GIF89a", "gif", "image"],
    ["RIFF\x10\0\0\0WEBPVP8 ", "webp", "image"],
    ["RIFF\x10\0\0\0WAVEfmt ", "wav", "audio"],
    ["\0\0\0\x18ftypisom", "mp4", "video"],
    ["\0\0\0\x18ftypavif", "avif", "image"],
    ["\0\0\0\x18ftypheic", "heic", "other"],
    ["\0\0\0\x14ftypqt  ", "mov", "video"],
    ["\x1a\x45\xdf\xa3", "webm", "video"],
    ["ID3\x04\0", "mp3", "audio"],
    ["\xff\xfb\x90\x64", "mp3", "audio"],
    ["OggS\0", "ogg", "audio"],
    ["fLaC\0", "flac", "audio"],
  ])("knows %j as %s", (start, extension, kind) => {
    expect(fileKind(bytes(start))).toMatchObject({ extension, kind });
  });

  it.each(["", "<svg xmlns=", "<!doctype html>", "PK\x03\x04", "\xff\xff\xff\xff", "%PDF-1.7"])(
    "is unknown for %j",
    (start) => {
      expect(fileKind(bytes(start))).toBeUndefined();
    },
  );

  it("is read from a blob's bytes, whatever type it claims", async () => {
    const page = new Blob(["<script>alert(1)</script>"], { type: "image/png" });
    expect(await blobKind(page)).toBeUndefined();
    expect(await blobKind(new Blob([bytes("\x89PNG\r\n\x1a\n")], { type: "text/html" }))).toMatchObject({
      extension: "png",
    });
  });

  // (spec 8)
  it("has exactly the six types that the service stores", () => {
    const starts = [
      "\x89PNG\r\n\x1a\n",
      "\xff\xd8\xff",
      "\0\0\0\x18ftypisom",
      "ID3",
      "RIFF\0\0\0\0WAVE",
      "GIF8",
      "OggS",
    ];
    expect(starts.map((start) => fileKind(bytes(start))?.fileType)).toEqual([
      "png",
      "jpg",
      "mp4",
      "mp3",
      "wav",
      undefined,
      undefined,
    ]);
  });
});

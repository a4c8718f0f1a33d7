import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import type { FileType } from "#api/types.ts";
import { readUploadTarget, uploadContentType } from "#api/uploads.ts";

// Spec 4.1.
describe("the signed upload", () => {
  it.each<[FileType, string]>([
    ["jpg", "image/jpg"],
    ["jpeg", "image/jpeg"],
    ["png", "image/png"],
    ["mp4", "video/mp4"],
    ["mp3", "audio/mp3"],
    ["wav", "audio/wav"],
  ])("sends %s as exactly %s", (fileType, contentType) => {
    expect(uploadContentType(fileType)).toBe(contentType);
  });
});

describe("the two addresses of an upload", () => {
  const QUEUE = "https://queue.example/api/v1/queue";

  it("are read as they are", () => {
    const raw = { upload_url: "https://storage.example/put?signature=1", public_url: "https://cdn.example/f.jpg" };
    expect(readUploadTarget(raw, QUEUE)).toEqual({
      uploadUrl: "https://storage.example/put?signature=1",
      publicUrl: "https://cdn.example/f.jpg",
    });
  });

  it("may be relative to the queue", () => {
    const raw = { upload_url: "/sandbox/uploads/1", public_url: "/sandbox/files/1" };
    expect(readUploadTarget(raw, "http://127.0.0.1:4173/sandbox/api/v1/queue").uploadUrl).toBe(
      "http://127.0.0.1:4173/sandbox/uploads/1",
    );
  });

  it.each(["http://storage.example/put", "javascript:alert(1)", "data:,x", "", null, 7])(
    "are refused as %j",
    (upload_url) => {
      const raw = { upload_url, public_url: "https://cdn.example/f" };
      expect(() => readUploadTarget(raw, QUEUE)).toThrow(UnreadableAnswerError);
    },
  );

  it("do not show the signed address in the error", () => {
    const raw = { upload_url: "https://storage.example/put?signature=secret" };
    try {
      readUploadTarget(raw, QUEUE);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toContain("secret");
    }
  });
});

import { describe, expect, it } from "vitest";
import { NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import type { FileType } from "#api/types.ts";
import { putUpload, readUploadTarget, uploadContentType } from "#api/uploads.ts";
import { serveAnswers } from "./answer-server.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
};
const file = new Blob(["bytes of a picture"]);

/** Storage as a page sees it: answers the preflight, then the PUT with the given status. */
function serveStorage(status: number, body = "") {
  return serveAnswers((request, response) => {
    response.writeHead(request.method === "OPTIONS" ? 204 : status, CORS);
    response.end(request.method === "OPTIONS" ? "" : body);
  });
}

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

  it("puts the bytes with their type and without the key", async () => {
    const { url, seen } = await serveStorage(200);
    await putUpload(`${url}/put`, file, "image/jpg");
    const put = seen.find(({ method }) => method === "PUT");
    expect(put?.body).toBe("bytes of a picture");
    expect(put?.headers["content-type"]).toBe("image/jpg");
    expect(put?.headers.authorization).toBeUndefined();
  });

  it("is refused with storage's own reason for another Content-Type", async () => {
    const { url } = await serveStorage(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
    await expect(putUpload(`${url}/put`, file, "image/jpeg")).rejects.toMatchObject({
      name: "RefusedError",
      status: 403,
      message: "SignatureDoesNotMatch",
    });
  });

  it("is no answer when the connection breaks", async () => {
    const { url } = await serveAnswers((_request, response) => response.destroy());
    await expect(putUpload(`${url}/put`, file, "image/jpg")).rejects.toBeInstanceOf(NoAnswerError);
  });

  it("stops with the signal's own reason", async () => {
    const controller = new AbortController();
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(204, CORS).end();
      controller.abort();
    });
    await expect(putUpload(`${url}/put`, file, "image/jpg", { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it("rejects when nothing is transferred for too long", async () => {
    const { url } = await serveAnswers(() => {});
    await expect(putUpload(`${url}/put`, file, "image/jpg", { idleMs: 30 })).rejects.toMatchObject({ timedOut: true });
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

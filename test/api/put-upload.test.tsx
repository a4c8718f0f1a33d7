import { describe, expect, it } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import type { FileType } from "#api/types.ts";
import { putUpload, uploadContentType } from "#api/uploads.ts";
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

describe("the signed upload (spec 4.1)", () => {
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

  it("gives up when nothing moves", async () => {
    const { url } = await serveAnswers(() => {});
    await expect(putUpload(`${url}/put`, file, "image/jpg", { idleMs: 30 })).rejects.toMatchObject({ timedOut: true });
  });
});

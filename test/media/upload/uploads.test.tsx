import { describe, expect, it, onTestFinished } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import { putUpload } from "#api/uploads.ts";
import { uploadFile } from "#media/upload/upload-file.ts";
import { serveAnswers } from "../../api/answer-server.ts";
import { openSandboxMedia, PNG_BYTES } from "../sandbox-media.ts";

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
  it("puts the bytes with their type and without the key", async () => {
    const { url, seen } = await serveStorage(200);
    await putUpload({ uploadUrl: `${url}/put` }, file, "image/jpg");
    const put = seen.find(({ method }) => method === "PUT");
    expect(put?.body).toBe("bytes of a picture");
    expect(put?.headers["content-type"]).toBe("image/jpg");
    expect(put?.headers.authorization).toBeUndefined();
  });

  it("is refused with storage's own reason for another Content-Type", async () => {
    const { url } = await serveStorage(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
    await expect(putUpload({ uploadUrl: `${url}/put` }, file, "image/jpeg")).rejects.toMatchObject({
      name: "RefusedError",
      status: 403,
      message: "SignatureDoesNotMatch",
    });
  });

  it("is no answer when the connection breaks", async () => {
    const { url } = await serveAnswers((_request, response) => response.destroy());
    await expect(putUpload({ uploadUrl: `${url}/put` }, file, "image/jpg")).rejects.toBeInstanceOf(NoAnswerError);
  });

  it("stops with the signal's own reason", async () => {
    const controller = new AbortController();
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(204, CORS).end();
      controller.abort();
    });
    await expect(
      putUpload({ uploadUrl: `${url}/put` }, file, "image/jpg", { signal: controller.signal }),
    ).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it("rejects when nothing is transferred for too long", async () => {
    const { url } = await serveAnswers(() => {});
    await expect(putUpload({ uploadUrl: `${url}/put` }, file, "image/jpg", { idleMs: 30 })).rejects.toMatchObject({
      timedOut: true,
    });
  });
});

// All else that an upload does is `upload-file.test.ts`.
it("a picked file is stored, and says how far it is", async () => {
  const sandbox = openSandboxMedia();
  onTestFinished(sandbox.close);
  const reported: number[] = [];
  const { publicUrl } = await uploadFile({
    api: sandbox.api,
    accountId: "key",
    file: new File([PNG_BYTES.slice()], "a.gif"),
    onProgress: (sent) => reported.push(sent),
  });
  expect(publicUrl).toContain("/sandbox/storage/inputs/");
  expect(sandbox.sandbox.inspect().uploads).toMatchObject([{ fileType: "png", isStored: true }]);
  expect(reported.at(-1)).toBeGreaterThan(0);
});

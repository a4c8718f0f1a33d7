import { describe, expect, it } from "vitest";
import { createUploadStore, type UploadStore } from "#sandbox/endpoints/upload-store.ts";
import { errorOf, openSandbox, type SandboxClient } from "./sandbox-client.ts";

const KINDS = { jpeg: "image", jpg: "image", png: "image", mp4: "video", mp3: "audio", wav: "audio" };
const BYTES = new Uint8Array([1, 2, 3, 4, 5]);

async function target({ queue }: SandboxClient, fileType: string) {
  const { json } = await queue("POST", "/apikey/upload-url", { body: { file_type: fileType } });
  return { uploadUrl: String(json.upload_url), publicUrl: String(json.public_url) };
}

// Spec 2 and 4.1.
describe("uploads", () => {
  it("POST /apikey/upload-url answers upload_url and public_url, both URLs", async () => {
    const { uploadUrl, publicUrl } = await target(openSandbox(), "png");
    expect(URL.canParse(uploadUrl)).toBe(true);
    expect(new URL(publicUrl).pathname).toMatch(/\.png$/);
  });

  // Spec 8.
  it.each(Object.entries(KINDS))(
    "file_type %s: the PUT accepts exactly the Content-Type %s/<file_type>",
    async (fileType, kind) => {
      const client = openSandbox();
      const { uploadUrl, publicUrl } = await target(client, fileType);
      const put = await client.raw("PUT", uploadUrl, {
        body: BYTES,
        headers: { "content-type": `${kind}/${fileType}` },
      });
      expect(put.status).toBe(200);
      const read = await client.raw("GET", publicUrl);
      expect([read.status, read.headers.get("content-length"), read.text]).toEqual([
        200,
        "5",
        "\u0001\u0002\u0003\u0004\u0005",
      ]);
    },
  );

  it.each([undefined, "gif", "PNG", "", 5, null])(
    "refuses file_type %s with 400 that names the key",
    async (fileType) => {
      const answer = await openSandbox().queue("POST", "/apikey/upload-url", { body: { file_type: fileType } });
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain("file_type");
    },
  );

  // Spec 7.
  it.each(["image/jpeg", "image/jpg; charset=utf-8", "IMAGE/JPG", "application/octet-stream", "image/png"])(
    "a signed jpg PUT with Content-Type %s gives 403 and stores nothing",
    async (contentType) => {
      const client = openSandbox();
      const { uploadUrl, publicUrl } = await target(client, "jpg");
      const put = await client.raw("PUT", uploadUrl, { body: BYTES, headers: { "content-type": contentType } });
      expect(put.status).toBe(403);
      expect(put.headers.get("content-type")).toContain("xml");
      expect(put.text).toContain("<Code>SignatureDoesNotMatch</Code>");
      expect((await client.raw("GET", publicUrl)).status).toBe(404);
    },
  );

  // Spec 7.
  it("a wrong Content-Type can be sent again with the right one", async () => {
    const client = openSandbox();
    const { uploadUrl } = await target(client, "jpg");
    const put = (type: string) => client.raw("PUT", uploadUrl, { body: BYTES, headers: { "content-type": type } });
    expect([(await put("image/jpeg")).status, (await put("image/jpg")).status]).toEqual([403, 200]);
  });

  it("an expired, changed or unknown signature gives 403", async () => {
    const client = openSandbox();
    const { uploadUrl } = await target(client, "png");
    const other = await target(client, "png");
    const put = async (url: string) =>
      (await client.raw("PUT", url, { body: BYTES, headers: { "content-type": "image/png" } })).status;
    expect(await put(uploadUrl.replace(/signature=\w+/, "signature=00"))).toBe(403);
    expect(await put(`${uploadUrl.split("?")[0]}?${other.uploadUrl.split("?")[1]}`)).toBe(403);
    expect(await put(uploadUrl.replace(/expires=\d+/, "expires=99999999999"))).toBe(403);
    expect(await put(uploadUrl.replace(/uploads\/\w+/, "uploads/0"))).toBe(403);
    client.pass(900);
    expect(await put(uploadUrl)).toBe(403);
  });

  it("a job succeeds with an uploaded input, and fails with a missing one", async () => {
    const client = openSandbox();
    const stored = await target(client, "png");
    await client.raw("PUT", stored.uploadUrl, { body: BYTES, headers: { "content-type": "image/png" } });
    const missing = await target(client, "png");
    const edit = (url: string) => client.submit("grainfield-edit", { instruction: "Blue", image_url: url });
    const good = await edit(stored.publicUrl);
    const bad = await edit(missing.publicUrl);
    client.pass(60);
    expect((await client.job(good.json.request_id)).json.status).toBe("success");
    expect((await client.job(bad.json.request_id)).json).toMatchObject({
      status: "failed",
      error: expect.stringContaining("inputs"),
    });
    expect(client.sandbox.inspect().refundedMicroUsd).toBe(45_000);
  });

  // Spec 4.1 rule 4.
  it("a job fails on a URL whose host blocks data centers", async () => {
    const client = openSandbox();
    const url = "https://host-refused.example/cat.png";
    const { json } = await client.submit("grainfield-edit", { instruction: "Blue", image_url: url });
    client.pass(60);
    expect((await client.job(json.request_id)).json).toMatchObject({
      status: "failed",
      error: expect.stringContaining(url),
    });
  });
});

describe("what is kept of uploads", () => {
  const bodyOf = (...sizes: number[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(7));
        controller.close();
      },
    });
  const lengths = (store: UploadStore) => store.all().map(({ size, file }) => [size, file?.size]);

  it("counts a file above the limit and keeps none of its bytes", async () => {
    const store = createUploadStore("run", { capacity: { storedFileBytes: 10 } });
    await store.write(store.create("mp4", "user", "organisation"), bodyOf(6, 6, 1));
    await store.write(store.create("mp4", "user", "organisation"), bodyOf(6, 4));
    expect(lengths(store)).toEqual([
      [13, undefined],
      [10, 10],
    ]);
  });

  it("takes a large file at the pace of a storage far away, and a small one at once", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const store = createUploadStore("run", { wait, nowMs: () => 0 });
    await store.write(store.create("png", "user", "organisation"), bodyOf(8e6));
    expect(waits).toEqual([]);
    await store.write(store.create("mp4", "user", "organisation"), bodyOf(16e6, 64e6));
    expect(waits).toEqual([((80e6 - 16 * 2 ** 20) / (32 * 2 ** 20)) * 1000]);
  });

  it("drops the bytes of the oldest file when there are too many", async () => {
    const store = createUploadStore("run", { capacity: { storedBytes: 10 } });
    for (const size of [4, 6, 3]) await store.write(store.create("png", "user", "organisation"), bodyOf(size));
    expect(lengths(store)).toEqual([
      [4, undefined],
      [6, 6],
      [3, 3],
    ]);
  });

  it("a file whose bytes were dropped is an input for jobs, and 404 for readers", async () => {
    const client = openSandbox();
    const { uploadUrl, publicUrl } = await target(client, "png");
    const body = new Uint8Array(64 * 1024 * 1024 + 1);
    await client.raw("PUT", uploadUrl, { body, headers: { "content-type": "image/png" } });
    const { json } = await client.submit("grainfield-edit", { instruction: "Blue", image_url: publicUrl });
    client.pass(60);
    expect((await client.job(json.request_id)).json.status).toBe("success");
    expect((await client.raw("GET", publicUrl)).status).toBe(404);
  });

  it("a body that breaks off gives 400 and stores nothing", async () => {
    const client = openSandbox();
    const { uploadUrl, publicUrl } = await target(client, "png");
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("The page left.")) });
    const request = new Request(uploadUrl, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: broken,
      duplex: "half",
    } as RequestInit);
    expect((await client.sandbox.fetch(request)).status).toBe(400);
    expect((await client.raw("GET", publicUrl)).status).toBe(404);
  });
});

// Firefox has no such member.
it("takes a run and an upload where a request does not show its body", async () => {
  const body = Object.getOwnPropertyDescriptor(Request.prototype, "body");
  if (!body) throw new Error("Here is no body to hide.");
  Reflect.deleteProperty(Request.prototype, "body");
  try {
    const client = openSandbox();
    const { uploadUrl, publicUrl } = await target(client, "png");
    await client.raw("PUT", uploadUrl, { body: BYTES, headers: { "content-type": "image/png" } });
    const read = await client.raw("GET", publicUrl);
    expect(read.headers.get("content-length")).toBe("5");
    expect((await client.submit("lumen-2", { prompt: "A lamp" })).status).toBe(200);
  } finally {
    Object.defineProperty(Request.prototype, "body", body);
  }
});

import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { UnusableFileError } from "#media/file-kind.ts";
import { type UploadOptions, uploadFile } from "#media/upload/upload-file.ts";
import { forgetUploads, rememberedUploads } from "#media/upload/upload-memory.ts";
import { fakeXhr } from "../../faults/fake-xhr.ts";
import type { FaultNetwork } from "../../faults/fault-network.ts";
import { markHost, resetPage } from "../../setup/page-stand-in.ts";
import { until } from "../../setup/until.ts";
import { openSandboxMedia, PNG_BYTES } from "../sandbox-media.ts";

// The sandbox's server asks a page for its cookies.
Object.assign(document, { cookie: "" });

/** The sandbox's network, without faults. That a real `XMLHttpRequest` does the same is `uploads.test.tsx`. */
const network: Pick<FaultNetwork, "ofThisPage" | "send"> = {
  ofThisPage: () => () => true,
  send: async ({ url, method, headers, body, progress }) => {
    progress?.(1);
    return fetch(url, { method, headers, body });
  },
};

/** The stand-in comes last: the sandbox's server would put one of its own before it. */
function openSandbox(...options: Parameters<typeof openSandboxMedia>) {
  vi.unstubAllGlobals();
  const opened = openSandboxMedia(...options);
  vi.stubGlobal("XMLHttpRequest", fakeXhr(network as FaultNetwork));
  return opened;
}

let sandbox: ReturnType<typeof openSandboxMedia>;
let accountId = "";
let keys = 0;
beforeEach(() => {
  sandbox = openSandbox();
  keys += 1;
  accountId = `key${keys}`;
});
afterEach(() => {
  sandbox.close();
  vi.unstubAllGlobals();
});

const file = (bytes: string | Uint8Array, name: string) =>
  new File([typeof bytes === "string" ? Uint8Array.from(bytes, (c) => c.charCodeAt(0)) : bytes.slice()], name);
const send = (options: Omit<UploadOptions, "api" | "accountId"> & { api?: Api }) =>
  uploadFile({ api: sandbox.api, accountId, waitMs: () => 0, ...options });
const JPEG = "\xff\xd8\xff\xe0 a picture";
const MP3 = "ID3\x04 a song";
const puts = () => sandbox.sandbox.inspect().requests.filter(({ method }) => method === "PUT");
const targets = () => sandbox.sandbox.inspect().requests.filter(({ path }) => path.endsWith("/apikey/upload-url"));
const stored = () => sandbox.sandbox.inspect().uploads;

// (spec 4.1)
describe("storing a file with the service", () => {
  it.each([
    ["a.gif", PNG_BYTES, "png"],
    ["a.jpg", JPEG, "jpg"],
    ["a.JPEG", JPEG, "jpeg"],
    ["a", "\0\0\0\x18ftypisom", "mp4"],
    ["a.mp3", MP3, "mp3"],
    ["a.txt", "RIFF\0\0\0\0WAVE", "wav"],
  ])("recognises %s by its bytes, and sends exactly the signed Content-Type", async (name, bytes, fileType) => {
    const { publicUrl } = await send({ file: file(bytes, name) });
    expect(publicUrl).toContain("/sandbox/storage/inputs/");
    expect(stored()).toMatchObject([{ fileType, isStored: true }]);
    expect(puts()).toMatchObject([{ status: 200 }]);
  });

  it("waits for a free connection before it asks for an address, and says so", async () => {
    markHost("here");
    const ends = await Promise.all(Array.from({ length: 5 }, () => openTransfer("upload")));
    const waits: boolean[] = [];
    const sending = send({ file: file(PNG_BYTES, "a.png"), onWait: (isWaiting) => waits.push(isWaiting) });
    await until(() => expect(waits).toEqual([true]));
    expect(targets()).toEqual([]);
    for (const end of ends) end();
    await sending;
    resetPage();
    expect(waits).toEqual([true, false]);
    expect(puts()).toHaveLength(1);
  });

  it("reports its progress", async () => {
    const reported: number[] = [];
    await send({ file: file(PNG_BYTES, "a.png"), onProgress: (sent) => reported.push(sent) });
    expect(reported.at(-1)).toBeGreaterThan(0);
  });

  it.each([
    ["empty", "", undefined],
    ["of no kind that is stored", "%PDF-1.7", undefined],
    ["a kind that is neither stored nor converted", "<svg xmlns=", undefined],
    ["a picture that this browser cannot read", "\0\0\0\x18ftypheic", "image"],
    ["of another kind than the field takes", JPEG, "video"],
  ] as const)("refuses a file that is %s before any request", async (_, bytes, kind) => {
    const refused = send({ file: file(bytes, "a.png"), kind });
    await expect(refused).rejects.toThrow(UnusableFileError);
    expect(sandbox.sandbox.inspect().requests).toEqual([]);
  });

  it("refuses a type that no input accepts before reading it", async () => {
    const huge = file(PNG_BYTES, "disk.png");
    Object.defineProperty(huge, "size", { value: 10e9 });
    await expect(send({ file: huge })).rejects.toThrow("“disk.png” is 10 GB. The limit for an image is 100 MB.");
    expect(sandbox.sandbox.inspect().requests).toEqual([]);
  });

  it("explains how to convert a HEIC that this browser cannot read", async () => {
    await expect(send({ file: file("\0\0\0\x18ftypheic", "study.heic") })).rejects.toThrow(
      /can’t read “study\.heic” \(heic\).*Most Compatible/,
    );
  });

  it("reports a file that was removed after it was chosen", async () => {
    const gone = file(PNG_BYTES, "a.png");
    gone.slice = () => {
      throw new DOMException("gone", "NotReadableError");
    };
    await expect(send({ file: gone })).rejects.toThrow("can no longer be read. Choose it again.");
  });

  it("sends equal bytes once per key", async () => {
    const first = await send({ file: file(PNG_BYTES, "a.png") });
    expect(await send({ file: file(PNG_BYTES, "b.png") })).toEqual(first);
    expect(puts()).toHaveLength(1);
    accountId = `${accountId}-other`;
    expect(await send({ file: file(PNG_BYTES, "a.png") })).not.toEqual(first);
  });

  it("sends a file again after a deletion removed it, and no other", async () => {
    const first = await send({ file: file(PNG_BYTES, "a.png") });
    const second = await send({ file: file(JPEG, "b.jpg") });
    await forgetUploads(accountId, [first.publicUrl]);
    expect((await rememberedUploads(accountId)).map(({ name }) => name)).toEqual(["b.jpg"]);
    expect(await send({ file: file(PNG_BYTES, "a.png") })).not.toEqual(first);
    expect(await send({ file: file(JPEG, "b.jpg") })).toEqual(second);
  });

  it("sends a file again when the service lost it or its retention ended", async () => {
    await send({ file: file(PNG_BYTES, "a.png") });
    const { publicUrl } = await send({ file: file(JPEG, "b.jpg") });
    expect(await rememberedUploads(accountId, Date.now() + 60 * 86_400_000)).toEqual([]);
    const job = await sandbox.api.submit({
      model: "grainfield-edit",
      payload: { instruction: "A lamp", image_url: publicUrl },
    });
    sandbox.pass(60);
    await sandbox.api.deleteMedia(job.requestId);
    expect((await send({ file: file(JPEG, "b.jpg") })).publicUrl).not.toBe(publicUrl);
  });

  it("tries five times when the connection breaks, and no more", async () => {
    let asked = 0;
    const api: Api = {
      ...sandbox.api,
      requestUpload: async (fileType, signal) => {
        asked += 1;
        if (asked !== 5) throw new NoAnswerError();
        return sandbox.api.requestUpload(fileType, signal);
      },
    };
    await send({ api, file: file(PNG_BYTES, "a.png") });
    expect(asked).toBe(5);
    await expect(send({ api, file: file(JPEG, "a.jpg") })).rejects.toThrow(NoAnswerError);
    expect(asked).toBe(10);
  });

  it("waits as long as the answer asks before it tries again", async () => {
    const busy = new RefusedError({ status: 429, message: "busy", retryAfterMs: 40_000 });
    let asked = 0;
    const api: Api = {
      ...sandbox.api,
      requestUpload: async (fileType, signal) => {
        asked += 1;
        if (asked === 1) throw busy;
        return sandbox.api.requestUpload(fileType, signal);
      },
    };
    const failed: unknown[] = [];
    await send({ api, file: file(PNG_BYTES, "a.png"), waitMs: (_, error) => failed.push(error) && 0 });
    expect(failed).toEqual([busy]);
  });

  it("sends an mp3 again as audio/mpeg when storage refuses audio/mp3", async () => {
    sandbox.close();
    sandbox = openSandbox({ quirks: ["mp3-as-mpeg"] });
    await send({ file: file(MP3, "a.mp3") });
    expect(puts().map(({ status }) => status)).toEqual([403, 200]);
    expect(targets()).toHaveLength(1);
  });

  // (spec 7)
  it("asks for one fresh address when the first has run out, then gives up", async () => {
    const slow: Api = {
      ...sandbox.api,
      requestUpload: async (fileType, signal) => {
        const target = await sandbox.api.requestUpload(fileType, signal);
        if (targets().length === 1) sandbox.pass(1000);
        return target;
      },
    };
    await send({ api: slow, file: file(PNG_BYTES, "a.png") });
    expect(puts().map(({ status }) => status)).toEqual([403, 200]);

    const always: Api = {
      ...sandbox.api,
      requestUpload: async (fileType, signal) => {
        const target = await sandbox.api.requestUpload(fileType, signal);
        sandbox.pass(1000);
        return target;
      },
    };
    await expect(send({ api: always, file: file(JPEG, "a.jpg") })).rejects.toMatchObject({ status: 403 });
    expect(puts().map(({ status }) => status)).toEqual([403, 200, 403, 403]);
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const running = send({ file: file(PNG_BYTES, "a.png"), signal: controller.signal });
    controller.abort(new DOMException("stop", "AbortError"));
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(puts()).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Job, MediaItem } from "#api/types.ts";
import { downloadJob, downloadMedia, OPENED_REASON } from "#media/download/download-media.ts";
import { openSandboxMedia, PNG_BYTES } from "../sandbox-media.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
/** What the browser was given to save: jsdom has no object URLs and no downloads. */
let saved: { name: string; blob: Blob }[];
let opened: string[];

beforeEach(() => {
  saved = [];
  opened = [];
  let blob = new Blob();
  URL.createObjectURL = (object) => {
    blob = object as Blob;
    return "blob:http://localhost:4173/1";
  };
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function () {
    saved.push({ name: this.download, blob });
  };
  vi.stubGlobal("open", (url: string, target: string, features: string) => {
    opened.push(`${url} ${target} ${features}`);
    return null;
  });
  sandbox = openSandboxMedia();
});
afterEach(() => {
  sandbox.close();
  vi.unstubAllGlobals();
});

const withMedia = (job: Job, item: Partial<MediaItem>): Job => ({
  ...job,
  media: [{ id: "0", kind: "image", url: "", ...item }],
});
const first = (job: Job) => ({ job, item: job.media[0] as MediaItem, index: 0 });

describe("downloading a file", () => {
  it("saves its bytes under a sensible name with the real extension", async () => {
    const job = await sandbox.imageJob();
    const outcome = await downloadMedia(first(job));
    expect(outcome).toMatchObject({ how: "saved", bytes: PNG_BYTES.length });
    expect(saved[0]?.name).toMatch(/^lumen-2-\d{4}-\d\d-\d\d-1\.png$/);
    expect(new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(PNG_BYTES);
    expect(saved[0]?.blob.type).toBe("image/png");
  });

  // (spec 2)
  it("sends no key with it: media addresses are public", async () => {
    const job = await sandbox.imageJob();
    await downloadMedia(first(job));
    const users = sandbox.sandbox.inspect().requests.map(({ route, user }) => [route, user !== ""]);
    expect(users).toEqual([
      ["submit", true],
      ["media", false],
    ]);
  });

  it("saves a page that is labelled as a picture as plain bytes", async () => {
    sandbox.close();
    const page = new TextEncoder().encode("<script>alert(1)</script>");
    sandbox = openSandboxMedia({ makeMedia: async () => ({ bytes: page, contentType: "image/png" }) });
    await downloadMedia(first(await sandbox.imageJob()));
    expect(saved[0]?.name).toMatch(/\.bin$/);
    expect(saved[0]?.blob.type).toBe("application/octet-stream");
  });

  it("saves a file that came inline", async () => {
    const inline = `data:image/png;base64,${btoa(String.fromCharCode(...PNG_BYTES))}`;
    const job = withMedia(await sandbox.imageJob(), { url: inline });
    expect(await downloadMedia(first(job))).toMatchObject({ how: "saved", bytes: PNG_BYTES.length });
  });

  it("opens a file without CORS in a new tab and says why", async () => {
    // Nothing answers at this address, which is all that a page learns of a storage without CORS.
    const job = withMedia(await sandbox.imageJob(), { url: "https://storage.invalid/a.png" });
    expect(await downloadMedia(first(job))).toEqual({
      how: "opened",
      reason: expect.stringMatching(
        new RegExp(
          `^${OPENED_REASON} The new tab loads the file directly from storage.invalid, which the service keeps until `,
        ),
      ),
    });
    expect(opened).toEqual(["https://storage.invalid/a.png _blank noopener,noreferrer"]);
    expect(saved).toEqual([]);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "blob:https://elsewhere.example/1"])(
    "never opens %s",
    async (url) => {
      const job = withMedia(await sandbox.imageJob(), { url });
      expect(await downloadMedia(first(job))).toEqual({ how: "failed", failure: "unsafe" });
      expect(opened).toEqual([]);
    },
  );
});

describe("downloading all files of a job", () => {
  it("numbers each file, and continues after a missing one", async () => {
    const job = await sandbox.imageJob();
    const [item] = job.media as [MediaItem];
    const lost = { ...item, url: item.url.replace(/-0\.png$/, "-7.png") };
    const { reasons, ...counts } = await downloadJob({ ...job, media: [item, lost, item] });
    expect(counts).toEqual({ saved: 2, opened: 0 });
    expect(saved.map(({ name }) => name.slice(-6))).toEqual(["-1.png", "-3.png"]);
    expect(reasons).toEqual([
      "File not found. The storage does not have this file. It may have been deleted elsewhere. Loading a file costs nothing. The charge of the job does not change.",
    ]);
  });

  // (spec 8)
  it("says that a file is over its 60 days", async () => {
    const job = await sandbox.imageJob();
    sandbox.pass(61 * 86_400);
    const old = { ...job, createdAtSeconds: Date.now() / 1000 - 61 * 86_400 };
    const { reasons } = await downloadJob(old);
    expect(reasons[0]).toMatch(/^Expired\. The service keeps generated files for 60 days/);
  });

  it("downloads only the file asked for", async () => {
    const job = await sandbox.imageJob();
    const [item] = job.media as [MediaItem];
    await downloadJob({ ...job, media: [item, item] }, { only: 1 });
    expect(saved.map(({ name }) => name.slice(-6))).toEqual(["-2.png"]);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import type { MediaItem } from "#api/types.ts";
import { type BulkEntry, type BulkFailure, type BulkJob, bulkEntries } from "#media/download/bulk-entries.ts";
import { saveInFolder } from "#media/download/save-in-folder.ts";
import { saveZip } from "#media/download/save-zip.ts";
import { readSettings } from "#media/metadata/file-settings.ts";
import { openSandboxMedia, PNG_BYTES } from "../sandbox-media.ts";
import { memoryFolder } from "./memory-folder.ts";

const CLIP = `data:video/mp4;base64,${btoa("\0\0\0\x18ftypisom and so on")}`;

let sandbox: ReturnType<typeof openSandboxMedia> | undefined;
afterEach(() => sandbox?.close());

/** Jobs with one file each, of which those named by `lost` are not at the storage. */
async function jobs(count: number, lost: number[] = []): Promise<BulkJob[]> {
  sandbox = openSandboxMedia();
  const { api } = sandbox;
  const made: BulkJob[] = [];
  for (let place = 0; place < count; place++) {
    const job = await api.submit({ model: "lumen-2", payload: { prompt: `Lamp ${place}` } });
    const item = job.media[0] as MediaItem;
    const url = lost.includes(place) ? item.url.replace("-0.png", "-9.png") : item.url;
    made.push({ ...job, payload: { prompt: `Lamp ${place}` }, media: [{ ...item, url }], priceMicroUsd: 35_000 });
  }
  return made;
}

async function collect(given: BulkJob[], over: Partial<Parameters<typeof bulkEntries>[0]> = {}) {
  const failures: BulkFailure[] = [];
  const files = given.map((job) => ({ job, index: 0 }));
  const entries: BulkEntry[] = [];
  for await (const entry of bulkEntries({ files, failures, ...over })) entries.push(entry);
  return { entries, failures };
}

describe("the entries of a zip", () => {
  it("are the files in order under safe, unique names, and a manifest", async () => {
    const given = await jobs(5);
    const { entries, failures } = await collect(given);
    expect(failures).toEqual([]);
    const names = entries.map(({ name }) => name);
    expect(names.at(-1)).toBe("manifest.json");
    expect(new Set(names).size).toBe(6);
    expect(names[1]).toMatch(/^lumen-2-[\d-]+-1-2\.png$/);
    const manifest = JSON.parse(String(entries.at(-1)?.input));
    expect(manifest.files.map((line: { request_id: string }) => line.request_id)).toEqual(
      given.map((job) => job.requestId),
    );
    expect(manifest.files[3]).toMatchObject({ file: names[3], price_micro_usd: 35_000, payload: { prompt: "Lamp 3" } });
  });

  it("are 14, with a list of 6 to retry, when 6 of 20 fail", async () => {
    const lost = [0, 3, 11, 12, 18, 19];
    const reported: [number, number][] = [];
    const { entries, failures } = await collect(await jobs(20, lost), { onProgress: (...now) => reported.push(now) });
    expect(entries.filter(({ name }) => name.endsWith(".png"))).toHaveLength(14);
    expect(failures.map(({ job }) => job.payload?.prompt)).toEqual(lost.map((place) => `Lamp ${place}`));
    expect(String(entries.at(-1)?.input).match(/File not found/g)).toHaveLength(6);
    expect(entries.at(-1)?.name).toBe("errors.txt");
    expect(reported.at(-1)).toEqual([20, 6]);
  });

  it("are read on demand, never more than three files ahead", async () => {
    const given = await jobs(12);
    const asked = () => sandbox?.sandbox.inspect().requests.filter(({ route }) => route === "media").length ?? 0;
    const reading = bulkEntries({ files: given.map((job) => ({ job, index: 0 })), failures: [] });
    await reading.next();
    expect(asked()).toBeLessThanOrEqual(3);
    await reading.next();
    expect(asked()).toBeLessThanOrEqual(4);
    await reading.return(undefined);
  });

  it("stop on an abort", async () => {
    const controller = new AbortController();
    const reading = bulkEntries({
      files: (await jobs(4)).map((job) => ({ job, index: 0 })),
      failures: [],
      signal: controller.signal,
    });
    await reading.next();
    controller.abort(new DOMException("stop", "AbortError"));
    await expect(reading.next()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("come with a readable JSON of settings where a file cannot hold them", async () => {
    const [made] = await jobs(1);
    const clip = { ...(made as BulkJob), media: [{ id: "0", kind: "video" as const, url: CLIP }] };
    const { entries } = await collect([clip]);
    expect(entries.map(({ name }) => name)).toEqual([
      expect.stringMatching(/\.mp4$/),
      `${entries[0]?.name}.json`,
      "manifest.json",
    ]);
    const settings = await readSettings(new Blob([entries[1]?.input ?? ""]));
    expect(settings).toMatchObject({ model: "lumen-2", payload: { prompt: "Lamp 0" }, requestId: clip.requestId });
  });

  it("hold their settings when they are pictures", async () => {
    const { entries } = await collect(await jobs(1));
    expect(await readSettings(entries[0]?.input as Blob)).toMatchObject({ payload: { prompt: "Lamp 0" } });
  });
});

describe("a zip", () => {
  it("streams to its target uncompressed, and is readable by its directory", async () => {
    const failures: BulkFailure[] = [];
    const files = (await jobs(3)).map((job) => ({ job, index: 0 }));
    const chunks: Uint8Array[] = [];
    const target = {
      createWritable: async () => new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) }),
    };
    await saveZip(bulkEntries({ files, failures }), "a.zip", target);
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf("PK\x05\x06");
    expect(bytes.readUInt16LE(end + 10)).toBe(4);
    const names: string[] = [];
    for (let at = bytes.readUInt32LE(end + 16); bytes.readUInt32LE(at) === 0x02014b50; ) {
      const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ];
      names.push(bytes.toString("utf8", at + 46, at + 46 + name));
      expect(bytes.readUInt16LE(at + 10)).toBe(0);
      at += 46 + name + extra + comment;
    }
    expect(names).toHaveLength(4);
    expect(names.every((name) => !/[/\\]|\.\./.test(name))).toBe(true);
    expect(bytes.includes(Buffer.from(PNG_BYTES.slice(0, 33)))).toBe(true);
  });
});

describe("a folder", () => {
  it("gets the same names as a zip; a second run writes nothing twice", async () => {
    const files = (await jobs(3, [1])).map((job) => ({ job, index: 0 }));
    const { files: there, handle } = memoryFolder();
    const failures: BulkFailure[] = [];
    await saveInFolder(bulkEntries({ files, failures }), handle);
    const names = (await collect(files.map(({ job }) => job))).entries.map(({ name }) => name);
    expect([...there.keys()]).toEqual(names);
    expect(failures).toHaveLength(1);
    await saveInFolder(bulkEntries({ files, failures: [], isUnlisted: true }), handle);
    expect([...there.keys()]).toEqual(names);
  });

  it("lists a renamed file under its new name", async () => {
    const [job] = await jobs(1);
    const { files: there, handle } = memoryFolder();
    there.set("mine.png", new Uint8Array([1]));
    const files = [{ job: job as BulkJob, index: 0 }];
    await saveInFolder(bulkEntries({ files, template: "mine", failures: [] }), handle);
    expect([...there.keys()]).toEqual(["mine.png", "mine-2.png", "manifest.json"]);
    const manifest = JSON.parse(Buffer.from(there.get("manifest.json") ?? []).toString());
    expect(manifest.files[0].file).toBe("mine-2.png");
  });

  it("continues after a badly written file, and lists it for a retry", async () => {
    let writes = 0;
    const { files: there, handle } = memoryFolder((bytes) => (writes++ === 1 ? bytes.slice(1) : bytes));
    const failures: BulkFailure[] = [];
    const files = (await jobs(3)).map((job) => ({ job, index: 0 }));
    await saveInFolder(bulkEntries({ files, failures }), handle);
    expect(failures.map(({ job }) => job.payload?.prompt)).toEqual(["Lamp 1"]);
    expect(there.size).toBe(4);
    expect(Buffer.from(there.get("errors.txt") ?? []).toString()).toContain("wasn’t saved correctly");
  });
});

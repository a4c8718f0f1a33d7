import "../../setup/page-stand-in.ts";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeCsv } from "#batch/rows/csv-runs.ts";
import { readCsv } from "#batch/rows/read-csv.ts";
import { sheetEntries, type ZipRun } from "#batch/sheet/sheet-zip.ts";
import type { BulkEntry } from "#media/download/bulk-entries.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
beforeEach(() => {
  sandbox = openSandboxMedia();
});
afterEach(() => sandbox.close());

/** A run with its result; of one that is `lost` the storage has no file. */
async function zipRun(prompt: string, row: number, isLost = false): Promise<ZipRun> {
  const request = { model: "lumen-2", payload: { prompt } };
  const made = await sandbox.imageJob(request.payload);
  const media = made.media.map((item) => ({ ...item, url: item.url.replace(/[^/]+$/, "gone.png") }));
  const job = isLost ? { ...made, media } : made;
  const item = { id: `row-${row}`, groupId: "g", intentId: `intent-${row}`, request, priceMicroUsd: 35_000 };
  const { requestId, status } = job;
  const tracked = {
    ...job,
    ...request,
    priceMicroUsd: 35_000,
    submittedAtMs: 1,
    origin: "answered" as const,
  };
  const state = { kind: "sent" as const, requestId, status, isRunning: false };
  return { result: { item, state, job: tracked }, isStarred: row === 1, row, status: "Done", priceMicroUsd: 35_000 };
}

async function entriesOf(runs: readonly ZipRun[], signal = new AbortController().signal) {
  const failures: string[] = [];
  const entries = new Map<string, BulkEntry["input"]>();
  const csv = (rows: Parameters<typeof writeCsv>[0]) => writeCsv(rows, new Map());
  const options = { title: "Harbour", runs, template: "{model}-{index}", csv, failures, signal, onProgress: () => {} };
  for await (const { name, input } of sheetEntries(options)) entries.set(name, input);
  const textOf = (name: string) => String(entries.get(name));
  return { entries, failures, textOf };
}

const bytesOf = async (input: BulkEntry["input"] | undefined) => new Uint8Array(await (input as Blob).arrayBuffer());

test("the manifest names each file with the SHA-256 of the very bytes in the zip", async () => {
  const { entries, textOf, failures } = await entriesOf([await zipRun("=A lamp", 1), await zipRun("A tram", 2)]);
  expect([...entries.keys()]).toEqual(["lumen-2-1.png", "lumen-2-1-2.png", "prompts.csv", "manifest.json"]);
  expect(failures).toEqual([]);
  const { batch, runs } = JSON.parse(textOf("manifest.json"));
  expect(batch).toBe("Harbour");
  for (const [at, run] of runs.entries()) {
    expect(run).toMatchObject({
      row: at + 1,
      model: "lumen-2",
      price_micro_usd: 35_000,
      status: "Done",
      is_starred: at === 0,
    });
    const [file] = run.files;
    const bytes = await bytesOf(entries.get(file.file));
    expect(file).toEqual({
      index: 0,
      file: file.file,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  }
  expect(runs[0].parameters).toEqual({ prompt: "=A lamp" });
});

test("the CSV has the prompts, prices, jobs and names of the files", async () => {
  const runs = [await zipRun("=A lamp", 1), await zipRun("A tram", 2)];
  const { textOf } = await entriesOf(runs);
  const { header, rows } = readCsv(textOf("prompts.csv"));
  expect(header).toEqual(["Model", "payload.prompt", "Price (USD)", "Status", "Job ID", "Result"]);
  expect(rows).toEqual([
    // No spreadsheet takes it for a formula.
    ["lumen-2", "'=A lamp", "0.035", "Done", runs[0]?.result.job?.requestId, "lumen-2-1.png"],
    ["lumen-2", "A tram", "0.035", "Done", runs[1]?.result.job?.requestId, "lumen-2-1-2.png"],
  ]);
});

test("a file that is not there is named in the manifest and in errors.txt, and the others are saved", async () => {
  const runs = [await zipRun("A lamp", 1, true), await zipRun("A tram", 2)];
  const { entries, textOf, failures } = await entriesOf(runs);
  expect(failures).toEqual(["File not found"]);
  expect([...entries.keys()]).toEqual(["lumen-2-1.png", "prompts.csv", "manifest.json", "errors.txt"]);
  expect(JSON.parse(textOf("manifest.json")).runs[0].files).toEqual([{ index: 0, error: "File not found" }]);
  expect(textOf("errors.txt")).toContain(`Row 1, job ${runs[0]?.result.job?.requestId}, file 1: File not found`);
});

test("no zip is made of nothing, nor of a part once it is cancelled", async () => {
  const run = await zipRun("A lamp", 1, true);
  await expect(entriesOf([run])).rejects.toThrow("Couldn’t load any of the files. File not found.");
  await expect(entriesOf([await zipRun("A tram", 2)], AbortSignal.abort())).rejects.toThrow();
});

import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chooseArchiveFolder } from "#media/download/archive-folder.ts";
import { archiveFinished } from "#results/archive/archive-finished.ts";
import { setArchiving } from "#results/archive/archive-store.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkRows } from "#storage/job-marks.ts";
import { newRecord } from "#storage/job-records.ts";
import { writeIndex } from "#storage/seen-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";
import { memoryFolder } from "../../media/download/memory-folder.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { someJob } from "../../setup/some-job.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
beforeEach(() => {
  freshDatabase();
  sandbox = openSandboxMedia();
});
afterEach(() => {
  sandbox.close();
  vi.unstubAllGlobals();
});

it("saves each finished job that has files once, whoever sent it, and marks no job of which there is no file", async () => {
  const { files, handle } = memoryFolder();
  vi.stubGlobal("showDirectoryPicker", async () => handle);
  await chooseArchiveFolder();
  setArchiving(true);
  const [own, listed, lean, none] = await Promise.all(
    ["own", "listed", "lean", "none"].map(async (prompt) =>
      sandbox.api.getJob((await sandbox.imageJob({ prompt })).requestId),
    ),
  );
  if (!own || !listed || !lean || !none) throw new Error("No jobs were made.");
  const ofList = { media: [], payload: undefined, lacksOutcome: true } as const;
  const day = 86_400;
  const stored = [
    { ...listed, raw: undefined },
    { ...lean, ...ofList, raw: undefined },
    { ...none, ...ofList, raw: undefined },
    // The service has it no more after sixty days.
    { ...someJob("expired"), media: own.media, createdAtSeconds: (own.createdAtSeconds ?? 0) - 61 * day },
    { ...own, ...ofList },
  ];
  await writeIndex("account", new Map([[0, stored]]), {}, stored.length);
  const row = newRecord({ ...own, origin: "answered", submittedAtMs: 1 });
  const asked: string[] = [];
  const wanted = {
    accountId: "account",
    client: new QueryClient(),
    tracked: [row, newRecord({ ...someJob("empty"), origin: "answered", submittedAtMs: 1 })],
    api: {
      ...sandbox.api,
      getJob: async (requestId: string) => {
        asked.push(requestId);
        return requestId === none.requestId ? { ...none, media: [] } : sandbox.api.getJob(requestId);
      },
    },
  };
  await archiveFinished(wanted);
  await archiveFinished(wanted);
  const marks = await readAll(await openRows(), jobMarkRows, "account");
  const ids = [own, listed, lean].map(({ requestId }) => requestId).sort();
  expect(marks.flatMap(({ requestId, savedAtMs }) => (savedAtMs === undefined ? [] : [requestId])).sort()).toEqual(ids);
  expect(asked.sort()).toEqual([lean.requestId, none.requestId].sort());
  expect(files.size).toBe(3);
});

it("reads a record again in the next pass where a screen that closed has cancelled its read", async () => {
  const { files, handle } = memoryFolder();
  vi.stubGlobal("showDirectoryPicker", async () => handle);
  await chooseArchiveFolder();
  setArchiving(true);
  const job = await sandbox.imageJob({ prompt: "A lamp" });
  const listed = {
    ...(await sandbox.api.getJob(job.requestId)),
    media: [],
    lacksOutcome: true,
    raw: undefined,
  } as const;
  await writeIndex("account", new Map([[0, [listed]]]), {}, 1);
  const client = new QueryClient();
  const getJob = vi.fn(sandbox.api.getJob);
  getJob.mockImplementationOnce(() => {
    void client.cancelQueries({ queryKey: ["jobs"] });
    return new Promise(() => {});
  });
  const wanted = { accountId: "account", client, tracked: [], api: { ...sandbox.api, getJob } };
  await archiveFinished(wanted);
  expect(files.size).toBe(0);
  await archiveFinished(wanted);
  expect(files.size).toBe(1);
});

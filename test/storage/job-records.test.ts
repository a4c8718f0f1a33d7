import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test } from "vitest";
import { isFinal } from "#api/jobs.ts";
import type { FileFacts, Job, MediaItem } from "#api/types.ts";
import { saveSeen } from "#history/job-index/seen-jobs.ts";
import { readPlace, START } from "#runs/job-list/job-pages.ts";
import { openRows } from "#storage/database.ts";
import {
  getLaterReport,
  isNews,
  JOB_ORIGINS,
  type JobRecord,
  mergeRecords,
  readStoredJob,
  storedOrigin,
  type TrackedJob,
  trackedRows,
  withoutBulk,
} from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import fc from "../setup/fc.ts";
import { freshDatabase } from "./fresh-database.ts";
import { readEntryBefore, readPlanBefore, readTrackedBefore } from "./rows-of-before.ts";

beforeEach(freshDatabase);

const stored = {
  requestId: "job-1",
  model: "lumen-2",
  status: "success",
  media: [{ id: "1", kind: "image", url: "https://files.example/1.png", width: 2, height: 3 }],
  payload: { prompt: "a lamp" },
  createdAtSeconds: 1,
  updatedAtSeconds: 2,
  failureReason: undefined,
  raw: { extra: true },
};

test("a stored job is read back unchanged", () => {
  expect(readStoredJob(stored)).toEqual(stored);
});

test("fields of a wrong type are dropped, and a row without a job too", () => {
  const damaged = {
    ...stored,
    model: 7,
    payload: "a lamp",
    createdAtSeconds: "1",
    updatedAtSeconds: Number.NaN,
    failureReason: {},
    media: ["x", { url: 5 }, { url: "https://files.example/2", kind: "hologram", width: "2", posterUrl: null }],
  };
  expect(readStoredJob(damaged)).toEqual({
    requestId: "job-1",
    model: undefined,
    status: "success",
    media: [{ id: "https://files.example/2", kind: "other", url: "https://files.example/2" }],
    payload: undefined,
    createdAtSeconds: undefined,
    updatedAtSeconds: undefined,
    failureReason: undefined,
    raw: { extra: true },
  });
  for (const other of [undefined, null, "job", [], {}, { ...stored, status: 1 }, { ...stored, media: {} }]) {
    expect(readStoredJob(other)).toBeUndefined();
  }
});

test("reading a row never throws, whatever the database holds", () => {
  const row = { key: "k", scope: "s", v: 1, body: undefined };
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom(...Object.keys(stored), "job", "origin", "priceMicroUsd") }),
      (body) => {
        trackedRows.read(body, row);
        readStoredJob(body);
      },
    ),
  );
});

const text = fc.option(fc.string(), { nil: undefined });
const seconds = fc.option(fc.nat(), { nil: undefined });
const payload = fc.option(fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }), { nil: undefined });
const media = fc.array(fc.webUrl().map((url): MediaItem => ({ id: url, kind: "image", url, width: 2, height: 3 })));
const anyJob: fc.Arbitrary<Job> = fc.record({
  requestId: fc.string(),
  model: text,
  status: fc.constantFrom("queued", "processing", "success", "failed", "cancelled", "gone"),
  media,
  payload,
  createdAtSeconds: seconds,
  updatedAtSeconds: seconds,
  failureReason: text,
  raw: fc.dictionary(fc.string(), fc.string()),
});
const own = fc.record(
  {
    finishedAtMs: fc.nat(),
    files: fc.constant<FileFacts[]>([{ width: 4, bytes: 7 }]),
    defaults: fc.constant({ n: 1 }),
  },
  { requiredKeys: [] },
);
const anyTracked: fc.Arbitrary<TrackedJob> = fc
  .tuple(anyJob, own, fc.constantFrom(...JOB_ORIGINS), fc.option(fc.nat(), { nil: undefined }), fc.nat())
  .map(([job, known, origin, priceMicroUsd, submittedAtMs]) => ({
    ...job,
    ...known,
    origin,
    priceMicroUsd,
    submittedAtMs,
    reportedAtMs: submittedAtMs,
  }));
const row = { key: "k", scope: "s", v: 1, body: undefined };
const written = (job: TrackedJob) => trackedRows.write?.(job);

describe("a tab of the version before, open beside this one", () => {
  test("reads every row that this version writes as if it had written it", () => {
    fc.assert(
      fc.property(anyTracked, (job) => {
        const { requestId, model, status, priceMicroUsd, submittedAtMs, origin, finishedAtMs, files, defaults } = job;
        // The price of a followed job stands beside what was reported of it.
        const reported = readStoredJob({ ...job, priceMicroUsd: undefined });
        expect(readTrackedBefore(written(job))).toEqual({
          ...{ requestId, model, status, priceMicroUsd, submittedAtMs, origin: storedOrigin(origin, "jobs") },
          payload: job.payload ?? {},
          finishedAtMs,
          job: reported,
          files,
          defaults,
        });
        expect(trackedRows.read(written(job), row)).toEqual(job);
      }),
    );
  });

  test("finds its own row again after this version has read and written it", () => {
    fc.assert(
      fc.property(anyTracked, fc.boolean(), (now, isReported) => {
        const { requestId, model, status, priceMicroUsd, submittedAtMs, origin, ...rest } = now;
        const { finishedAtMs, files, defaults } = rest;
        const before = {
          ...{ requestId, model, status, priceMicroUsd, submittedAtMs, origin: storedOrigin(origin, "jobs") },
          payload: now.payload ?? {},
          ...(finishedAtMs === undefined ? {} : { finishedAtMs }),
          // A row of a job that is gone held what was reported of it last.
          ...(isReported ? { job: { ...readStoredJob(now), status: status === "gone" ? "queued" : status } } : {}),
          ...(files ? { files } : {}),
          ...(defaults ? { defaults } : {}),
        };
        const read = trackedRows.read(before, row);
        expect(read).toMatchObject({ requestId, model, status, priceMicroUsd, submittedAtMs, origin });
        expect(read && readTrackedBefore(written(read))).toMatchObject({ ...before, job: { requestId, status } });
      }),
    );
  });

  test("has written over the end of a job that the service deleted later: it is read all the same", () => {
    const before = { ...stored, submittedAtMs: 1, origin: "submitted", status: "gone" };
    expect(trackedRows.read({ ...before, job: stored }, row)?.status).toBe("success");
    expect(trackedRows.read({ ...before, job: { ...stored, status: "queued" } }, row)?.status).toBe("gone");
    expect(trackedRows.read({ ...before, status: "failed", job: stored }, row)?.status).toBe("failed");
  });

  test("left inline files out without saying so: its row is not taken for a job without files", () => {
    const before = { ...stored, submittedAtMs: 1, origin: "submitted", status: "success" };
    expect(trackedRows.read({ ...before, job: { ...stored, media: [] } }, row)?.lacksOutcome).toBe(true);
    expect(trackedRows.read({ ...before, job: stored }, row)?.lacksOutcome).toBeUndefined();
    const now = { ...before, reportedAtMs: 2, job: { ...stored, media: [] } };
    expect(trackedRows.read(now, row)?.lacksOutcome).toBeUndefined();
  });

  test("and an index is read by both, with the prompt of a payload that was too large to store", async () => {
    const job: JobRecord = {
      ...readStoredJob(stored),
      ...{ requestId: "job-1", model: "lumen-2", status: "success", media: stored.media as MediaItem[], raw: {} },
      ...{ createdAtSeconds: 1, updatedAtSeconds: 2, failureReason: undefined, priceMicroUsd: 7 },
      payload: { prompt: "a lamp", mask: "x".repeat(9_000) },
    };
    await saveSeen("account", new Map([[0, [job]]]), START, 1);
    const [chunk] = (await (await openRows()).all("seen", "account")).filter(({ key }) => key.includes("|chunk|"));
    const [entry] = JSON.parse(String(chunk?.body)).map(readEntryBefore);
    expect(entry).toMatchObject({
      requestId: "job-1",
      prompt: "a lamp",
      aspect: 2 / 3,
      priceMicroUsd: 7,
      payload: undefined,
    });
    const read: JobRecord[] = [];
    await readIndex("account", (jobs) => void read.push(...jobs));
    expect(read).toEqual([{ ...job, payload: undefined, prompt: "a lamp" }]);
    expect(readStoredJob({ ...entry, aspect: 1 })).toEqual(read[0]);
  });

  test("and where the list goes on to be read is known to both", async () => {
    const byTime = { ...START, gaps: [{ before: 500, after: undefined }], newestSeconds: 900, fromSeconds: 100 };
    const byNumber = { ...START, offset: 2_000, isUntimed: true, lastId: "job-9", next: { cursor: "c" } };
    for (const place of [byTime, byNumber]) {
      await saveSeen("account", new Map(), place, 0);
      const [row] = await (await openRows()).all("seen", "account");
      const { gaps, offset, isUntimed, newestSeconds, fromSeconds } = { fromSeconds: undefined, ...place };
      const before = readPlanBefore(JSON.parse(String(row?.body)));
      expect(before).toEqual({ gaps, offset, isUntimed, newestSeconds, fromSeconds });
      expect(readPlace(JSON.parse(JSON.stringify({ ...before, count: 0 })))).toMatchObject({ gaps, offset, isUntimed });
    }
  });
});

describe("what is known of a job and what is reported of it", () => {
  test("never goes back from a final status, and never loses what only this browser knows", () => {
    fc.assert(
      fc.property(anyTracked, fc.array(anyJob), (known, reports) => {
        let job = known;
        for (const report of reports) {
          const next = mergeRecords(job, report);
          if (isFinal(job.status)) expect(isFinal(next.status)).toBe(true);
          job = next;
        }
        const { requestId, origin, priceMicroUsd, submittedAtMs, finishedAtMs, files, defaults } = known;
        expect(job).toMatchObject({ requestId, origin, priceMicroUsd, submittedAtMs });
        expect([job.finishedAtMs, job.files, job.defaults]).toEqual([finishedAtMs, files, defaults]);
        if (known.payload) expect(job.payload).toEqual(known.payload);
      }),
    );
  });

  test("keeps files where a list says nothing of an outcome, and drops them where it says that there are none", () => {
    const known = { ...(readStoredJob(stored) as Job), priceMicroUsd: 5 };
    const lean = { ...known, media: [], payload: undefined, createdAtSeconds: undefined, raw: {} };
    expect(mergeRecords(known, { ...lean, lacksOutcome: true })).toMatchObject({ ...known, raw: {} });
    expect(mergeRecords(known, lean).media).toEqual([]);
    expect(mergeRecords({ ...known, status: "queued" }, { ...lean, lacksOutcome: true }).media).toEqual([]);
    // Its own record was read here: it tells of files that the list leaves out.
    expect(mergeRecords({ ...known, isReadHere: true }, lean).media).toEqual(known.media);
    expect(mergeRecords({ ...known, isReadHere: true }, { ...lean, isReadHere: true }).media).toEqual([]);
  });

  test("is not taken away by a report that says nothing of it", () => {
    const known = readStoredJob(stored) as Job;
    const lean: Job = { ...known, media: [], lacksOutcome: true };
    expect(getLaterReport(known, lean)).toBe(known);
    expect(getLaterReport(known, { ...known, media: [] }).media).toEqual([]);
    expect(getLaterReport({ ...known, status: "queued" }, lean)).toBe(lean);
    // That its record names no file stays known, too, and is news where only the list was read.
    const without: Job = { ...known, media: [] };
    expect(mergeRecords(without, lean).lacksOutcome).toBeUndefined();
    expect(isNews(lean, mergeRecords(lean, without))).toBe(true);
    expect(isNews(without, mergeRecords(without, lean))).toBe(false);
  });

  test("is stored without files that came inline: the service has them", () => {
    const inline = { id: "1", kind: "image", url: "data:image/png;base64,AAAA" } as const;
    const job = readStoredJob(stored) as Job;
    expect(withoutBulk(job)).toBe(job);
    expect(withoutBulk({ ...job, media: [inline] })).toMatchObject({ media: [], lacksOutcome: true, raw: {} });
    expect(withoutBulk({ ...job, media: [inline, ...job.media] }).media).toEqual(job.media);
    expect(withoutBulk({ ...job, raw: { answer: "x".repeat(33_000) } })).toMatchObject({ media: job.media, raw: {} });
  });
});

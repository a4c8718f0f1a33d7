import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { getItemState, indexSent } from "#batch/runner/batch-views.ts";
import { connect, disconnect } from "#connection/connection-store.ts";
import { saveSeen } from "#history/job-index/seen-jobs.ts";
import { confirmDeletion, getDeletion, isFileDeleted, noteDeletion } from "#media/deleted-media.ts";
import { fileKey } from "#media/file-address.ts";
import { rememberedUploads, rememberUpload } from "#media/upload/upload-memory.ts";
import { deleteJobMedia, deletionNotes, findSameInputs, storedInputTest } from "#results/deletion/delete-media.ts";
import type { ReadingPlace } from "#runs/job-list/job-pages.ts";
import { START } from "#runs/job-list/job-pages.ts";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { openMemorySandbox } from "../../api/memory-sandbox.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { someJob } from "../../setup/some-job.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const service = { queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: "key-1" };
const UPLOAD = "https://s.example/in/a.png";
const FILE = "https://s.example/out/1.png";
const READ = { ...START, gaps: [] };
let accountId = "";

beforeEach(async () => {
  freshDatabase();
  localStorage.clear();
  ({ accountId } = await connect(service));
});
afterEach(() => {
  vi.useRealTimers();
  disconnect();
});

const job = (requestId: string, image?: string) =>
  someJob(requestId, {
    media: [{ id: "1", url: FILE, kind: "image" }],
    payload: { prompt: "A lamp", ...(image === undefined ? {} : { image }) },
  });
const upload = (publicUrl: string, uploadedAtMs = Date.now()) =>
  rememberUpload(accountId, { hash: publicUrl, publicUrl, name: "a.png", kind: "image", uploadedAtMs });
const index = (entries: ReturnType<typeof job>[], place: ReadingPlace = READ, count = entries.length) =>
  saveSeen(accountId, new Map([[0, entries]]), place, count);

describe("a deletion is noted", () => {
  const notes = () => deletionNotes(accountId, [job("1", UPLOAD)], (address) => address === UPLOAD);
  const refused = (status: number, hasEnvelope = true, message = "no") =>
    new RefusedError({ status, message, body: hasEnvelope ? { error: { message } } : message, hasEnvelope });

  it("before the request leaves, and confirmed by the answer", async () => {
    const deleteMedia = vi.fn(async () => {
      expect(getDeletion("1")).toMatchObject({ isConfirmed: false, isUnderWay: true });
      expect([FILE, UPLOAD].every(isFileDeleted)).toBe(true);
    });
    await deleteJobMedia({ deleteMedia }, ["1"], notes());
    expect(deleteMedia).toHaveBeenCalledOnce();
    expect(getDeletion("1")).toMatchObject({ isConfirmed: true, isUnderWay: false });
  });

  it.each([
    ["a refusal", () => refused(403), undefined],
    ["a 404 for an address that the service does not have", () => refused(404, true, "Cannot DELETE /x"), undefined],
    ["a 404 of some other server's page", () => refused(404, false, "<!doctype html><p>Not found"), undefined],
    ["a gateway's error", () => refused(500, false), { isConfirmed: false, isUnderWay: false }],
    ["a time limit of the service", () => refused(408), { isConfirmed: false }],
  ])("and after %s stands as it should", async (_, error, noted) => {
    const deleteMedia = async () => {
      throw error();
    };
    const { failed } = await deleteJobMedia({ deleteMedia }, ["1"], notes());
    expect(failed).toHaveLength(1);
    expect(getDeletion("1")).toEqual(noted && expect.objectContaining(noted));
  });

  it.each([404, 410])("and is done when the service says with %s that nothing is left", async (status) => {
    const deleteMedia = async () => {
      throw refused(status, true, "Request 1 not found");
    };
    const { deleted, failed } = await deleteJobMedia({ deleteMedia }, ["1"], notes());
    expect({ deleted, failed }).toEqual({ deleted: ["1"], failed: [] });
    expect(getDeletion("1")).toMatchObject({ isConfirmed: true });
  });

  it("as not confirmed when one try had no answer, though the last was refused", async () => {
    vi.useFakeTimers();
    const deleteMedia = vi.fn().mockRejectedValueOnce(new NoAnswerError()).mockRejectedValue(refused(403));
    const ended = deleteJobMedia({ deleteMedia }, ["1"], notes());
    await vi.runAllTimersAsync();
    await ended;
    expect(deleteMedia).toHaveBeenCalledTimes(2);
    expect(getDeletion("1")).toMatchObject({ isConfirmed: false });
    // Asked again, and refused: what the lost request did is still not known.
    await deleteJobMedia({ deleteMedia }, ["1"], notes());
    expect(getDeletion("1")).toMatchObject({ isConfirmed: false });
  });
});

it("deletes each job once, and one failure does not stop the rest", async () => {
  const { api } = openMemorySandbox();
  const [{ requestId: one }, { requestId: two }] = (await Promise.all(
    ["A lamp", "A boat"].map((prompt) => api.submit({ model: "lumen-2", payload: { prompt } })),
  )) as [Job, Job];
  expect((await deleteJobMedia(api, [one, two, one])).deleted.sort()).toEqual([one, two].sort());
  const again = await deleteJobMedia(api, [one, "..", two]);
  expect(again.deleted).toHaveLength(2);
  expect(again.failed).toMatchObject([{ requestId: "..", error: { name: "UnusableIdError" } }]);
});

// Spec 4.1: a run whose input is gone would be charged for nothing.
it("does not send a run of a batch whose input was deleted", () => {
  const elsewhere = "https://elsewhere.example/a.png";
  const requests = [UPLOAD, elsewhere].map((image_url) => ({ model: "m", payload: { image_url } }));
  const batch = agreedBatch("1", requests, 1);
  noteDeletion(accountId, { requestId: "1", files: [], inputs: [UPLOAD] });
  confirmDeletion(accountId, "1");
  expect(batch.items.map((item) => getItemState(item, indexSent([], [])).kind)).toEqual(["input-deleted", "waiting"]);
});

// Spec 4.1 rule 3.
describe("an input that goes with the job", () => {
  it("is one that this browser stored, under any signature", async () => {
    await upload(UPLOAD);
    const isStored = await storedInputTest(accountId, undefined);
    expect(isStored(`${UPLOAD}?Signature=x`)).toBe(true);
    expect(isStored("https://s.example/in/b.png")).toBe(false);
    expect(isStored("https://elsewhere.example/in/a.png")).toBe(false);
  });

  it("is also one beside those, but never a result of a job", async () => {
    await upload("https://s.example/in/old.png", 0);
    const made = new Set([fileKey("https://s.example/in/made.png") ?? ""]);
    const isStored = await storedInputTest(accountId, made);
    expect(isStored("https://s.example/in/b.png")).toBe(true);
    expect(isStored("https://s.example/in/made.png")).toBe(false);
    expect(isStored("https://s.example/other/b.png")).toBe(false);
  });

  it("is no longer offered as an earlier upload, nor for the same bytes", async () => {
    await upload(UPLOAD);
    noteDeletion(accountId, { requestId: "1", files: [], inputs: [UPLOAD] });
    expect(await rememberedUploads(accountId)).toEqual([]);
    // What was deleted still shows where uploads lie.
    expect((await storedInputTest(accountId, new Set()))("https://s.example/in/b.png")).toBe(true);
  });
});

describe("other jobs with the same input", () => {
  it("are counted through the whole index and what this browser runs, each once", async () => {
    const entries = Array.from({ length: 2500 }, (_, at) =>
      job(`${at}`, at % 100 === 0 ? `${UPLOAD}?Expires=${at}` : FILE),
    );
    const chunks = [0, 1, 2].map((place) => [place, entries.slice(place * 1000, place * 1000 + 1000)] as const);
    await saveSeen(accountId, new Map(chunks), READ, 2500);
    for (const requestId of ["100", "here"]) {
      await saveOne(
        trackedRows,
        accountId,
        trackedKey(accountId, requestId),
        newRecord({
          requestId,
          model: "m",
          payload: { image: UPLOAD },
          priceMicroUsd: 1,
          submittedAtMs: 1,
          status: "queued",
          origin: "answered",
        }),
      );
    }
    expect(await findSameInputs(accountId, [job("0", UPLOAD)])).toMatchObject({ others: 25, isWhole: true });
    // Of several jobs that go together none is an other one.
    expect(await findSameInputs(accountId, [job("0", UPLOAD), job("100", UPLOAD)])).toMatchObject({ others: 24 });
    const { made } = await findSameInputs(accountId, [job("0", FILE)]);
    expect([...(made ?? [])]).toEqual([fileKey(FILE)]);
  });

  it("are a lower bound while jobs are not indexed, or their parameters not known", async () => {
    await index([job("0", UPLOAD), job("1", UPLOAD)], START);
    expect(await findSameInputs(accountId, [job("0", UPLOAD)])).toMatchObject({ others: 1, isWhole: false });
    await index([job("0", UPLOAD), someJob("1")]);
    expect(await findSameInputs(accountId, [job("0", UPLOAD)])).toMatchObject({ others: 0, isWhole: false });
  });

  it("are a lower bound where the disk was full and a part of the index is gone", async () => {
    await index([job("0", UPLOAD), job("1", UPLOAD)], READ, 3);
    expect(await findSameInputs(accountId, [job("0", UPLOAD)])).toMatchObject({ others: 1, isWhole: false });
  });

  it("are looked for by what this browser sent where the service tells no parameters", async () => {
    await index([job("1", UPLOAD)]);
    await saveOne(
      trackedRows,
      accountId,
      trackedKey(accountId, "0"),
      newRecord({
        requestId: "0",
        model: "m",
        payload: { image: UPLOAD },
        priceMicroUsd: 1,
        submittedAtMs: 1,
        status: "success",
        origin: "answered",
      }),
    );
    expect(await findSameInputs(accountId, [someJob("0")])).toMatchObject({ others: 1, isWhole: true });
  });
});

import { expect, test } from "vitest";
import { readStoredJob, trackedRows } from "#storage/tracked-jobs.ts";
import fc from "../setup/fc.ts";

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

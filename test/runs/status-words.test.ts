import { expect, it } from "vitest";
import { readStatus } from "#api/jobs.ts";
import { runWords, statusWords } from "#runs/status-words.ts";
import { LINE_STATE_WORDS } from "#spend/ledger-words.ts";

// Spec 3, and words that services use besides.
it.each([
  ["success", "Done", "success"],
  ["COMPLETED", "Done", "success"],
  ["failed", "Failed", "failed"],
  ["ERROR", "Failed", "failed"],
  ["CANCELED", "Cancelled", "cancelled"],
  ["queued", "Queued", "queued"],
  ["IN_QUEUE", "Queued", "queued"],
  ["IN_PROGRESS", "In progress", "queued"],
  ["warming_up", "Warming up", "queued"],
  ["WaitingForWorker", "Waiting for worker", "queued"],
  ["", "Status unknown", "queued"],
  ["TIMED_OUT", "Timed out", "failed"],
  ["expired", "Expired", "failed"],
  ["nsfw", "Blocked (NSFW)", "failed"],
  ["constructor", "Constructor", "queued"],
])("the status %j is shown as %j", (status, word, tone) => {
  expect(statusWords(readStatus(status))).toEqual({ word, tone });
});

it.each([
  ["draft", "Draft", "cancelled"],
  ["waiting", "Waiting", "cancelled"],
  ["input-deleted", "Input deleted", "failed"],
  ["sending", "Submitting", "queued"],
  ["retrying", "Retrying", "queued"],
  ["unconfirmed", "Unconfirmed", "unconfirmed"],
  ["absent", "No job found", "unconfirmed"],
  ["refused", "Rejected", "failed"],
] as const)("a run that is %s is shown as %j", (kind, word, tone) => {
  expect(runWords({ kind })).toEqual({ word, tone });
});

it("a run with a job is shown as its job is", () => {
  expect(runWords({ kind: "sent", status: "gone" })).toEqual({ word: "Not found", tone: "unconfirmed" });
  // The service's own word, which is not that of a run without a job.
  expect(runWords({ kind: "sent", status: "refused" })).toEqual({ word: "Refused", tone: "queued" });
});

it("the ledger has the same words for a run whose outcome is open", () => {
  expect(LINE_STATE_WORDS.pending).toBe(runWords({ kind: "unconfirmed" }).word);
});

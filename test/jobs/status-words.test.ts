import { expect, it } from "vitest";
import { readStatus } from "#api/final-status.ts";
import { statusWords } from "#jobs/status-words.ts";

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
  ["nsfw", "Stopped as unsafe (NSFW)", "failed"],
  ["constructor", "Constructor", "queued"],
])("the status %j is shown as %j", (status, word, tone) => {
  expect(statusWords(readStatus(status))).toEqual({ word, tone });
});

it("a status that only the studio knows has its words, too", () => {
  expect(statusWords("unconfirmed").word).toBe("Unconfirmed");
  expect(statusWords("gone").word).toBe("Unknown to the service");
});

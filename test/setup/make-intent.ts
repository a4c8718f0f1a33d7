import type { Intent } from "#runs/rules/intent.ts";

/** A row of the outbox that was sent and has no answer, with the changes of one test. */
export const makeIntent = (changes: Partial<Intent> = {}): Intent => ({
  intentId: "intent",
  request: { model: "lumen-2", payload: { prompt: "a lamp" } },
  priceMicroUsd: 140_000,
  state: "sending",
  attempt: 1,
  bodyKind: "plain",
  hostMemory: undefined,
  sentAtMs: 1_000,
  listedAfterSeconds: 0,
  shared: false,
  goodPolls: 0,
  waitedMs: 0,
  possibleJob: undefined,
  dismissed: false,
  requestIds: [],
  how: undefined,
  refusal: undefined,
  neverLeft: false,
  auditDueAtMs: undefined,
  settledAtMs: undefined,
  ...changes,
});

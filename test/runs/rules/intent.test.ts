import { describe, expect, test } from "vitest";
import type { Job } from "#api/types.ts";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import {
  INTENT_STATES,
  type Intent,
  type IntentState,
  type SubmitEvent,
  shownState,
  transition,
} from "#runs/rules/intent.ts";
import { intentChange, record } from "#runs/submit/outbox.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { readAll } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const NOW_MS = 5_000;
const REFUSAL = { status: 429, message: "Slow down." };

const job = (requestId: string, status = "queued"): Job => ({
  requestId,
  model: "lumen-2",
  status,
  media: [],
  payload: undefined,
  createdAtSeconds: 1,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
});

const rowIn = (state: IntentState, changes: Partial<Intent> = {}) =>
  makeIntent({ state, bodyKind: "relay", refusal: REFUSAL, auditDueAtMs: 120_000, ...changes });

const EVENTS: { [Kind in SubmitEvent["kind"]]: (state: IntentState) => SubmitEvent } = {
  "job-known": () => ({ kind: "job-known", jobs: [job("ours"), job("beside")], how: "recovered" }),
  refused: () => ({ kind: "refused", refusal: REFUSAL }),
  "refused-for-now": () => ({ kind: "refused-for-now", refusal: REFUSAL }),
  "next-attempt": () => ({ kind: "next-attempt" }),
  stale: () => ({ kind: "stale", attempt: 1 }),
  "answer-lost": () => ({ kind: "answer-lost" }),
  "never-left": () => ({ kind: "never-left" }),
  "page-lost": () => ({ kind: "page-lost" }),
  polled: (seen) => ({ kind: "polled", seen, goodPolls: 3, waitedMs: 30_000 }),
  "not-found": () => ({ kind: "not-found", goodPolls: 5, waitedMs: 120_000 }),
  dismissed: () => ({ kind: "dismissed" }),
  audited: () => ({ kind: "audited", extraJobs: [job("beside")], isLast: true }),
};

/** Where an event leads, and the lines that the ledger is to hold afterwards, the intent's own first: `record` writes them. */
async function outcome(state: IntentState, event: SubmitEvent): Promise<string | undefined> {
  const step = transition(rowIn(state), event, NOW_MS);
  if (!step) return undefined;
  const charges = step.claims.map(({ origin }) => (origin === "duplicate" ? "possible-duplicate" : "charged"));
  const kinds = charges.length > 0 ? charges : [step.line ?? []].flat();
  const rows = createMemoryRows();
  const where = { accountId: "key", rows, nowMs: () => NOW_MS };
  const target = { store: "outbox", key: rowIn(state).intentId } as const;
  await rows.edit(target, () => ({ changes: [intentChange("key", rowIn(state))], result: undefined }));
  const moved = await record(where, target.key, event);
  const lines = await readAll(rows, ledgerRows, "key");
  expect(moved).toEqual(step.row);
  expect(lines.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
  return [step.row.state, ...kinds].join(", ");
}

describe("the table of transitions", () => {
  const found = "accepted, charged, possible-duplicate";
  const audited = "possible-duplicate";
  test.each<[SubmitEvent["kind"], Partial<Record<IntentState, string>>]>([
    ["job-known", { sending: found, retrying: found, unconfirmed: found, absent: found }],
    [
      "refused",
      {
        sending: "rejected, not-charged",
        retrying: "rejected, not-charged",
        unconfirmed: "rejected, not-charged",
      },
    ],
    ["refused-for-now", { sending: "retrying", retrying: "retrying", unconfirmed: "retrying" }],
    ["next-attempt", { retrying: "sending" }],
    ["stale", { sending: "not-sent" }],
    ["answer-lost", { sending: "unconfirmed, unconfirmed", unconfirmed: "unconfirmed" }],
    ["never-left", { sending: "not-sent, not-charged", unconfirmed: "not-sent, not-charged" }],
    ["page-lost", { sending: "unconfirmed, unconfirmed", retrying: "rejected, not-charged" }],
    ["polled", { unconfirmed: "unconfirmed", absent: "absent" }],
    ["not-found", { unconfirmed: "absent, absent" }],
    ["dismissed", { absent: "absent" }],
    ["audited", { accepted: `accepted, ${audited}`, rejected: `rejected, ${audited}` }],
  ])("%s leads where it should, and nowhere from any other state", async (kind, expected) => {
    const all = await Promise.all(
      INTENT_STATES.map(async (state) => [state, await outcome(state, EVENTS[kind](state))] as const),
    );
    expect(Object.fromEntries(all.filter(([, text]) => text !== undefined))).toEqual(expected);
  });

  test.each(["rejected", "not-sent"] as const)("a listed job is not of an intent that is %s for certain", (state) => {
    const answered: SubmitEvent = { kind: "job-known", jobs: [job("ours")], how: "answered" };
    expect(transition(rowIn(state), EVENTS["job-known"](state), NOW_MS)).toBeUndefined();
    expect(transition(rowIn(state), answered, NOW_MS)?.row.state).toBe("accepted");
    const plain = rowIn(state, { bodyKind: "plain" });
    expect(transition(plain, EVENTS["job-known"](state), NOW_MS)?.row.state).toBe("accepted");
  });

  test("an audit that is due no more changes nothing: another tab has made it, and the list is gone", () => {
    expect(
      transition(rowIn("accepted", { auditDueAtMs: undefined }), EVENTS.audited("accepted"), NOW_MS),
    ).toBeUndefined();
  });

  test("a page that dies while a plain body waits for another try leaves it unconfirmed", () => {
    const row = rowIn("retrying", { bodyKind: "plain", refusal: REFUSAL });
    expect(transition(row, { kind: "page-lost" }, NOW_MS)?.row).toMatchObject({
      state: "unconfirmed",
      refusal: REFUSAL,
    });
  });

  test("a page that dies while a gateway's 502 of version 0.2 waits leaves it unconfirmed", () => {
    const row = rowIn("retrying", { refusal: { status: 502, message: "Bad Gateway" } });
    expect(transition(row, { kind: "page-lost" }, NOW_MS)?.row.state).toBe("unconfirmed");
  });

  test("the words of an unclear answer stay with the unconfirmed intent", () => {
    const refusal = { status: 502, message: "Bad Gateway" };
    const event: SubmitEvent = { kind: "answer-lost", refusal };
    const row = transition(rowIn("sending"), event, NOW_MS)?.row ?? rowIn("sending");
    expect(shownState(row)).toMatchObject({ phase: "unconfirmed", refusal });
  });

  test("an attempt that is not the row's own is not marked as stale", () => {
    expect(transition(rowIn("sending", { attempt: 2 }), { kind: "stale", attempt: 1 }, NOW_MS)).toBeUndefined();
  });

  test("a poll for an earlier state changes nothing", () => {
    expect(transition(rowIn("absent"), EVENTS.polled("unconfirmed"), NOW_MS)).toBeUndefined();
  });

  test("a job that has failed reserves nothing of the day's budget", () => {
    const event: SubmitEvent = { kind: "job-known", jobs: [job("ours", "failed"), job("beside")], how: "answered" };
    expect(transition(rowIn("sending"), event, NOW_MS)?.chargedIds).toEqual(["beside"]);
  });

  test("a refusal is audited only after a plain body", () => {
    const due = (changes: Partial<Intent>) =>
      transition(rowIn("sending", changes), EVENTS.refused("sending"), NOW_MS)?.row.auditDueAtMs;
    expect([due({ bodyKind: "plain" }), due({ bodyKind: "relay" }), due({ bodyKind: "stream" })]).toEqual([
      125_000,
      undefined,
      undefined,
    ]);
  });

  test("an intent that has another job already is not shown with the one that was found", () => {
    const row = rowIn("accepted", { requestIds: ["ours"] });
    expect(shownState(row, { job: job("ours") })).toMatchObject({ requestId: "ours", job: { requestId: "ours" } });
    expect(shownState(row, { job: job("another") })).toMatchObject({ requestId: "ours", job: undefined });
  });

  test("only an absent job is sent again, and only by the person", () => {
    const shown = INTENT_STATES.map((state) => shownState(rowIn(state)));
    expect(shown.filter((state) => state.phase === "unconfirmed" && state.canSendAgain)).toHaveLength(1);
    expect(shown.map(({ phase }) => phase)).toEqual([
      "sending",
      "retrying",
      "unconfirmed",
      "unconfirmed",
      "accepted",
      "rejected",
      "not-sent",
    ]);
  });
});

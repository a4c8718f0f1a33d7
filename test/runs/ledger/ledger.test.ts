import { describe, expect, test } from "vitest";
import { LEDGER_EVIDENCE, LEDGER_KINDS, type LedgerLine, ledgerRows } from "#runs/ledger/ledger.ts";
import { ledgerCsv } from "#spend/ledger-words.ts";
import { spendEntries } from "#spend/spend-view.ts";
import { JOB_ORIGINS, newRecord, readJobOrigin, type TrackedJob, trackedRows } from "#storage/job-records.ts";
import type { StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";
import fc from "../../setup/fc.ts";

const line = (more: Partial<LedgerLine> = {}): LedgerLine => ({
  id: "1",
  atMs: Date.UTC(2026, 10, 20, 12),
  kind: "charged",
  evidence: "answered",
  amountMicroUsd: 35_000,
  model: "lumen-2",
  requestId: "job-1",
  intentId: "intent-1",
  ...more,
});

const anyLine: fc.Arbitrary<LedgerLine> = fc.record({
  id: fc.string(),
  atMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
  kind: fc.constantFrom(...LEDGER_KINDS),
  evidence: fc.constantFrom(...LEDGER_EVIDENCE),
  amountMicroUsd: fc.option(fc.nat(10_000_000), { nil: undefined }),
  model: fc.option(fc.string(), { nil: undefined }),
  requestId: fc.option(fc.string(), { nil: undefined }),
  intentId: fc.option(fc.string(), { nil: undefined }),
});

/** Reads CSV back (RFC 4180). */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (isQuoted && sign === '"' && text[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "," || sign === "\r")) {
      row.push(cell);
      cell = "";
      if (sign === "\r") {
        rows.push(row);
        row = [];
        index += 1;
      }
    } else cell += sign;
  }
  return rows;
}

const names = () => undefined;

describe("the ledger as CSV", () => {
  test("has one row per line, whole micro-USD, refunds negative, oldest first", () => {
    const refund = line({ id: "2", kind: "refunded", evidence: "status-failed", atMs: line().atMs + 1000 });
    expect(ledgerCsv(spendEntries([refund, line()]), names)).toBe(
      "time_utc,event,how_known,amount_micro_usd,pending_micro_usd,estimated_micro_usd,estimated,model,project,input_tokens,output_tokens,request_id,intent_id,counted_at_utc\r\n" +
        "2026-11-20T12:00:00.000Z,charged,The service accepted the run,35000,,,,lumen-2,,,,job-1,intent-1,2026-11-20T12:00:00.000Z\r\n" +
        '2026-11-20T12:00:01.000Z,refunded,"Job failed, refunded in full",-35000,,,,lumen-2,,,,job-1,intent-1,2026-11-20T12:00:00.000Z\r\n',
    );
  });

  // H20
  test("any text is read back unchanged, and no cell is a formula", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 5 }), (lines) => {
        const [, ...rows] = readCsv(ledgerCsv(spendEntries(lines), names));
        const sorted = lines.slice().sort((a, b) => a.atMs - b.atMs);
        expect(rows).toHaveLength(lines.length);
        for (const [index, row] of rows.entries()) {
          const model = sorted[index]?.model ?? "";
          expect(row[7]?.replace(/^'/, "")).toBe(/^[=+\-@\t\r]/.test(model) ? model : model.replace(/^'/, ""));
          for (const cell of row) expect(/^[=+@\t\r]/.test(cell)).toBe(false);
          for (const amount of row.slice(3, 6)) expect(amount).toMatch(/^-?\d*$/);
        }
      }),
    );
  });
});

describe("lines from the database", () => {
  // H23
  test("are complete or refused", () => {
    const row = { key: "1", scope: "a", v: 1, body: undefined };
    fc.assert(
      fc.property(fc.anything(), (body) => {
        const read = ledgerRows.read(body, row);
        expect(read === undefined || (LEDGER_KINDS.includes(read.kind) && typeof read.atMs === "number")).toBe(true);
      }),
    );
  });

  test("keep their project, their answer with its tokens, and what is estimated", () => {
    const body = line({ projectId: "p", answerId: "a", tokens: { input: 3, output: 4 }, isEstimated: true });
    const row = { key: "1", scope: "a", v: 1, body };
    expect(ledgerRows.read({ ...body, mostMicroUsd: 5, secret: "x" }, row)).toEqual({ ...body, mostMicroUsd: 5 });
    const wrong = { ...body, projectId: 1, answerId: "", tokens: { input: -1, output: 4 }, isEstimated: "yes" };
    expect(ledgerRows.read(wrong, row)).toEqual(line());
  });
});

// Version 0.1 spelled an origin in one way with a job and in another with a line, and reads no other spelling.
describe("the origin of a job", () => {
  const stored = [
    ["answered", "submitted", "submit-accepted"],
    ["recovered", "recovered", "found-in-list"],
    ["probable", "probable", "probably-ours"],
    ["duplicate", "duplicate", "appeared-beside"],
    ["imported", "adopted", "brought-in"],
  ] as const;

  function toRow<T>(kind: RowKind<T>, value: T): StoredRow {
    const change = putChange(kind, "a", "1", value);
    if (change.kind !== "put") throw new Error("Nothing is put.");
    return change.row;
  }

  test.each(stored)("%s is stored in the spelling of version 0.1 and read back", (origin, ofJob, ofLine) => {
    const known = { requestId: "job-1", model: "lumen-2", priceMicroUsd: 35_000, submittedAtMs: 1 };
    const job: TrackedJob = newRecord({ ...known, origin });
    const jobRow = toRow(trackedRows, job);
    expect(jobRow.body).toMatchObject({ ...known, status: "queued", payload: {}, origin: ofJob });
    expect(trackedRows.read(jobRow.body, jobRow)).toEqual(job);
    const lineRow = toRow(ledgerRows, line({ evidence: origin }));
    expect(lineRow.body).toEqual({ ...line(), evidence: ofLine });
    expect(ledgerRows.read(lineRow.body, lineRow)).toEqual(line({ evidence: origin }));
  });

  test("each stored word has one name, and each name has words", () => {
    expect(JOB_ORIGINS).toEqual(stored.map(([origin]) => origin));
    expect(stored.flat().map(readJobOrigin)).toEqual(stored.flatMap(([origin]) => [origin, origin, origin]));
    expect(readJobOrigin("elsewhere")).toBeUndefined();
  });
});

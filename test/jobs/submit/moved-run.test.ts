import { beforeEach, expect, test } from "vitest";
import type { Job } from "#api/types.ts";
import { addIntent, record } from "#jobs/submit/outbox.ts";
import { ledgerRows } from "#ledger/ledger.ts";
import { moveLine } from "#ledger/move-line.ts";
import { readReservations, reservationsKey } from "#ledger/spend-limits.ts";
import { openRows } from "#storage/database.ts";
import { readAll } from "#storage/typed-rows.ts";
import { outboxRow } from "../../setup/outbox-row.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const ACCOUNT = "account";
beforeEach(freshDatabase);

const job: Job = {
  requestId: "job-1",
  model: "lumen-2",
  status: "queued",
  media: [],
  payload: undefined,
  createdAtSeconds: 1,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
};

test.each([["harbour"], [undefined]])(
  "a run that was moved to project %s while its outcome was open is charged to that one",
  async (target) => {
    const rows = await openRows();
    const where = { rows, accountId: ACCOUNT, nowMs: () => 1_000 };
    const intent = outboxRow({ intentId: "intent-1", projectId: "first" });
    await addIntent(where, intent);
    await record(where, "intent-1", { kind: "answer-lost" });
    const [open] = await readAll(rows, ledgerRows, ACCOUNT);
    if (!open) throw new Error("The ledger has no open line");
    await moveLine(ACCOUNT, open, target);
    await record(where, "intent-1", { kind: "job-known", jobs: [job], how: "recovered" });

    const lines = await readAll(rows, ledgerRows, ACCOUNT);
    expect(lines.map(({ kind, projectId }) => [kind, projectId])).toEqual([["charged", target]]);
    const held = readReservations(await rows.get("settings", reservationsKey(ACCOUNT)));
    expect(held.map(({ requestId, projectId }) => [requestId, projectId])).toEqual([["job-1", target]]);
  },
);

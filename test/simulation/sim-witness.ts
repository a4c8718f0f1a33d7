import { ledgerRows } from "#jobs/ledger/ledger.ts";
import { outboxRows } from "#jobs/submit/outbox.ts";
import { isUnsettled } from "#jobs/submit/submit-state.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import type { SimService } from "./sim-network.ts";
import type { SimSettings } from "./sim-settings.ts";
import type { SimTab } from "./sim-tab.ts";

const POLLED_FOR_MS = 15 * 60_000;
const SHOWN_WITHIN_MS = 180_000;

/** One broken promise, by the invariant of the design that it breaks. */
export interface Finding {
  invariant: "I1" | "I2" | "I3" | "I4" | "I5";
  text: string;
}

/** Watches a schedule from outside and holds what the studio recorded against the service's own counters. */
export interface SimWitness {
  watchRows(rows: RowStore): RowStore;
  notePost(tab: SimTab, intentId: string, attempt: number): void;
  noteGesture(tab: SimTab): void;
  findings(): Finding[];
  /** Nothing is open, polled for, or waiting for its audit. */
  isQuiet(): boolean;
  posts: number;
}

interface Intent {
  posts: number;
  refusals: number;
  /** When the last attempt ended, however it did: before that, the reply may still come. */
  endedAtMs: number;
  /** The record said that nothing was charged: at this time, with this state. */
  denied: { atMs: number; state: string }[];
}

export function createWitness({
  service,
  settings,
  nowMs,
}: {
  service: SimService;
  settings: SimSettings;
  nowMs: () => number;
}): SimWitness {
  const outbox = new Map<string, StoredRow>();
  const ledger = new Map<string, StoredRow>();
  const shownAtMs = new Map<string, number>();
  const intents = new Map<string, Intent>();
  const quiet = new Set<string>();
  const gestured = new Set<SimTab>();
  const found: Finding[] = [];
  const fail = (invariant: Finding["invariant"], text: string) => found.push({ invariant, text });
  const intent = (id: string): Intent => {
    const known = intents.get(id) ?? { posts: 0, refusals: 0, endedAtMs: 0, denied: [] };
    intents.set(id, known);
    return known;
  };
  const rowOf = (id: string) => {
    const row = outbox.get(id);
    return row && outboxRows.read(row.body, row);
  };
  const noteOutbox = (stored: StoredRow) => {
    const before = rowOf(stored.key)?.state;
    outbox.set(stored.key, stored);
    const row = rowOf(stored.key);
    if (!row) return fail("I5", `an outbox row cannot be read: ${stored.key}`);
    const isOver =
      row.state === "absent"
        ? row.waitedMs >= POLLED_FOR_MS
        : !isUnsettled(row.state) && row.auditDueAtMs === undefined;
    if (isOver) quiet.add(row.intentId);
    else quiet.delete(row.intentId);
    if (row.state === before) return;
    const notes = intent(row.intentId);
    if (before === "sending") notes.endedAtMs = nowMs();
    if (row.state === "retrying") notes.refusals += 1;
    if (row.state === "absent" || row.state === "rejected" || row.state === "not-sent") {
      notes.denied.push({ atMs: nowMs(), state: row.state });
    }
  };

  const checkJobs = () => {
    const lines = [...ledger.values()].flatMap((row) => ledgerRows.read(row.body, row) ?? []);
    for (const served of service.jobs) {
      const { intentId, job } = served;
      if (intentId === undefined) continue;
      const line = lines.find(({ requestId, kind }) => requestId === job.requestId && kind !== "refunded");
      if (!line) fail("I2", `${job.requestId} of ${intentId} is paid and in no ledger`);
      else if (line.amountMicroUsd !== served.chargedMicroUsd) fail("I2", `${job.requestId} has a wrong amount`);
    }
    for (const [id] of intents) {
      const charged = lines.filter((line) => line.intentId === id && line.kind === "charged");
      if (charged.length > 1)
        fail("I1", `${id} has ${charged.length} charges and none of them is reported as a duplicate`);
    }
  };
  const checkDuplicates = () => {
    const seen = new Set<string>();
    const isCalm =
      settings.crash === 0 && settings.freeze === 0 && settings.storageFault === 0 && settings.listFault <= 0.1;
    for (const { intentId, job, createdAtMs } of service.jobs) {
      if (intentId === undefined) continue;
      if (!seen.has(intentId)) {
        seen.add(intentId);
        continue;
      }
      if (settings.body !== "plain") fail("I1", `${intentId} was charged twice: ${job.requestId}`);
      const shown = shownAtMs.get(job.requestId);
      const since = Math.max(createdAtMs, intent(intentId).endedAtMs);
      if (isCalm && shown !== undefined && shown - since > SHOWN_WITHIN_MS + 1_000) {
        fail("I1", `the duplicate ${job.requestId} was shown after ${Math.round((shown - since) / 1000)} s`);
      }
    }
  };
  const checkDenials = () => {
    for (const [id, { denied }] of intents) {
      const jobs = service.jobs.filter((job) => job.intentId === id);
      if (jobs.length === 0) continue;
      for (const { state, atMs } of denied) {
        // A browser that delivers a plain body twice can get a refusal for the second delivery only: the audit finds it.
        if (settings.body === "plain" && state === "rejected") continue;
        fail(
          "I3",
          `${id} was reported as ${state} at ${Math.round(atMs / 1000)} s and the service holds ${jobs[0]?.job.requestId}`,
        );
      }
    }
  };

  const witness: SimWitness = {
    posts: 0,
    watchRows: (rows) => ({
      ...rows,
      edit: (target, decide) =>
        rows.edit(target, (current, reads) => {
          const decision = decide(current, reads);
          for (const change of decision.changes) {
            if (change.kind === "put" && change.store === "outbox") noteOutbox(change.row);
            if (change.store !== "ledger") continue;
            if (change.kind === "remove") ledger.delete(change.key);
            else {
              ledger.set(change.row.key, change.row);
              const id = ledgerRows.read(change.row.body, change.row)?.requestId;
              if (id !== undefined && !shownAtMs.has(id)) shownAtMs.set(id, nowMs());
            }
          }
          return decision;
        }),
    }),
    isQuiet: () => quiet.size === outbox.size,
    noteGesture: (tab) => void gestured.add(tab),
    notePost: (tab, intentId, attempt) => {
      witness.posts += 1;
      const notes = intent(intentId);
      notes.posts += 1;
      const row = rowOf(intentId);
      if (row?.state !== "sending" || row.attempt !== attempt)
        fail("I5", `${intentId} was sent as ${row?.state} ${row?.attempt}`);
      if (!gestured.has(tab)) fail("I4", `${intentId} was sent from a page where nobody clicked`);
      if (notes.posts > notes.refusals + 1) fail("I4", `${intentId} was sent again without a refusal`);
    },
    findings: () => {
      checkJobs();
      checkDuplicates();
      checkDenials();
      return found;
    },
  };
  return witness;
}

import { ledgerRows } from "#runs/ledger/ledger.ts";
import { type Intent, isUnsettled } from "#runs/rules/intent.ts";
import { baselineKey, intentOfBaseline, intentRows } from "#runs/submit/outbox.ts";
import { getChangeKey, type RowChange, type StoredRow } from "#storage/rows.ts";
import { createPace } from "./sim-pace.ts";
import type { SimService } from "./sim-service.ts";
import type { SimSettings } from "./sim-settings.ts";
import { createStatements, OLDER_INTENT } from "./sim-statements.ts";
import type { SimTab, TabEvents } from "./sim-tab.ts";

const POLLED_FOR_MS = 15 * 60_000;
const SHOWN_WITHIN_MS = 180_000;
/** A page that slept between its look at the list and the request does not send. */
const SENT_WITHIN_MS = 31_000;

/** One broken promise, by its number in `src/runs/rules/README.md`. */
export interface Finding {
  invariant: "I1" | "I2" | "I3" | "I4" | "I5" | "I6" | "I7" | "I8";
  text: string;
}

/** Watches a schedule from outside and holds what the studio recorded and said against the service's own counters. */
export interface SimWitness {
  /** What the pages tell. */
  events: TabEvents;
  /** A page changes a row. */
  change(change: RowChange): void;
  noteGesture(tab: SimTab): void;
  /** A row of another version is in the database, and must stay as it is until its own version takes it away. */
  noteOutside(row: StoredRow): void;
  forgetOutside(key: string): void;
  /** A row that an older page left, which is to be taken up. */
  noteOlder(row: StoredRow): void;
  noteDatabaseLost(): void;
  /** Ten minutes after the last fault, nothing may be open any more. */
  checkSettled(): void;
  findings(): Finding[];
  /** Nothing is open, polled for, or waiting for its audit. */
  isQuiet(): boolean;
  posts: number;
}

/** How far back version 0.2 read the list before it sent, by the device's clock. */
const OLDER_WINDOW_MS = 2 * 86_400_000;
const FORGOTTEN = " before the database was lost";
const forgottenName = (intentId: string) => `${intentId}${FORGOTTEN}`;
const isForgotten = (intentId: string) => intentId.endsWith(FORGOTTEN);

/** The list that an intent was compared with is a row of its own. */
const isBaseline = (key: string) => key === baselineKey(intentOfBaseline(key));

interface Attempts {
  posts: number;
  refusals: number;
  /** When the last attempt ended, however it did: before that, the reply may still come. */
  endedAtMs: number;
}

export function createWitness({
  service,
  settings,
  nowMs,
  trace,
}: {
  service: SimService;
  settings: SimSettings;
  nowMs: () => number;
  /** Is told of everything, for reading one schedule. */
  trace?: ((text: string) => void) | undefined;
}): SimWitness {
  const outbox = new Map<string, Intent>();
  const ledger = new Map<string, StoredRow>();
  const shownAtMs = new Map<string, number>();
  const intents = new Map<string, Attempts>();
  const quiet = new Set<string>();
  const outside = new Set<string>();
  /** Intents that no page could know of any more when the database was lost. */
  const forgotten = new Set<string>();
  /** Rows that a living page has written, and remembers while they are open. */
  const remembered = new Set<string>();
  const gestured = new Set<SimTab>();
  /** When a page last asked for the list of a model. */
  const listsAtMs = new Map<SimTab, Map<string, number>>();
  const found: Finding[] = [];
  let writer: SimTab | undefined;
  const fail = (invariant: Finding["invariant"], text: string) => void found.push({ invariant, text });
  const statements = createStatements({ service, settings, nowMs, rowOf: (id) => outbox.get(id) });
  const pace = createPace(nowMs, (text) => fail("I7", text));
  const intent = (id: string): Attempts => {
    const known = intents.get(id) ?? { posts: 0, refusals: 0, endedAtMs: 0 };
    intents.set(id, known);
    return known;
  };

  const noteOutbox = (stored: StoredRow) => {
    const row = intentRows.read(stored.body, stored);
    if (!row) return fail("I5", `an outbox row cannot be read: ${stored.key}`);
    const before = outbox.get(stored.key);
    remembered.add(stored.key);
    outbox.set(stored.key, row);
    const isOver =
      row.state === "absent"
        ? row.waitedMs >= POLLED_FOR_MS
        : !isUnsettled(row.state) && row.auditDueAtMs === undefined;
    if (isOver) quiet.add(row.intentId);
    else quiet.delete(row.intentId);
    pace.row(before, row);
    if (row.state === before?.state) {
      trace?.(`look ${row.intentId} ${row.state} ${row.goodPolls} ${Math.round(row.waitedMs)}`);
      return;
    }
    trace?.(`row ${row.intentId} ${before?.state ?? "new"} -> ${row.state} ${row.attempt}`);
    const notes = intent(row.intentId);
    if (before?.state === "sending") notes.endedAtMs = nowMs();
    if (row.state === "retrying" || (row.state === "not-sent" && row.neverLeft)) notes.refusals += 1;
    statements.row(writer, row);
  };
  const noteLedger = (change: RowChange) => {
    if (change.kind === "remove") return void ledger.delete(change.key);
    const stored = ledger.get(change.row.key);
    const was = stored && ledgerRows.read(stored.body, stored);
    const line = ledgerRows.read(change.row.body, change.row);
    if (was?.kind === "charged" && line?.intentId !== was.intentId) {
      fail("I3", `${was.requestId} is taken from ${was.intentId} for ${line?.intentId}`);
    }
    ledger.set(change.row.key, change.row);
    statements.ledger(writer, change.row);
    const id = line?.requestId;
    if (id !== undefined && !shownAtMs.has(id)) shownAtMs.set(id, nowMs());
  };

  const checkJobs = (fail: (invariant: Finding["invariant"], text: string) => void) => {
    const lines = [...ledger.values()].flatMap((row) => ledgerRows.read(row.body, row) ?? []);
    for (const served of service.jobs) {
      const { intentId, job } = served;
      if (intentId === undefined || isForgotten(intentId)) continue;
      // Delivered late by the browser, for an intent that nobody knows of.
      if (forgotten.has(intentId) && !outbox.has(intentId)) continue;
      // Version 0.2 left no list to compare with where the device was so far ahead: then a guess is all there is.
      if (intentId.startsWith(OLDER_INTENT) && settings.skewMs > OLDER_WINDOW_MS) continue;
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
  const checkDuplicates = (fail: (invariant: Finding["invariant"], text: string) => void) => {
    const seen = new Set<string>();
    const { crash, freeze, storageFault, listFault, losesDatabase } = settings;
    const isPunctual = crash === 0 && freeze === 0 && storageFault === 0 && listFault <= 0.1 && !losesDatabase;
    for (const { intentId, job, createdAtMs } of service.jobs) {
      if (intentId === undefined) continue;
      if (!seen.has(intentId)) {
        seen.add(intentId);
        continue;
      }
      if (settings.body !== "plain") fail("I1", `${intentId} was charged twice: ${job.requestId}`);
      const shown = shownAtMs.get(job.requestId);
      const since = Math.max(createdAtMs, intent(intentId).endedAtMs);
      if (isPunctual && shown !== undefined && shown - since > SHOWN_WITHIN_MS + 1_000) {
        fail("I1", `the duplicate ${job.requestId} was shown after ${Math.round((shown - since) / 1000)} s`);
      }
    }
  };

  const witness: SimWitness = {
    posts: 0,
    events: {
      post: (tab, intentId, attempt) => {
        witness.posts += 1;
        trace?.(`POST ${intentId}.${attempt}`);
        const notes = intent(intentId);
        notes.posts += 1;
        const row = outbox.get(intentId);
        if (row?.state !== "sending" || row.attempt !== attempt)
          fail("I5", `${intentId} was sent as ${row?.state} ${row?.attempt}`);
        if (!gestured.has(tab)) fail("I4", `${intentId} was sent from a page where nobody clicked`);
        const sinceListMs = nowMs() - (listsAtMs.get(tab)?.get(row?.request.model ?? "") ?? 0);
        if (attempt === 1 && sinceListMs > SENT_WITHIN_MS) {
          fail("I4", `${intentId} was sent ${Math.round(sinceListMs / 1000)} s after its list was asked for`);
        }
        if (notes.posts > notes.refusals + 1) fail("I4", `${intentId} was sent again without a refusal`);
        pace.post(intentId, attempt);
        if (row) statements.post(tab, row.request.model, intentId);
      },
      withdraw: (intentId) => {
        if (outside.has(intentId)) fail("I8", `an attempt of ${intentId}, of another version, was withdrawn`);
      },
      answer: (_tab, intentId, reply) => {
        trace?.(`answer ${intentId} ${JSON.stringify(reply)}`);
        pace.answer(intentId);
      },
      lists: (tab, model) => {
        const ofTab = listsAtMs.get(tab) ?? new Map<string, number>();
        listsAtMs.set(tab, ofTab.set(model, nowMs()));
      },
      listed: statements.listed,
      shown: (tab, run, state) => {
        if (state.phase !== "unconfirmed")
          trace?.(`shown ${run.request.model} ${JSON.stringify({ ...state, job: undefined, error: undefined })}`);
        statements.shown(tab, run, state);
      },
      writes: (tab) => {
        writer = tab;
      },
    },
    change: (change) => {
      const key = getChangeKey(change);
      if (change.store === "outbox" && outside.has(key)) fail("I8", `${key} of another version was touched`);
      else if (change.store === "quarantine" && outside.has(key.slice(key.indexOf("|") + 1))) {
        fail("I8", `${key} of another version was put aside`);
      } else if (change.store === "outbox" && !isBaseline(key)) {
        if (change.kind === "put") noteOutbox(change.row);
        else {
          outbox.delete(key);
          quiet.delete(key);
        }
      } else if (change.store === "ledger") noteLedger(change);
    },
    noteGesture: (tab) => void gestured.add(tab),
    noteOutside: ({ key }) => void outside.add(key),
    forgetOutside: (key) => void outside.delete(key),
    noteOlder: (stored) => {
      const row = intentRows.read(stored.body, stored);
      if (row) outbox.set(stored.key, row);
    },
    noteDatabaseLost: () => {
      for (const [id, { state }] of outbox) {
        if (isUnsettled(state) && remembered.has(id)) continue;
        outbox.delete(id);
        quiet.delete(id);
        // The studio cannot know of it any more, and the id may be used again.
        intents.delete(id);
        forgotten.add(id);
        statements.rename(id, forgottenName(id));
        for (const served of service.jobs) if (served.intentId === id) served.intentId = forgottenName(id);
      }
      pace.databaseLost();
      ledger.clear();
    },
    checkSettled: () => {
      for (const { intentId, state } of outbox.values()) {
        if (isUnsettled(state)) fail("I6", `${intentId} is still ${state} ten minutes after the last fault`);
      }
    },
    isQuiet: () => quiet.size === outbox.size,
    findings: () => {
      const all = [...found];
      const fail = (invariant: Finding["invariant"], text: string) => void all.push({ invariant, text });
      checkJobs(fail);
      checkDuplicates(fail);
      for (const text of statements.lies()) fail("I3", text);
      return all;
    },
  };
  return witness;
}

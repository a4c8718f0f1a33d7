// The one table of the submit machine: which event moves an intent from which state to which, and what the ledger shows
// then. Pure and synchronous; nothing here throws. `record` in outbox.ts applies it, in one storage
// transaction, and nothing else moves a row. README.md draws it.
import { definiteWords } from "#api/definite-refusal.ts";
import type { Job } from "#api/types.ts";
import { type LedgerKind, ledgerChange, ledgerId, removeLine } from "#ledger/ledger.ts";
import { type JobOrigin, newRecord } from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";
import { trackedChanges, withReported } from "../track-job.ts";
import type { AcceptedOrigin, Intent, IntentState, PossibleJob, Refusal } from "./intent.ts";

/** What can happen to an intent once its row is committed as `sending`. */
export type SubmitEvent =
  /** The answer named the job, or the job list showed it; the likeliest first, the others appeared beside it. */
  | { kind: "job-known"; jobs: [Job, ...Job[]]; how: AcceptedOrigin }
  /** A definite no, and no further attempt follows. */
  | { kind: "refused"; refusal: Refusal }
  /** A definite no that may be tried again (spec 7 rule 1), or the host's word that this attempt never left it. */
  | { kind: "refused-for-now"; refusal: Refusal }
  | { kind: "next-attempt" }
  /** The page slept between the row and the request of this attempt: the request was not made. */
  | { kind: "stale"; attempt: number }
  /** No answer, or none that says yes or no, with the words of the answer and the job that it may have named. */
  | {
      kind: "answer-lost";
      refusal?: Refusal | undefined;
      possibleJob?: PossibleJob | undefined;
    }
  /** The host promised that the attempt never left it and never will. No further attempt follows. */
  | { kind: "never-left" }
  /** The page that sent it is gone: another one holds its lock. */
  | { kind: "page-lost" }
  /** A poll of the job list showed no job of this intent, or failed. `seen`: the state that the poll was made for. */
  | { kind: "polled"; seen: IntentState; goodPolls: number; waitedMs: number }
  /** Enough good polls over enough time. */
  | { kind: "not-found"; goodPolls: number; waitedMs: number }
  /** The person has read that no job was found. */
  | { kind: "dismissed" }
  /**
   * The list was searched for jobs that the network made beside `ofJob`, our own. `isLast`: no further search follows.
   */
  | { kind: "audited"; besides: Job[]; isLast: boolean; ofJob?: string | undefined };

type EventOf<Kind extends SubmitEvent["kind"]> = Extract<SubmitEvent, { kind: Kind }>;

interface Transition<Event> {
  to: IntentState;
  /** Otherwise the row stays as it is. */
  when?: (row: Intent, event: Event) => boolean;
  change?: (row: Intent, event: Event, nowMs: number) => Partial<Intent>;
  /** The line that the ledger holds of it afterwards; without it the ledger stays as it is. */
  ledger?: LedgerKind;
  /** The jobs that belong to the intent from now on. */
  claims?: (row: Intent, event: Event) => { job: Job; origin: JobOrigin }[];
}

/** The list may show a job this long after it was made. An assumption, stated: a longer lag would be reported wrongly. */
export const ABSENT_AFTER_MS = 120_000;
/** How long after settling the job list is searched for jobs that the network made beside ours. */
export const AUDIT_AFTER_MS = 120_000;
const SHORTEST_AUDIT_MS = 10_000;
export const NO_WORDS: Refusal = { status: 0, message: "" };

const unclaimed = (row: Intent, jobs: readonly Job[]) =>
  jobs.filter(({ requestId }) => !row.requestIds.includes(requestId));

/**
 * With a plain body the refusal may be the answer to the second delivery of a POST whose first one made a job: then an
 * audit follows.
 */
const settledAsRejected = (row: Intent, refusal: Refusal, nowMs: number) => ({
  refusal,
  settledAtMs: nowMs,
  auditDueAtMs: row.bodyKind === "plain" ? nowMs + AUDIT_AFTER_MS : undefined,
});

// What several states have in common.

const accepted: Transition<EventOf<"job-known">> = {
  to: "accepted",
  ledger: "charged",
  when: (row, { jobs }) => unclaimed(row, jobs).length > 0,
  claims: (row, { jobs, how }) =>
    unclaimed(row, jobs).map((job, index) => ({ job, origin: index === 0 ? how : "duplicate" })),
  change: (row, { jobs, how }, nowMs) => ({
    how,
    requestIds: unclaimed(row, jobs).map(({ requestId }) => requestId),
    settledAtMs: nowMs,
    // Counted from the end of the attempt: what was already spent polling is part of it.
    auditDueAtMs: nowMs + Math.max(SHORTEST_AUDIT_MS, AUDIT_AFTER_MS - row.waitedMs),
  }),
};
/**
 * After a definite no, a job of the list belongs to somebody else, unless a browser may have delivered the body twice: then
 * the no may be about the second delivery alone.
 */
const acceptedAfterAll: Transition<EventOf<"job-known">> = {
  ...accepted,
  when: ({ bodyKind }, { how }) => how === "answered" || bodyKind === "plain",
};
const rejected: Transition<EventOf<"refused">> = {
  to: "rejected",
  ledger: "not-charged",
  change: (row, { refusal }, nowMs) => settledAsRejected(row, refusal, nowMs),
};
const unconfirmed = {
  to: "unconfirmed",
  ledger: "unconfirmed",
  change: (row: Intent, event: EventOf<"answer-lost"> | EventOf<"page-lost">) => {
    const lost = event.kind === "answer-lost" ? event : undefined;
    return {
      refusal: lost?.refusal ?? (row.state === "retrying" ? row.refusal : undefined),
      possibleJob: lost?.possibleJob,
      goodLooks: 0,
      waitedMs: 0,
    };
  },
} as const;
const neverLeft: Transition<EventOf<"never-left">> = {
  to: "not-sent",
  ledger: "not-charged",
  change: (_row, _event, nowMs) => ({ neverLeft: true, settledAtMs: nowMs }),
};
const retrying: Transition<EventOf<"refused-for-now">> = {
  to: "retrying",
  change: (_row, { refusal }) => ({ refusal }),
};
const counted = {
  when: (row: Intent, { seen }: EventOf<"polled">) => row.state === seen,
  change: (_row: Intent, { goodPolls, waitedMs }: EventOf<"polled">) => ({ goodLooks: goodPolls, waitedMs }),
};
const audited = {
  ledger: "possible-duplicate",
  // Another tab may have made the last audit, and its list is gone.
  when: ({ auditDueAtMs }: Intent) => auditDueAtMs !== undefined,
  claims: (_row: Intent, { besides }: EventOf<"audited">) =>
    besides.map((job) => ({ job, origin: "duplicate" as const })),
  change: ({ auditDueAtMs }: Intent, { isLast }: EventOf<"audited">) => ({
    auditDueAtMs: isLast ? undefined : auditDueAtMs,
  }),
} as const;

/** Event, then state it is in, then what follows: of several the first that may. A pair that is not here changes nothing. */
const TABLE: {
  [Kind in SubmitEvent["kind"]]: Partial<Record<IntentState, Transition<EventOf<Kind>> | Transition<EventOf<Kind>>[]>>;
} = {
  // Whatever was believed before, a job that the answer names counts. An accepted intent stays with the job that it has.
  "job-known": {
    sending: accepted,
    retrying: accepted,
    unconfirmed: accepted,
    absent: accepted,
    rejected: acceptedAfterAll,
    "not-sent": acceptedAfterAll,
  },
  // Unconfirmed too: the host gave the first answer again, or the answer came after another tab had taken over.
  refused: { sending: rejected, retrying: rejected, unconfirmed: rejected },
  "refused-for-now": { sending: retrying, retrying, unconfirmed: retrying },
  "next-attempt": {
    retrying: { to: "sending", change: ({ attempt }, _event, nowMs) => ({ attempt: attempt + 1, sentAtMs: nowMs }) },
  },
  stale: { sending: { to: "not-sent", when: (row, { attempt }) => row.attempt === attempt } },
  // Unconfirmed: the host gave the answer again, which may tell more than the page knew.
  "answer-lost": {
    sending: unconfirmed,
    unconfirmed: {
      to: "unconfirmed",
      change: ({ refusal, possibleJob }, event) => ({
        refusal: refusal ?? event.refusal,
        possibleJob: possibleJob ?? event.possibleJob,
      }),
    },
  },
  "never-left": { sending: neverLeft, unconfirmed: neverLeft },
  "page-lost": {
    sending: unconfirmed,
    retrying: [
      // A browser may have delivered a plain body twice, and the refusal may be about the second delivery alone. And
      // version 0.2 took any 502 and 503 with JSON for a refusal.
      {
        ...unconfirmed,
        when: ({ bodyKind, refusal = NO_WORDS }) => bodyKind === "plain" || definiteWords(refusal) === undefined,
      },
      // Every attempt was refused for certain, and the page that would have tried again is gone. A reload sends nothing.
      {
        to: "rejected",
        ledger: "not-charged",
        change: (row, _event, nowMs) => settledAsRejected(row, row.refusal ?? NO_WORDS, nowMs),
      },
    ],
  },
  polled: { unconfirmed: { to: "unconfirmed", ...counted }, absent: { to: "absent", ...counted } },
  "not-found": {
    unconfirmed: {
      to: "absent",
      ledger: "absent",
      change: (_row, { goodPolls, waitedMs }, nowMs) => ({ goodLooks: goodPolls, waitedMs, settledAtMs: nowMs }),
    },
  },
  dismissed: { absent: { to: "absent", change: () => ({ dismissed: true }) } },
  audited: { accepted: { to: "accepted", ...audited }, rejected: { to: "rejected", ...audited } },
};

/** Whether an event may write ledger lines and jobs: the transaction has to name their stores. Never throws. */
export function writesLedger({ kind }: SubmitEvent): boolean {
  return Object.values(TABLE[kind]).some((found) => [found].flat().some(({ ledger }) => ledger !== undefined));
}

/** What a transition makes of an intent. */
interface Step {
  row: Intent;
  /** Ledger lines and jobs, to be written together with the row. */
  changes: RowChange[];
  /** Jobs found to be charged to it. One that had failed by then was refunded exactly (spec 3), and is not among them. */
  chargedIds: string[];
}

/** What an event makes of a row; undefined where the table has nothing for it. Never throws. */
export function transition(
  row: Intent,
  event: SubmitEvent,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Step | undefined {
  const possible = [TABLE[event.kind][row.state] ?? []].flat() as Transition<SubmitEvent>[];
  const found = possible.find(({ when }) => when?.(row, event) !== false);
  if (!found) return undefined;
  const claims = found.claims?.(row, event) ?? [];
  const next = { ...row, ...found.change?.(row, event, nowMs), state: found.to };
  return {
    row: next,
    chargedIds: claims.filter(({ job }) => job.status !== "failed").map(({ job }) => job.requestId),
    changes: found.claims ? claimChanges(accountId, row, claims, nowMs) : openLine(accountId, row, found.ledger, nowMs),
  };
}

/** A claimed job is watched from now on, and its charge is in the ledger, in place of the line without a job. */
function claimChanges(
  accountId: string,
  row: Intent,
  claims: readonly { job: Job; origin: JobOrigin }[],
  nowMs: number,
): RowChange[] {
  const { intentId, priceMicroUsd, sentAtMs } = row;
  const { model, payload } = row.request;
  if (claims.length === 0) return [];
  const changes = claims.flatMap(({ job, origin }) => {
    const { requestId } = job;
    const line = ledgerChange(accountId, {
      id: ledgerId.charge(accountId, requestId),
      atMs: sentAtMs,
      kind: origin === "duplicate" ? "possible-duplicate" : "charged",
      evidence: origin,
      amountMicroUsd: priceMicroUsd,
      model,
      requestId,
      intentId,
      ...projectOf(row),
    });
    const tracked = newRecord({ requestId, model, payload, priceMicroUsd, submittedAtMs: sentAtMs, origin });
    return [line, ...trackedChanges(accountId, withReported(tracked, job, nowMs))];
  });
  return [removeLine(ledgerId.open(accountId, intentId)), ...changes];
}

/** The refund needs none: it belongs to the charge of its job, wherever that was moved to. */
const projectOf = ({ projectId }: Intent) => (projectId === undefined ? {} : { projectId });

const EVIDENCE = { "not-charged": "refused", unconfirmed: "no-answer", absent: "not-in-list" } as const;

/** A line for an intent without a job, under one id, so that each outcome replaces the one before. */
function openLine(accountId: string, row: Intent, kind: LedgerKind | undefined, nowMs: number): RowChange[] {
  if (kind !== "not-charged" && kind !== "unconfirmed" && kind !== "absent") return [];
  const isOpen = kind === "unconfirmed";
  const line = ledgerChange(accountId, {
    id: ledgerId.open(accountId, row.intentId),
    atMs: isOpen ? row.sentAtMs : nowMs,
    kind,
    evidence: EVIDENCE[kind],
    amountMicroUsd: isOpen ? row.priceMicroUsd : 0,
    model: row.request.model,
    requestId: undefined,
    intentId: row.intentId,
    ...projectOf(row),
  });
  return [line];
}

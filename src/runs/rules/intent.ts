// An intent, which is one consent to spend: what is known of it, its states, the one table of the submit machine (which event
// moves it from which state to which, and what the ledger shows then), and what a page shows of it. Pure: this file and its
// neighbors know no storage, no network and no clock. `record` in `src/runs/submit/outbox.ts` applies the table, in one
// storage transaction. `src/runs/rules/README.md` draws it.
import type { ApiError } from "#api/api-error.ts";
import type { Job, JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { ABSENT_AFTER_MS } from "./absence.ts";
import { refusalKind } from "./answers.ts";
import type { Cap } from "./limits.ts";

/**
 * How the job of a submit is known to be ours. `answered`: the service's answer named it. `recovered`: the job list or its own
 * record showed it, and no other run can have made it. `probable`: the list showed it, and it may be somebody else's.
 */
export type AcceptedOrigin = "answered" | "recovered" | "probable";

/** What an answer said that named no job, whatever its status, a 2xx too. It is shown in every state that follows from it. */
export interface Refusal {
  status: number;
  message: string;
  /** The words come from the studio's own host. */
  isOfHost?: boolean;
}

/** An id in an answer that may be the job's. */
export interface PossibleJob {
  id: string;
  /** The answer spoke of an error, or had little of a job but an id: only a record that repeats what was sent is ours. */
  needsEcho: boolean;
}

/**
 * How the body of a submit travels. `relay`: through the studio's own host, which forwards each attempt once and
 * remembers that it did. Without a host: `stream`, over HTTP/2, which the browser cannot send twice, or `plain`, text,
 * which a browser's network stack may deliver twice when the connection dies, so an audit follows.
 */
export type BodyKind = "stream" | "relay" | "plain";

/** The states of an intent, as stored. What each of them promises is in `src/runs/rules/README.md`. */
export const INTENT_STATES = [
  "sending",
  "retrying",
  "unconfirmed",
  "absent",
  "accepted",
  "rejected",
  "not-sent",
] as const;
/** One of these states. */
export type IntentState = (typeof INTENT_STATES)[number];

/** One consent to spend. Its key is the intent id, so that a second tab with the same draft cannot send it again. */
export interface Intent {
  intentId: string;
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  state: IntentState;
  attempt: number;
  bodyKind: BodyKind;
  /** The host's memory that the attempt was given to, with `relay`. Another memory can promise nothing about it. */
  hostMemory: string | undefined;
  /** Wall clock of the last attempt. Shown, and used to decide whether the host can still remember the attempt (`proofs.ts`). */
  sentAtMs: number;
  /**
   * Fixed lower bound of every list call of this intent, in Unix seconds of the service's own clock, so that the set
   * difference is exact. 0: no bound.
   */
  listedAfterSeconds: number;
  /** The baseline has a job that this browser did not send: other clients use this key, too. */
  shared: boolean;
  /** Polls of the job list that could be read and showed no job of this intent. */
  goodPolls: number;
  /** Time spent polling since the attempt ended, by clocks that never go back, over all pages. */
  waitedMs: number;
  /** The id that the answer named without proof. The service is asked for it before its list. */
  possibleJob: PossibleJob | undefined;
  /** The person has read that no job was found. The polling goes on for a while all the same. */
  dismissed: boolean;
  requestIds: string[];
  /** How its job is known to be its own; undefined until it has one. */
  how: AcceptedOrigin | undefined;
  refusal: Refusal | undefined;
  /** The host promised that the attempt never left it and never will, with `not-sent`. */
  neverLeft: boolean;
  /** When the audit for jobs that the network made twice is due; undefined once it is done or was never needed. */
  auditDueAtMs: number | undefined;
  settledAtMs: number | undefined;
  /** What it is spent on, as it was chosen when Run was pressed. */
  projectId?: string;
}

/** Whether the outcome is open in a state: then the row holds the model's slot and the price. */
export function isUnsettled(state: IntentState): boolean {
  return state === "sending" || state === "retrying" || state === "unconfirmed";
}

/** What can happen to an intent once its row is committed as `sending`. */
export type SubmitEvent =
  /** The answer named the job, or the job list showed it; the likeliest first, the others appeared beside it. */
  | { kind: "job-known"; jobs: [Job, ...Job[]]; how: AcceptedOrigin }
  /** A definite no, and no further attempt follows. */
  | { kind: "refused"; refusal: Refusal }
  /** A definite no that may be tried again (spec 7 rule 1), or the host's word that this attempt never left it. */
  | { kind: "refused-for-now"; refusal: Refusal }
  | { kind: "next-attempt" }
  /** More than 30 s passed between the page's checks and the POST, as when it slept: the request was not made. */
  | { kind: "stale"; attempt: number }
  /** No answer, or none that says yes or no, with the words of the answer and the job that it may have named. */
  | {
      kind: "answer-lost";
      refusal?: Refusal | undefined;
      possibleJob?: PossibleJob | undefined;
    }
  /** The host promised that the attempt never left it and never will. No further attempt follows. */
  | { kind: "never-left" }
  /** The page that sent it is gone: its lock on the model was free for another page. */
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
  | { kind: "audited"; extraJobs: Job[]; isLast: boolean; ofJob?: string | undefined };

type EventOf<Kind extends SubmitEvent["kind"]> = Extract<SubmitEvent, { kind: Kind }>;

interface Transition<Event> {
  to: IntentState;
  /** The condition: where it is false, the transition does not take place. */
  when?: (row: Intent, event: Event) => boolean;
  change?: (row: Intent, event: Event, nowMs: number) => Partial<Intent>;
  /** What the ledger says of an intent without a job from now on; without it the ledger stays as it is. */
  line?: LineWithoutJob;
  /** The jobs that belong to the intent from now on: the ledger has a charge for each, in place of the line without a job. */
  claims?: (row: Intent, event: Event) => Claim[];
}

/** What the ledger says of an intent without a job. It is one line under one id, so that each outcome replaces the one before. */
export type LineWithoutJob = "not-charged" | "unconfirmed" | "absent";

/** A job that belongs to an intent. `duplicate`: it appeared beside the intent's own, and may be a second charge. */
export interface Claim {
  job: Job;
  origin: AcceptedOrigin | "duplicate";
}

/** How long after its attempt an intent is audited: by then the list shows every job that the network made beside its own. */
export const AUDIT_AFTER_MS = ABSENT_AFTER_MS;
/** The audit of a job that was found late waits this long at least: a second job may appear a moment after the first. */
const MIN_AUDIT_DELAY_MS = 10_000;
/** Stands for a refusal whose status and words are not stored. */
export const NO_WORDS: Refusal = { status: 0, message: "" };

/** Jobs that the intent does not have yet. */
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

// Transitions that the table below uses in several places.

const accepted: Transition<EventOf<"job-known">> = {
  to: "accepted",
  when: (row, { jobs }) => unclaimed(row, jobs).length > 0,
  claims: (row, { jobs, how }) =>
    unclaimed(row, jobs).map((job, index) => ({ job, origin: index === 0 ? how : "duplicate" })),
  change: (row, { jobs, how }, nowMs) => ({
    how,
    requestIds: unclaimed(row, jobs).map(({ requestId }) => requestId),
    settledAtMs: nowMs,
    // Counted from the end of the attempt, so the time that was spent polling counts, too.
    auditDueAtMs: nowMs + Math.max(MIN_AUDIT_DELAY_MS, AUDIT_AFTER_MS - row.waitedMs),
  }),
};
/**
 * After a definite no, a job in the list is somebody else's. A plain body is the exception: a browser may deliver it twice, and
 * the no may have been the answer to the second delivery alone.
 */
const acceptedAfterAll: Transition<EventOf<"job-known">> = {
  ...accepted,
  when: ({ bodyKind }, { how }) => how === "answered" || bodyKind === "plain",
};
const rejected: Transition<EventOf<"refused">> = {
  to: "rejected",
  line: "not-charged",
  change: (row, { refusal }, nowMs) => settledAsRejected(row, refusal, nowMs),
};
const unconfirmed = {
  to: "unconfirmed",
  line: "unconfirmed",
  change: (row: Intent, event: EventOf<"answer-lost"> | EventOf<"page-lost">) => {
    const lost = event.kind === "answer-lost" ? event : undefined;
    return {
      refusal: lost?.refusal ?? (row.state === "retrying" ? row.refusal : undefined),
      possibleJob: lost?.possibleJob,
      goodPolls: 0,
      waitedMs: 0,
    };
  },
} as const;
const neverLeft: Transition<EventOf<"never-left">> = {
  to: "not-sent",
  line: "not-charged",
  change: (_row, _event, nowMs) => ({ neverLeft: true, settledAtMs: nowMs }),
};
const retrying: Transition<EventOf<"refused-for-now">> = {
  to: "retrying",
  change: (_row, { refusal }) => ({ refusal }),
};
const polledCounts = {
  when: (row: Intent, { seen }: EventOf<"polled">) => row.state === seen,
  change: (_row: Intent, { goodPolls, waitedMs }: EventOf<"polled">) => ({ goodPolls, waitedMs }),
};
const audited = {
  // Not where another tab has made the last audit: the baseline is gone then, and any job would look new.
  when: ({ auditDueAtMs }: Intent) => auditDueAtMs !== undefined,
  claims: (_row: Intent, { extraJobs }: EventOf<"audited">) =>
    extraJobs.map((job) => ({ job, origin: "duplicate" as const })),
  change: ({ auditDueAtMs }: Intent, { isLast }: EventOf<"audited">) => ({
    auditDueAtMs: isLast ? undefined : auditDueAtMs,
  }),
} as const;

/**
 * `TABLE[event][state]` is what follows. Where several may, the first takes place whose `when` is not false. A pair that is not
 * here changes nothing.
 */
const TABLE: {
  [Kind in SubmitEvent["kind"]]: Partial<Record<IntentState, Transition<EventOf<Kind>> | Transition<EventOf<Kind>>[]>>;
} = {
  // A job that the answer names counts in every state but `accepted`: such an intent stays with the job that it has.
  "job-known": {
    sending: accepted,
    retrying: accepted,
    unconfirmed: accepted,
    absent: accepted,
    rejected: acceptedAfterAll,
    "not-sent": acceptedAfterAll,
  },
  // `unconfirmed` is among them: the host gave the first answer again, or it came after another tab had taken over.
  refused: { sending: rejected, retrying: rejected, unconfirmed: rejected },
  "refused-for-now": { sending: retrying, retrying, unconfirmed: retrying },
  "next-attempt": {
    retrying: { to: "sending", change: ({ attempt }, _event, nowMs) => ({ attempt: attempt + 1, sentAtMs: nowMs }) },
  },
  stale: { sending: { to: "not-sent", when: (row, { attempt }) => row.attempt === attempt } },
  // From `unconfirmed`: the host gave the answer again, which may contain more than the page knew.
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
        when: ({ bodyKind, refusal = NO_WORDS }) => bodyKind === "plain" || refusalKind(refusal) === undefined,
      },
      // Every attempt was refused for certain, and the page that would have tried again is gone. A reload sends nothing.
      {
        to: "rejected",
        line: "not-charged",
        change: (row, _event, nowMs) => settledAsRejected(row, row.refusal ?? NO_WORDS, nowMs),
      },
    ],
  },
  polled: { unconfirmed: { to: "unconfirmed", ...polledCounts }, absent: { to: "absent", ...polledCounts } },
  "not-found": {
    unconfirmed: {
      to: "absent",
      line: "absent",
      change: (_row, { goodPolls, waitedMs }, nowMs) => ({ goodPolls, waitedMs, settledAtMs: nowMs }),
    },
  },
  dismissed: { absent: { to: "absent", change: () => ({ dismissed: true }) } },
  audited: { accepted: { to: "accepted", ...audited }, rejected: { to: "rejected", ...audited } },
};

/** Whether an event may write ledger lines and jobs: the transaction has to name their stores. */
export function writesLedger({ kind }: SubmitEvent): boolean {
  return Object.values(TABLE[kind]).some((found) =>
    [found].flat().some(({ line, claims }) => line !== undefined || claims !== undefined),
  );
}

/** What a transition makes of an intent. */
interface Step {
  row: Intent;
  claims: readonly Claim[];
  /** Undefined: the ledger's line of the intent stays, unless jobs were claimed. */
  line: LineWithoutJob | undefined;
  /** Jobs that were charged for it. One that has failed was refunded exactly (spec 3), and is not among them. */
  chargedIds: string[];
}

/** What an event makes of a row; undefined where the table has nothing for it. */
export function transition(row: Intent, event: SubmitEvent, nowMs: number): Step | undefined {
  const possible = [TABLE[event.kind][row.state] ?? []].flat() as Transition<SubmitEvent>[];
  const found = possible.find(({ when }) => when?.(row, event) !== false);
  if (!found) return undefined;
  const claims = found.claims?.(row, event) ?? [];
  return {
    row: { ...row, ...found.change?.(row, event, nowMs), state: found.to },
    claims,
    line: found.line,
    chargedIds: claims.filter(({ job }) => job.status !== "failed").map(({ job }) => job.requestId),
  };
}

/** Why a press sent nothing to the service. Nothing was charged for it. */
export type NotSentReason =
  | "offline"
  | "price-unknown"
  | "price-rose"
  | "over-cap"
  | "needs-confirmation"
  | "list-unread"
  | "other-tab"
  | "already-sent"
  | "unsettled"
  | "storage"
  | "storage-memory"
  | "stale"
  | "never-left"
  | "host-unavailable"
  | "newer-version";

/**
 * What is shown of the submit of one model. `unconfirmed` means that the service may hold a charged job; only
 * `canSendAgain` means that enough polls found none.
 */
export type SubmitState =
  | { phase: "idle" }
  | { phase: "sending"; startedAtMs: number; step: "checking" | "sent" }
  | {
      phase: "accepted";
      intentId: string;
      requestId: string;
      job: Job | undefined;
      how: AcceptedOrigin;
      /** Further jobs that appeared with it: possible duplicate charges. */
      alsoFound: string[];
      priceMicroUsd: MicroUsd;
      /** The outcome could not be stored; the service still has the job. */
      unsaved?: boolean;
    }
  | {
      phase: "rejected";
      refusal: Refusal;
      error: ApiError | undefined;
      attempts: number;
      /** The browser may have delivered the request twice, so that the refusal is about the second one alone. */
      isAudited: boolean;
    }
  | {
      phase: "not-sent";
      reason: NotSentReason;
      error?: unknown;
      /** What it costs now, with `price-rose` and `needs-confirmation`. */
      priceMicroUsd?: MicroUsd;
      /** Which limit would be broken, and by how much, with `over-cap`. */
      cap?: Cap;
      overByMicroUsd?: MicroUsd;
    }
  | { phase: "retrying"; attempt: number; nextAtMs: number; refusal: Refusal }
  | {
      phase: "unconfirmed";
      intentId: string;
      sinceMs: number;
      priceMicroUsd: MicroUsd;
      goodPolls: number;
      /** The last poll of the job list failed. */
      pollFailed: boolean;
      /** The words of the answer, where one came that says neither yes nor no. */
      refusal: Refusal | undefined;
      /** For how much longer the job list is polled at least before the outcome can be "not found", in ms. */
      waitLeftMs: number;
      canSendAgain: boolean;
    };

/** There is no run to show. */
export const IDLE: SubmitState = { phase: "idle" };

/** What only the page that submitted knows. Other tabs and later pages show the row without it. */
interface Known {
  job?: Job;
  error?: ApiError;
  nextAtMs?: number;
  pollFailed?: boolean;
  unsaved?: boolean;
}

const openState = (row: Intent, { pollFailed = false }: Known): SubmitState => ({
  phase: "unconfirmed",
  intentId: row.intentId,
  sinceMs: row.sentAtMs,
  priceMicroUsd: row.priceMicroUsd,
  goodPolls: row.goodPolls,
  pollFailed,
  refusal: row.refusal,
  waitLeftMs: Math.max(0, ABSENT_AFTER_MS - row.waitedMs),
  canSendAgain: row.state === "absent",
});

/** What is shown in each state, with what the state promises. */
const SHOWN: Record<IntentState, (row: Intent, known: Known) => SubmitState> = {
  // The row was committed before the first byte of this attempt. What became of it is not known.
  sending: (row) => ({ phase: "sending", startedAtMs: row.sentAtMs, step: "sent" }),
  // This attempt was refused for certain, and may be repeated by the page that made it. Nothing is under way.
  retrying: (row, { nextAtMs = 0 }) => ({
    phase: "retrying",
    attempt: row.attempt,
    nextAtMs,
    refusal: row.refusal ?? NO_WORDS,
  }),
  // An attempt may have reached the service. Nothing is sent again by the machine.
  unconfirmed: openState,
  // Polled for long enough in lists that could be read. The person may consent anew, as a new intent.
  absent: openState,
  // One job is ours, as surely as `how` says. Others that appeared beside it are reported as possible duplicates.
  accepted: (row, { job, unsaved }) => {
    const [requestId = "", ...alsoFound] = row.requestIds;
    const { intentId, how = "answered", priceMicroUsd } = row;
    // The page may have found another job than the one in the row, where another tab recorded or claimed one meanwhile.
    const ownJob = job?.requestId === requestId ? job : undefined;
    const state = { phase: "accepted", intentId, requestId, job: ownJob, how, alsoFound, priceMicroUsd } as const;
    return unsaved ? { ...state, unsaved } : state;
  },
  // The service or the host refused, and nothing was charged; a plain body may have been delivered twice, so it is audited.
  rejected: (row, { error }) => ({
    phase: "rejected",
    refusal: row.refusal ?? NO_WORDS,
    error,
    attempts: row.attempt,
    isAudited: row.bodyKind === "plain",
  }),
  // Final: the request was never made, or never left the host.
  "not-sent": ({ neverLeft }) => ({ phase: "not-sent", reason: neverLeft ? "never-left" : "stale" }),
};

/** The state to show for a row: from the record, and from what only this page knows. */
export function shownState(row: Intent, known: Known = {}): SubmitState {
  return SHOWN[row.state](row, known);
}

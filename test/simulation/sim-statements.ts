import { ledgerRows } from "#runs/ledger/ledger.ts";
import type { Intent, SubmitState } from "#runs/rules/intent.ts";
import type { RunIdentity } from "#runs/submit/effects.ts";
import type { StoredRow } from "#storage/rows.ts";
import type { SimService } from "./sim-service.ts";
import { isOlderJob } from "./sim-service.ts";
import type { SimSettings } from "./sim-settings.ts";
import type { SimTab } from "./sim-tab.ts";

/** Reasons for which a page did not send and there may be a row. With the others it must not have sent at all. */
const WITH_ROW = new Set(["stale", "never-left"]);
/** What another page does with the model says nothing about this click. */
const ABOUT_OTHERS = new Set(["other-tab", "already-sent", "unsettled", "newer-version"]);

/** How the ids of intents begin that an older version left. */
export const OLDER_INTENT = "intent-older-";

/**
 * A request that broke may arrive so long afterwards. The studio waits out the lag of the list, so a job of that time must
 * have been found before it says that it found none.
 */
const LATEST_ARRIVAL_MS = 8_500;

interface Statement {
  intentId: string;
  /** The last attempt that it is about. */
  attempt: number;
  /** `not-charged` must be true for ever; `not-found` when the list was last read. */
  says: "not-charged" | "not-found";
  where: string;
  atMs: number;
  /** When the list was last read, and since when the outcome has been open. */
  listedAtMs: number;
  openSinceMs: number;
}

/** Collects all that is said about charging: by rows, by the ledger, on the screen. */
export interface Statements {
  row(tab: SimTab | undefined, row: Intent): void;
  ledger(tab: SimTab | undefined, stored: StoredRow): void;
  shown(tab: SimTab, run: RunIdentity, state: SubmitState): void;
  post(tab: SimTab, model: string, intentId: string): void;
  listed(tab: SimTab, model: string): void;
  /** The id of an intent may be used again: what was said is about the one before. */
  rename(intentId: string, name: string): void;
  /** Each statement that was false, as a sentence. */
  lies(): string[];
}

/** What a page is about, by model. */
interface Current {
  intentId: string | undefined;
  hasPosted: boolean;
  /** It has shown that intent as unconfirmed. */
  isShown: boolean;
}

export function createStatements({
  service,
  settings,
  nowMs,
  rowOf,
}: {
  service: SimService;
  settings: SimSettings;
  nowMs: () => number;
  /** The row of an intent, as last written. */
  rowOf: (intentId: string) => Intent | undefined;
}): Statements {
  const said: Statement[] = [];
  const wrong: string[] = [];
  /** Jobs that the ledger holds, with the intent that they stand under. */
  const chargedTo = new Map<string, string>();
  const openSinceMs = new Map<string, number>();
  const listedAtMs = new WeakMap<SimTab, Map<string, number>>();
  const currents = new WeakMap<SimTab, Map<string, Current>>();
  const currentOf = (tab: SimTab, model: string): Current => {
    const all = currents.get(tab) ?? new Map<string, Current>();
    currents.set(tab, all);
    const known = all.get(model) ?? { intentId: undefined, hasPosted: false, isShown: false };
    all.set(model, known);
    return known;
  };
  const lastListed = (tab: SimTab | undefined, model: string) =>
    (tab && listedAtMs.get(tab)?.get(model)) ?? Number.NEGATIVE_INFINITY;
  const say = (says: Statement["says"], intentId: string, where: string, listed = 0) =>
    said.push({
      says,
      intentId,
      attempt: rowOf(intentId)?.attempt ?? 1,
      where,
      atMs: nowMs(),
      listedAtMs: listed,
      openSinceMs: openSinceMs.get(intentId) ?? 0,
    });

  const isFalse = ({ says, intentId, attempt, listedAtMs: listed, openSinceMs }: Statement) => {
    const jobs = service.jobs.filter((job) => job.intentId === intentId && job.attempt <= attempt);
    if (says === "not-charged") return jobs.length > 0;
    return jobs.some(({ job, visibleAtMs, createdAtMs }) => {
      const isListed = Math.max(...visibleAtMs) <= listed || createdAtMs <= openSinceMs + LATEST_ARRIVAL_MS;
      // After a lost database, two consents with one payload may have changed places: the charge is told all the same.
      const isToldElsewhere = settings.losesDatabase && chargedTo.get(job.requestId) !== undefined;
      return isListed && !isToldElsewhere;
    });
  };

  return {
    row: (tab, row) => {
      const { intentId, state, request } = row;
      if (tab && state !== "absent" && state !== "accepted") {
        const current = currentOf(tab, request.model);
        if (current.intentId !== intentId) Object.assign(current, { intentId, isShown: false });
      }
      if (state === "unconfirmed") openSinceMs.set(intentId, nowMs());
      if (state === "absent") say("not-found", intentId, "the outbox", lastListed(tab, request.model));
      if (state === "not-sent") say("not-charged", intentId, "the outbox");
      // A browser that delivers a plain body twice can get a refusal for the second delivery only: an audit follows.
      if (state === "rejected" && row.bodyKind !== "plain") say("not-charged", intentId, "the outbox");
    },
    ledger: (tab, stored) => {
      const line = ledgerRows.read(stored.body, stored);
      if (!line?.intentId) return;
      if (line.kind === "charged" && line.requestId !== undefined) chargedTo.set(line.requestId, line.intentId);
      if (line.kind === "not-charged" && settings.body !== "plain") say("not-charged", line.intentId, "the ledger");
      if (line.kind === "absent") say("not-found", line.intentId, "the ledger", lastListed(tab, line.model ?? ""));
      // Version 0.2 left rows whose list before the submit may hold nothing: then a guess is all there is.
      const isGuess = line.evidence === "probable" && line.intentId.startsWith(OLDER_INTENT);
      if (line.kind === "charged" && line.requestId !== undefined && isOlderJob(line.requestId) && !isGuess) {
        wrong.push(`${line.intentId} is charged with ${line.requestId}, which was made before it`);
      }
    },
    shown: (tab, { intentId, request: { model } }, state) => {
      const current = currentOf(tab, model);
      if (state.phase === "sending" && state.step === "checking") {
        Object.assign(current, { intentId: undefined, hasPosted: false, isShown: false });
      }
      if (state.phase === "unconfirmed") {
        if (state.canSendAgain && rowOf(state.intentId)?.state !== "absent") {
          say("not-found", state.intentId, "the screen", lastListed(tab, model));
        }
        if (!state.canSendAgain) Object.assign(current, { intentId: state.intentId, isShown: true });
      }
      // It is said of the run that is shown. Whoever sees it takes it for what this page has sent, or has shown as unconfirmed.
      const sayNotCharged = () => {
        say("not-charged", intentId, "the screen");
        if ((current.hasPosted || current.isShown) && current.intentId !== undefined)
          say("not-charged", current.intentId, "the screen");
      };
      if (state.phase === "rejected" && !state.isAudited) sayNotCharged();
      if (state.phase !== "not-sent" || ABOUT_OTHERS.has(state.reason)) return;
      if (WITH_ROW.has(state.reason)) sayNotCharged();
      else if (current.hasPosted) wrong.push(`the page says "${state.reason}" and has sent ${current.intentId}`);
    },
    post: (tab, model, intentId) => {
      const current = currentOf(tab, model);
      current.intentId = intentId;
      current.hasPosted = true;
    },
    listed: (tab, model) => {
      const all = listedAtMs.get(tab) ?? new Map<string, number>();
      listedAtMs.set(tab, all);
      all.set(model, nowMs());
    },
    rename: (intentId, name) => {
      for (const statement of said) if (statement.intentId === intentId) statement.intentId = name;
    },
    lies: () => {
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
      const lies = said.filter(isFalse).map(({ intentId, says, where, atMs }) => {
        const [job] = service.jobs.filter((served) => served.intentId === intentId);
        const made = job ? `${job.job.requestId} of ${seconds(job.createdAtMs)}` : "nothing";
        return `${where} says ${says} of ${intentId} at ${seconds(atMs)}, and the service holds ${made}`;
      });
      return [...new Set([...wrong, ...lies])];
    },
  };
}

import type { Intent } from "#runs/rules/intent.ts";

/** Two looks at the list for one intent are this far apart, less what the answers take. */
const BETWEEN_LOOKS_MS = 5_000;
const ANSWERS_TAKE_MS = 1_500;
/** The shortest wait before the second attempt: one second less a quarter. Then it doubles. */
const FIRST_WAIT_MS = 750;

/** Watches how soon the studio looks again and sends again. */
export interface Pace {
  /** A row was written. */
  row(before: Intent | undefined, row: Intent): void;
  /** Pages begin to look anew. */
  databaseLost(): void;
  answer(intentId: string): void;
  post(intentId: string, attempt: number): void;
}

export function createPace(nowMs: () => number, fail: (text: string) => void): Pace {
  const lookedAtMs = new Map<string, number>();
  const answeredAtMs = new Map<string, number>();
  return {
    row: (before, row) => {
      // A person consented anew: that is no retry.
      if (before?.state === "not-sent") answeredAtMs.delete(row.intentId);
      if (before?.state !== "unconfirmed" || (row.state !== "unconfirmed" && row.state !== "absent")) return;
      if (row.waitedMs <= before.waitedMs && row.goodPolls <= before.goodPolls) return;
      const last = lookedAtMs.get(row.intentId);
      const now = nowMs();
      lookedAtMs.set(row.intentId, now);
      if (last !== undefined && now - last < BETWEEN_LOOKS_MS - ANSWERS_TAKE_MS) {
        fail(`${row.intentId} was looked for again after ${Math.round(now - last)} ms`);
      }
    },
    databaseLost: () => lookedAtMs.clear(),
    answer: (intentId) => void answeredAtMs.set(intentId, nowMs()),
    post: (intentId, attempt) => {
      const answered = answeredAtMs.get(intentId);
      if (attempt < 2 || answered === undefined) return;
      const minMs = FIRST_WAIT_MS * 2 ** (attempt - 2);
      const waitedMs = nowMs() - answered;
      if (waitedMs < minMs) fail(`attempt ${attempt} of ${intentId} came after ${Math.round(waitedMs)} ms`);
    },
  };
}

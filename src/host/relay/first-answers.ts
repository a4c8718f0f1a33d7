import type { OutgoingHttpHeaders } from "node:http";

/** What a submit came to. `lost`: it went out and no whole answer came back, so a job may exist. */
export type SubmitOutcome =
  | { kind: "answer"; status: number; headers: OutgoingHttpHeaders; body: Buffer }
  | { kind: "lost" };

interface Entry {
  fingerprint: string;
  outcome: Promise<SubmitOutcome>;
  atMs: number;
  bodyBytes: number;
}

export interface FirstAnswers {
  /**
   * The outcome of an intent: the first one's if it is known, else that of `forward`, which runs once. Undefined when
   * the intent is known for another request. When `forward` rejects, nothing was sent and the intent is forgotten.
   */
  take(intent: string, fingerprint: string, forward: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> | undefined;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Remembers what every intent came to for 24 hours. Past 256 MB the oldest answers lose their body and count as lost:
 * the page then looks the job up in the list. The intents themselves stay, so nothing is ever forwarded twice.
 */
export function createFirstAnswers(now: () => number, mostBodyBytes = MOST_BODY_BYTES): FirstAnswers {
  const entries = new Map<string, Entry>();
  let bodyBytes = 0;

  const expire = () => {
    for (const [intent, entry] of entries) {
      if (now() - entry.atMs < KEPT_MS) return;
      entries.delete(intent);
      bodyBytes -= entry.bodyBytes;
    }
  };

  const shed = () => {
    for (const entry of entries.values()) {
      if (bodyBytes <= mostBodyBytes) return;
      if (entry.bodyBytes === 0) continue;
      bodyBytes -= entry.bodyBytes;
      entry.bodyBytes = 0;
      entry.outcome = Promise.resolve({ kind: "lost" });
    }
  };

  return {
    take(intent, fingerprint, forward) {
      expire();
      const known = entries.get(intent);
      if (known) return known.fingerprint === fingerprint ? known.outcome : undefined;
      const outcome = forward();
      const entry: Entry = { fingerprint, outcome, atMs: now(), bodyBytes: 0 };
      entries.set(intent, entry);
      outcome.then(
        (settled) => {
          if (settled.kind === "lost") return;
          entry.bodyBytes = settled.body.length;
          bodyBytes += entry.bodyBytes;
          shed();
        },
        () => entries.delete(intent),
      );
      return outcome;
    },
  };
}

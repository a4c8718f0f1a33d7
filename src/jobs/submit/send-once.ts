import { classifyAnswer, classifyError, type SendOutcome } from "./classify-outcome.ts";
import { moveIntent } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";

/**
 * A page that slept between reading the list and its POST may have been given up by another tab, and knows an old list:
 * it must not send any more.
 */
const FRESH_MS = 30_000;

export interface Started {
  monotonicMs: number;
  wallMs: number;
}

export function startClock(fx: SubmitEffects): Started {
  return { monotonicMs: fx.monotonicMs(), wallMs: fx.nowMs() };
}

function isStale(fx: SubmitEffects, started: Started): boolean {
  return fx.monotonicMs() - started.monotonicMs > FRESH_MS || fx.nowMs() - started.wallMs > FRESH_MS;
}

/**
 * The one POST of an attempt whose row says `sending`. Nothing between the freshness check and the request waits, so a
 * frozen page that wakes up cannot send.
 */
export async function sendOnce(fx: SubmitEffects, row: OutboxRow, started: Started): Promise<SendOutcome | "stale"> {
  if (isStale(fx, started)) {
    await moveIntent(fx, row.intentId, (now) =>
      now.state === "sending" && now.attempt === row.attempt ? { row: { ...now, state: "not-sent" } } : undefined,
    );
    return "stale";
  }
  try {
    const options = { attemptId: `${row.intentId}.${row.attempt}`, body: row.bodyKind };
    return classifyAnswer(await fx.api.submit(row.request, options));
  } catch (error) {
    return classifyError(error);
  }
}

const PER_SECOND = 2;
const BURST = 6;

/**
 * The requests of one connection share one budget, because the service limits them together (spec 5 rule 4). Submits and
 * what belongs to them never wait and are taken from the same budget, so it is the polls that slow down.
 */
interface RequestBudget {
  /** Resolves when a poll, or an estimate for a list of rows, may go. */
  turn(): Promise<void>;
  /** A request was sent without waiting. */
  spend(): void;
}

/** Two requests a second after a burst of six. `nowMs` never goes back. */
export function createRequestBudget({
  nowMs,
  wait,
}: {
  nowMs: () => number;
  wait: (ms: number) => Promise<void>;
}): RequestBudget {
  let tokens = BURST;
  let filledAtMs = nowMs();
  const fill = () => {
    const now = nowMs();
    tokens = Math.min(BURST, tokens + (Math.max(0, now - filledAtMs) / 1000) * PER_SECOND);
    filledAtMs = now;
  };
  return {
    turn: async () => {
      fill();
      tokens -= 1;
      if (tokens < 0) await wait((-tokens / PER_SECOND) * 1000);
    },
    spend: () => {
      fill();
      tokens = Math.max(-BURST, tokens - 1);
    },
  };
}

// What can happen to a submit on a network that breaks, and which submit meets what.
import { createRandom } from "#sandbox/media/seeded-random.ts";

/** What the sender sees in place of the answer. `reset` ends one stream of HTTP/2, and is a `cut` over HTTP/1.1. */
type Damage =
  | { kind: "cut" }
  | { kind: "reset" }
  /** Half of the request is passed on, or half of the answer comes back; then the connection ends. */
  | { kind: "half" }
  | { kind: "answer"; status: number; type: "application/json" | "text/html"; body: string }
  /** Nothing is broken, only slow. */
  | { kind: "wait"; ms: number };

export interface Fault {
  name: string;
  /** `before` the request is passed on, `after` it was answered. `late`: the answer comes first, and then it is passed on. */
  when: "before" | "after" | "late";
  damage: Damage;
  /**
   * `once`: the first delivery, so that a browser's own repeat passes. `attempt`: every delivery of the first attempt.
   * `always`: every one.
   */
  hits: "once" | "attempt" | "always";
  /** The page's first question what became of the attempt breaks, too. */
  cutsQuestion?: boolean;
}

const json = (status: number, body: unknown): Damage => ({
  kind: "answer",
  status,
  type: "application/json",
  body: JSON.stringify(body),
});
const page = (status: number, title: string): Damage => ({
  kind: "answer",
  status,
  type: "text/html",
  body: `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** Answers of a gateway, which say nothing about the job. */
const GATEWAY: Record<string, Damage> = {
  "502 of plain JSON": json(502, { error: "Bad Gateway" }),
  "502 in the service's shape": json(502, { error: { message: "Bad Gateway" } }),
  "502 of HTML": page(502, "Bad Gateway"),
  "503 of HTML": page(503, "Service Temporarily Unavailable"),
  "504 of HTML": page(504, "Gateway Time-out"),
  "500 of JSON": json(500, { error: { message: "Internal error." } }),
};

const gatewayFaults = (["before", "after"] as const).flatMap((when) =>
  Object.entries(GATEWAY).map(([name, damage]): Fault => ({ name: `${name} ${when}`, when, damage, hits: "attempt" })),
);

const LATE: Fault = {
  name: "504, and passed on late",
  when: "late",
  damage: page(504, "Gateway Time-out"),
  hits: "attempt",
};
const SLOW: Fault = { name: "slow answer", when: "after", damage: { kind: "wait", ms: 400 }, hits: "attempt" };

function broken(kind: "cut" | "reset" | "half", when: "before" | "after", hits: "once" | "attempt"): Fault {
  return { name: `${kind} ${when}, ${hits}`, when, damage: { kind }, hits };
}

/** The plain case: the job is made and its answer is lost. */
export const CUT_AFTER = broken("cut", "after", "attempt");

const slow = (when: "before" | "after"): Fault => ({
  name: `slow ${when}`,
  when,
  damage: { kind: "wait", ms: 40 },
  hits: "attempt",
});
/** Nothing breaks on the way to the service, or back, and it takes its time. */
export const SLOW_BEFORE = slow("before");
export const SLOW_AFTER = slow("after");

/** Between the browser and the host. */
export const BROWSER_FAULTS: readonly Fault[] = [
  broken("cut", "before", "once"),
  broken("cut", "before", "attempt"),
  broken("reset", "before", "once"),
  broken("half", "before", "once"),
  broken("half", "before", "attempt"),
  broken("cut", "after", "once"),
  CUT_AFTER,
  broken("reset", "after", "attempt"),
  broken("half", "after", "attempt"),
  { ...CUT_AFTER, name: "cut after, with the question", cutsQuestion: true },
  { ...broken("cut", "before", "attempt"), name: "cut before, with the question", cutsQuestion: true },
  ...gatewayFaults,
  LATE,
  SLOW,
];

/** Between the host and the service. The service's own words come only where no job was made. */
export const SERVICE_FAULTS: readonly Fault[] = [
  broken("cut", "before", "once"),
  broken("half", "before", "once"),
  broken("cut", "after", "once"),
  broken("half", "after", "once"),
  ...gatewayFaults,
  LATE,
  SLOW,
  ...(
    [
      [
        "429",
        json(429, {
          error: { message: "Rate limit exceeded for this organization or key.", type: "rate_limit_exceeded" },
        }),
      ],
      [
        "502",
        json(502, { error: { message: "All endpoints failed for the model after retries.", type: "endpoint_error" } }),
      ],
      ["503", json(503, { error: { message: "Model routing is temporarily unavailable. Try again." } })],
    ] as const
  ).map(([status, damage]): Fault => ({ name: `${status} of the service`, when: "before", damage, hits: "once" })),
  {
    name: "502 of the service, always",
    when: "before",
    damage: json(502, {
      error: { message: "All endpoints failed for the model after retries.", type: "endpoint_error" },
    }),
    hits: "always",
  },
  {
    name: "400 of the service",
    when: "before",
    damage: json(400, { error: { message: "payload: prompt was refused", type: "invalid_request_error" } }),
    hits: "always",
  },
];

/** The number that a story gives each of its prompts. */
export const numberOf = (prompt: string) => Number(/\brun (\d+)\b/.exec(prompt)?.[1] ?? 0);

export interface Fates {
  /** What happens to this delivery of a submit. `attempt` names the attempt where the request tells it. */
  of(prompt: string, attempt: string): Fault | undefined;
  /** What happens to a question about an attempt. */
  ofQuestion(attempt: string): Fault | undefined;
  /** How often each fault happened. */
  happened(): Record<string, number>;
  /** Deliveries of attempts that had been delivered before: a browser repeats them by itself. */
  repeats(): number;
}

/**
 * Gives every submit its fate by the number in its prompt. The faults are dealt like cards: of as many submits as there
 * are faults, and `calm` more that meet none, each fault hits one.
 */
export function dealFates(seed: number, faults: readonly Fault[], calm: number): Fates {
  const decks = new Map<number, (Fault | undefined)[]>();
  const deliveries = new Map<string, number>();
  const firstAttempts = new Map<string, string>();
  const questions = new Map<string, Fault>();
  const counts: Record<string, number> = {};
  const size = faults.length + calm;

  function dealt(number: number): Fault | undefined {
    const round = Math.floor((number - 1) / size);
    const deck = decks.get(round) ?? shuffled([...faults, ...Array(calm).fill(undefined)], seed + round);
    decks.set(round, deck);
    return deck[(number - 1) % size];
  }

  const count = (fault: Fault) => {
    counts[fault.name] = (counts[fault.name] ?? 0) + 1;
    return fault;
  };

  return {
    of(prompt, attempt) {
      const before = deliveries.get(attempt) ?? 0;
      deliveries.set(attempt, before + 1);
      const first = firstAttempts.get(prompt) ?? attempt;
      firstAttempts.set(prompt, first);
      const fault = dealt(numberOf(prompt));
      if (!fault) return undefined;
      if (fault.hits === "attempt" && attempt !== first) return undefined;
      if (fault.hits === "once" && (attempt !== first || before > 0)) return undefined;
      if (fault.cutsQuestion && before === 0) questions.set(attempt, fault);
      return count(fault);
    },
    ofQuestion(attempt) {
      const fault = questions.get(attempt);
      questions.delete(attempt);
      return fault;
    },
    happened: () => counts,
    repeats: () => [...deliveries.values()].reduce((sum, times) => sum + times - 1, 0),
  };
}

function shuffled<T>(cards: T[], seed: number): T[] {
  const random = createRandom(seed);
  return cards
    .map((card) => ({ card, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ card }) => card);
}

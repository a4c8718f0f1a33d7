import { describe, expect, test } from "vitest";
import { isRefundUnknown } from "#api/jobs.ts";
import { indexSent, isNotCharged, itemCharge, viewItem } from "#batch/runner/batch-views.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { newRecord } from "#storage/job-records.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import fc from "../../setup/fc.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const PRICE = 10_000;
const WORDS = ["queued", "success", "failed", "cancelled", "timed_out", "gone"] as const;

/** One attempt of a run, and the jobs that it has at the service: more than one where the network delivered it twice. */
interface Attempt {
  state: "not-sent" | "rejected" | "absent" | "unconfirmed" | "sending" | "accepted";
  refusedWith: number;
  isAudited: boolean;
  jobs: (typeof WORDS)[number][];
}

const anyAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    state: fc.constantFrom("not-sent", "rejected", "absent", "unconfirmed", "sending", "accepted"),
    refusedWith: fc.constantFrom(400, 402, 502),
    isAudited: fc.boolean(),
    jobs: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
  })
  .map((attempt) => ({
    ...attempt,
    isAudited: attempt.state === "rejected" && attempt.isAudited,
    jobs: attempt.state === "accepted" ? attempt.jobs : [],
  })) as fc.Arbitrary<Attempt>;

/** Another attempt is made once the one before has ended. */
const anyAttempts = fc
  .array(anyAttempt, { minLength: 1, maxLength: 3 })
  .map((attempts) =>
    attempts.map((one, at) =>
      one.state === "sending" && at < attempts.length - 1 ? { ...one, state: "absent" as const } : one,
    ),
  );

function viewOf(attempts: readonly Attempt[]) {
  const ids = attempts.map((_, index) => `intent-${index}`);
  const jobs = attempts.flatMap((attempt, index) =>
    attempt.jobs.map((status, at) => {
      const origin = at === 0 ? "answered" : "duplicate";
      return newRecord({ requestId: `job-${index}-${at}`, status, priceMicroUsd: PRICE, submittedAtMs: 0, origin });
    }),
  );
  const intents = attempts.map(({ state, jobs: own, refusedWith, isAudited }, index) =>
    makeIntent({
      intentId: `intent-${index}`,
      state,
      priceMicroUsd: PRICE,
      requestIds: own.map((_, at) => `job-${index}-${at}`),
      refusal: state === "rejected" ? { status: refusedWith, message: "No." } : undefined,
      auditDueAtMs: isAudited ? 1 : undefined,
    }),
  );
  const item: BatchItem = {
    id: "item",
    groupId: "group",
    request: { model: "lumen", payload: {} },
    priceMicroUsd: PRICE,
    intentId: ids.at(-1) ?? "",
    ...(ids.length > 1 ? { earlierIntentIds: ids.slice(0, -1) } : {}),
  };
  return viewItem(item, indexSent(intents, jobs));
}

/** By hand: what the service has charged for certain, and what it may have charged at most. */
function charges(attempts: readonly Attempt[]) {
  let certain = 0;
  let most = 0;
  for (const attempt of attempts) {
    const own = attempt.jobs.filter((status) => status !== "failed").length;
    const [first = "failed"] = attempt.jobs;
    certain += first === "failed" || isRefundUnknown(first) ? 0 : PRICE;
    const isOpen = attempt.state === "absent" || attempt.state === "unconfirmed" || attempt.isAudited;
    most += own * PRICE + (isOpen ? PRICE : 0);
  }
  return { certain, most };
}

describe("the charge of a run with several attempts", () => {
  test("is never denied or made smaller while one of them may be charged, and no refund is said that is not promised", () => {
    fc.assert(
      fc.property(anyAttempts, (attempts) => {
        const view = viewOf(attempts);
        const words = itemCharge(view);
        const { certain, most } = charges(attempts);
        const amounts = [...(words ?? "").matchAll(/\$(\d+\.\d+)/g)].map(([, dollars]) =>
          Math.round(Number(dollars) * 1e6),
        );
        const isRefund = words?.startsWith("Refunded") || words?.startsWith("Any charge is refunded");
        const said = amounts.reduce((sum, one) => sum + one, 0);
        if (most > 0) {
          expect(said).toBe(most);
          expect(isRefund).not.toBe(true);
          expect(isNotCharged(view)).toBe(false);
        } else expect(words ?? "").not.toMatch(/^(Charged|You may have been charged)/);
        if (certain > 0) expect(words).toMatch(/^Charged \$/);
        if (isRefund)
          expect(attempts.some(({ jobs, state }) => jobs.includes("failed") || state === "rejected")).toBe(true);
      }),
      { numRuns: Number(process.env.CASES ?? 1000) },
    );
  });

  test.each<[string, Partial<Attempt>[], string | undefined]>([
    ["refused", [{ state: "rejected" }], "Not charged: the service rejected this job."],
    [
      "refused after every provider was tried",
      [{ state: "rejected", refusedWith: 502 }],
      "Any charge is refunded in full.",
    ],
    [
      "refused, and the list is checked again",
      [{ state: "rejected", isAudited: true }],
      "You may have been charged $0.01.",
    ],
    [
      "refused after one without a reply",
      [{ state: "absent" }, { state: "rejected" }],
      "You may have been charged $0.01.",
    ],
    ["waiting after one that failed", [{ jobs: ["failed"] }, { state: "not-sent" }], "Refunded $0.01"],
    ["on its way", [{ state: "sending" }], undefined],
    [
      "on its way after one without a reply",
      [{ state: "absent" }, { state: "sending" }],
      "You may have been charged $0.01.",
    ],
    ["cancelled", [{ jobs: ["cancelled"] }], "Charged $0.01 · refund unknown"],
    ["failed, and its duplicate is done", [{ jobs: ["failed", "success"] }], "You may have been charged $0.01."],
    [
      "done after one that was cancelled",
      [{ jobs: ["cancelled"] }, { jobs: ["success"] }],
      "Charged $0.02 · refund unknown",
    ],
  ])("%s", (_name, attempts, words) => {
    const whole = attempts.map(
      (attempt) => ({ state: "accepted", refusedWith: 400, isAudited: false, jobs: [], ...attempt }) as Attempt,
    );
    expect(itemCharge(viewOf(whole))).toBe(words);
    if (words?.includes("$") && !words.startsWith("Refunded"))
      expect(words).toContain(formatMicroUsd(PRICE * (words.includes("0.02") ? 2 : 1)));
  });
});

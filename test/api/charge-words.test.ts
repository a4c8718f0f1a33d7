import { expect, it } from "vitest";
import { attemptsCharge, duplicateCharge, endCharge, jobCharge, runCharge } from "#api/charge-words.ts";

// Spec 3: charged when it is accepted, refunded in full when it failed; of other ends nothing is promised.
it.each([
  ["queued", 40_000, "Charged $0.04", undefined],
  ["some_day", 40_000, "Charged $0.04", undefined],
  ["success", 40_000, "Charged $0.04", undefined],
  ["success", undefined, undefined, undefined],
  ["failed", 40_000, "Refunded $0.04", "Refunded $0.04."],
  ["failed", undefined, "Refunded in full", "Refunded in full."],
  [
    "cancelled",
    40_000,
    "Charged $0.04 · refund unknown",
    "The service doesn’t say whether this job was refunded. Assume you were charged $0.04.",
  ],
  ["cancelled", undefined, "Refund unknown", "The service doesn’t say whether this job was refunded."],
  [
    "timed_out",
    13_000,
    "Charged $0.013 · refund unknown",
    "The service doesn’t say whether this job was refunded. Assume you were charged $0.013.",
  ],
  [
    "gone",
    13_000,
    "Charged $0.013 · refund unknown",
    "The service doesn’t say whether this job was refunded. Assume you were charged $0.013.",
  ],
])("a job that is %s at %s: %s", (status, priceMicroUsd, short, sentence) => {
  expect(jobCharge({ status, priceMicroUsd })).toBe(short);
  expect(endCharge({ status, priceMicroUsd })).toBe(sentence);
});

it.each([
  ["sending", "$0.04 if accepted", "You’re charged when the service accepts the run"],
  ["retrying", "$0.04 if accepted", "You’re charged when the service accepts the run"],
  ["unconfirmed", "You may have been charged $0.04", "Checking with the service…"],
  ["absent", "You may have been charged $0.04", "If the job appears, it will be in History"],
  ["accepted", "Charged $0.04", "Refunded in full if the job fails"],
] as const)("a run that is %s: %s", (progress, amount, rule) => {
  expect(runCharge(40_000, progress)).toEqual({ amount, rule });
});

const NOTHING = { charged: 0, refunded: 0, refundUnknown: 0, possible: 0 };
it.each([
  ["no attempt with a job", NOTHING, undefined],
  ["one that runs or is done", { charged: 40_000 }, "Charged $0.04"],
  ["one that failed", { charged: 40_000, refunded: 40_000 }, "Refunded $0.04"],
  ["two that failed", { charged: 80_000, refunded: 80_000 }, "Refunded $0.08"],
  ["one that failed, one that is done", { charged: 80_000, refunded: 40_000 }, "Charged $0.04"],
  ["one that was cancelled", { charged: 40_000, refundUnknown: 40_000 }, "Charged $0.04 · refund unknown"],
  [
    "one that was cancelled, one that failed",
    { charged: 80_000, refunded: 40_000, refundUnknown: 40_000 },
    "Charged $0.04 · refund unknown",
  ],
  ["one without a reply", { possible: 40_000 }, "You may have been charged $0.04."],
  [
    "one without a reply, one that is done",
    { charged: 40_000, possible: 40_000 },
    "Charged $0.04 · $0.04 more unconfirmed",
  ],
  [
    "one that failed, and its duplicate is done",
    { charged: 40_000, refunded: 40_000, possible: 40_000 },
    "You may have been charged $0.04.",
  ],
])("of a run, %s: %s", (_name, money, words) => {
  expect(attemptsCharge({ ...NOTHING, ...money })).toBe(words);
});

it("jobs that appeared beside another may each be a charge", () => {
  expect(duplicateCharge(1, 9000)).toBe("You may have been charged $0.009 for it.");
  expect(duplicateCharge(3, 9000)).toBe("You may have been charged $0.009 for each.");
});

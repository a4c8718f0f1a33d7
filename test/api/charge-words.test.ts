import { expect, it } from "vitest";
import { duplicateCharge, endCharge, jobCharge, runCharge } from "#api/charge-words.ts";

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
  ["cancelled", undefined, undefined, "The service doesn’t say whether this job was refunded."],
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

it("a run is charged once it is accepted, and not before", () => {
  expect(runCharge(40_000, false)).toEqual({
    amount: "$0.04 if accepted",
    rule: "You’re charged when the service accepts the run",
  });
  expect(runCharge(40_000, true)).toEqual({ amount: "Charged $0.04", rule: "Refunded in full if the job fails" });
});

it("jobs that appeared beside another may each be a charge", () => {
  expect(duplicateCharge(1, 9000)).toBe("You may have been charged $0.009 for it.");
  expect(duplicateCharge(3, 9000)).toBe("You may have been charged $0.009 for each.");
});

import { describe, expect, it } from "vitest";
import { createLedger } from "#sandbox/ledger.ts";

const ada = { key: "sandbox-key", user: "user-ada", organisation: "org" };

describe("the ledger", () => {
  it("takes a charge of exactly what is left, and not a micro-USD more", () => {
    const ledger = createLedger(100);
    ledger.charge(ada, "first", 100, 0);
    expect(ledger.balance("org")).toBe(0);
    expect(() => ledger.charge(ada, "second", 1, 0)).toThrow("Insufficient credits");
    expect(ledger.entries()).toHaveLength(1);
  });

  it("refunds exactly what was charged, once, and nothing that was not charged (spec 7 rule 4)", () => {
    const ledger = createLedger(100);
    ledger.charge(ada, "first", 33, 0);
    for (const atMs of [1, 2]) ledger.refund("first", atMs);
    ledger.refund("never charged", 3);
    expect(ledger.balance("org")).toBe(100);
    expect(ledger.entries().map(({ kind, amountMicroUsd, atMs }) => [kind, amountMicroUsd, atMs])).toEqual([
      ["charge", 33, 0],
      ["refund", 33, 1],
    ]);
  });
});

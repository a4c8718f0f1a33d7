import { describe, expect, it } from "vitest";
import { createLedger } from "#sandbox/ledger.ts";

const ada = { key: "sandbox-key", user: "user-ada", organisation: "org" };

describe("the ledger", () => {
  it("accepts a charge of the whole balance, and refuses one micro-USD more", () => {
    const ledger = createLedger(100);
    ledger.charge(ada, "first", 100, 0);
    expect(ledger.balance("org")).toBe(0);
    expect(() => ledger.charge(ada, "second", 1, 0)).toThrow("Insufficient credits");
    expect(ledger.entries()).toHaveLength(1);
  });

  // Spec 7 rule 4.
  it("refunds a charge exactly and once, and refunds nothing else", () => {
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

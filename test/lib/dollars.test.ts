import { expect, test } from "vitest";
import { parseDollars } from "#lib/dollars.ts";
import { formatMicroUsd } from "#lib/money.ts";
import fc from "../setup/fc.ts";

test("amounts are read exactly to the micro-USD", () => {
  expect(["20", "0.50", "$1.5", "0.000001", " 3. "].map(parseDollars)).toEqual([
    20_000_000, 500_000, 1_500_000, 1, 3_000_000,
  ]);
  expect(["", "-1", "1,000", "0.0000001", "1e3", "ten", "."].map(parseDollars)).toEqual(Array(7).fill(undefined));
});

test("a written amount is read back unchanged", () => {
  fc.assert(
    fc.property(fc.nat(999_999_999_999), (amount) => {
      expect(parseDollars(formatMicroUsd(amount).replaceAll(",", ""))).toBe(amount);
    }),
  );
});

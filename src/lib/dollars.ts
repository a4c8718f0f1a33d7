import { formatMicroUsd, isMicroUsd, type MicroUsd } from "./money.ts";

/** An amount as a field shows it: "0.50"; empty for none. */
export const amountText = (amount: MicroUsd | undefined) =>
  amount === undefined ? "" : formatMicroUsd(amount).slice(1).replaceAll(",", "");

/** What is wrong with an amount that a person typed; empty means no limit. */
export function checkAmount(text: string): true | string {
  return text.trim() === "" || parseDollars(text) !== undefined || "Enter an amount such as 20 or 0.50";
}

const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d{0,6}))?$/;

/**
 * Reads an amount that a person typed, such as `20`, `0.50` or `$1.5`, as whole micro-USD. No float is involved. Undefined
 * for anything else, an empty text included.
 */
export function parseDollars(text: string): MicroUsd | undefined {
  const found = DOLLARS.exec(text.trim());
  if (!found) return undefined;
  const [, dollars = "0", decimals = ""] = found;
  const amount = Number(dollars) * 1_000_000 + Number(decimals.padEnd(6, "0"));
  return isMicroUsd(amount) ? amount : undefined;
}

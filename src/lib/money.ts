import { LOCALE } from "./numbers.ts";

/** Whole micro-USD: 1,000,000 is one dollar (spec 2, estimate response). Never a fraction. */
export type MicroUsd = number;

const MICRO_PER_DOLLAR = 1_000_000;
/** Made once, when it is first used: making one costs thirty times what its use does, and lists write a price in every row. */
let dollars: Intl.NumberFormat | undefined;

/** Amounts in dollars with the marks of the reader's locale. */
export const dollarFormat = (minimumFractionDigits: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD", minimumFractionDigits, maximumFractionDigits });

/** Whether a value is a price that can be trusted: a whole number of micro-USD, not negative, safe to add. */
export function isMicroUsd(value: unknown): value is MicroUsd {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Dollars for the screen, exact to the micro-USD: at least two decimals, at most six, no trailing zeros past the second.
 * `140000` is `$0.14`, `35000` is `$0.035`, `1` is `$0.000001`; with the marks of the reader's locale.
 */
export function formatMicroUsd(price: MicroUsd): string {
  dollars ??= dollarFormat(2, 6);
  // As text, since a large amount divided as a number would lose its last decimals.
  return dollars.format(plainDollars(price) as Intl.StringNumericLiteral);
}

/** The same amount for fields and files that programs read: "0.035", with a point whatever the locale. */
export function plainDollars(price: MicroUsd): string {
  const whole = Math.abs(price);
  const decimals = String(whole % MICRO_PER_DOLLAR)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${price < 0 ? "-" : ""}${Math.floor(whole / MICRO_PER_DOLLAR)}.${decimals}`;
}

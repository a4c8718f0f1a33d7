/** Whole micro-USD: 1,000,000 is one dollar (spec 2, estimate response). Never a fraction. */
export type MicroUsd = number;

const MICRO_PER_DOLLAR = 1_000_000;
/** Made once, when it is first used: `toLocaleString` costs thirty times as much, and lists write a price in every row. */
let wholeDollars: Intl.NumberFormat | undefined;

/** Whether a value is a price that can be trusted: a whole number of micro-USD, not negative, safe to add. */
export function isMicroUsd(value: unknown): value is MicroUsd {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Dollars for the screen, exact to the micro-USD: at least two decimals, at most six, no trailing zeros past the second.
 * `140000` is `$0.14`, `35000` is `$0.035`, `1` is `$0.000001`.
 */
export function formatMicroUsd(price: MicroUsd): string {
  const sign = price < 0 ? "-" : "";
  const whole = Math.abs(price);
  wholeDollars ??= new Intl.NumberFormat("en-US");
  const dollars = wholeDollars.format(Math.floor(whole / MICRO_PER_DOLLAR));
  const decimals = String(whole % MICRO_PER_DOLLAR)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${sign}$${dollars}.${decimals}`;
}

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

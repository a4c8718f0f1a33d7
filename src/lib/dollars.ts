import { isMicroUsd, type MicroUsd, plainDollars } from "./money.ts";
import { formatDecimals, LOCALE } from "./numbers.ts";

/** What stands between dollars and cents where the reader lives. */
const DECIMAL_MARK =
  new Intl.NumberFormat(LOCALE).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** An amount as a field shows it: "0.50", or "0,50" where that is how it is written; empty for none. */
export const amountText = (amount: MicroUsd | undefined) =>
  amount === undefined ? "" : plainDollars(amount).replace(".", DECIMAL_MARK);

/** What is said of a text that is no amount. */
export const NO_AMOUNT = `Enter an amount such as 20 or ${formatDecimals(0.5, 2)}.`;

/** What is wrong with an amount that a person typed; empty means no limit. */
export function checkAmount(text: string): true | string {
  return text.trim() === "" || parseDollars(text) !== undefined || NO_AMOUNT;
}

// No mark between thousands: "1,500" is fifteen hundred to one reader and one and a half to the next.
const DOLLARS = new RegExp(`^\\$?\\s*(\\d{1,9})(?:[.${DECIMAL_MARK}](\\d{0,6}))?$`);

/**
 * Reads an amount that a person typed, such as `20`, `0.50` or `$1.5`, as whole micro-USD. The decimals stand behind a
 * point or the reader's own mark. No float is involved. Undefined for anything else, an empty text included.
 */
export function parseDollars(text: string): MicroUsd | undefined {
  const found = DOLLARS.exec(text.trim());
  if (!found) return undefined;
  const [, dollars = "0", decimals = ""] = found;
  const amount = Number(dollars) * 1_000_000 + Number(decimals.padEnd(6, "0"));
  return isMicroUsd(amount) ? amount : undefined;
}

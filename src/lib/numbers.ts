/**
 * Where the reader lives, as the browser says it: the marks of numbers, amounts and dates follow it, the words stay
 * English. The host and the tests of rules write for no reader and take "en-US", whatever their machine is set to.
 */
export const LOCALE = knownLocale(globalThis.document?.defaultView?.navigator.language);

/** Some systems give a name that is no locale, such as "en-US@posix", which every formatter would refuse with an error. */
function knownLocale(name = "en-US"): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}

// Each is made once, when it is first used: `toLocaleString` costs thirty times as much, and lists write a number in every row.
let number: Intl.NumberFormat | undefined;
let compact: Intl.NumberFormat | undefined;
const withDecimals = new Map<number, Intl.NumberFormat>();

/** A number for the screen: "1,284". At most three decimals. */
export function formatNumber(value: number): string {
  number ??= new Intl.NumberFormat(LOCALE);
  return number.format(value);
}

/** A number of which the size is enough: "6.2M". */
export function formatCompact(value: number): string {
  compact ??= new Intl.NumberFormat(LOCALE, { notation: "compact", maximumSignificantDigits: 3 });
  return compact.format(value);
}

/** A number with as many decimals as are asked for, zeros too: "6.20". */
export function formatDecimals(value: number, decimals: number): string {
  let format = withDecimals.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    withDecimals.set(decimals, format);
  }
  return format.format(value);
}

/** A number and its noun: "1 job", "1,284 jobs". Every counted noun of the screen is written here. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

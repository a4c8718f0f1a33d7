import { findNamed, plainName } from "#lib/find-value.ts";
import { formatMicroUsd, isMicroUsd } from "#lib/money.ts";
import { asLooseNumber, isRecord, type JsonRecord } from "#lib/read.ts";

/** Words for amounts of money: as a unit they say in what a price is counted, not what it is for. */
const CURRENCY =
  /^(micro_?usd|usd_?micros?|micros?|micro_?dollars?|us?d|us_?dollars?|dollars?|\$|usd_?cents?|cents?|credits?|points?|coins?|eur|gbp|jpy|cny|rmb|krw|inr)$/i;

/** Fewer micro-USD than a tenth of a cent: a number so small may as well be dollars. */
const MIN_MICRO = 1000;

/**
 * The price that a model's detail says, in words such as "$0.035 per image". An amount counts as micro-USD (spec 2) only
 * where nothing else is said and it can be nothing else; an amount in an unknown unit is shown as it came, without a currency.
 * Undefined where no price is said.
 */
export function priceWords(info: unknown, around?: unknown): string | undefined {
  if (Array.isArray(info)) return lowestOf(info);
  if (!isRecord(info))
    return amountWords(info, isRecord(around) ? textUnder(around, ["currency"]) : undefined, undefined);
  const words = textUnder(info, ["details", "summary", "display", "text", "description", "formatted"]);
  const unit = textUnder(info, ["unit", "per", "billing_unit", "unit_name", "pricing_type", "type"]);
  // "USD" in cents is cents.
  const isFiner = unit !== undefined && /^(usd_?)?(cents?|micros?|micro_?usd)$/i.test(unit);
  const said = textUnder(info, ["currency", "currency_code"]);
  const currency = (isFiner ? undefined : said) ?? (unit && CURRENCY.test(unit) ? unit : undefined);
  const isAmount = (value: unknown) => typeof value === "number" || typeof value === "string";
  const given = findNamed(info, ["price", "amount", "value", "cost", "unit_price", "base_price"], {
    depth: 1,
    accept: isAmount,
  })?.value;
  if (given !== undefined) return amountWords(given, currency, unit);
  const key = Object.keys(info).find(
    (name) => /^per./.test(plainName(name)) && asLooseNumber(info[name]) !== undefined,
  );
  return key === undefined ? words : amountWords(info[key], currency, key);
}

function textUnder(source: JsonRecord, names: readonly string[]): string | undefined {
  const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
  const found = findNamed(source, names, { depth: 1, accept: isText })?.value;
  return typeof found === "string" ? found : undefined;
}

function amountWords(given: unknown, currency: string | undefined, unit: string | undefined): string | undefined {
  const per = unitWords(unit);
  const amount = asLooseNumber(given);
  if (amount === undefined)
    return typeof given === "string" && given.trim() !== "" ? `${given.trim()}${per}` : undefined;
  if (amount < 0) return undefined;
  const micro = microUsd(amount, currency?.trim());
  if (micro !== undefined) return `${formatMicroUsd(micro)}${per}`;
  return currency === undefined || /micro|usd|cent|dollar|\$/i.test(currency)
    ? `${given}${per} (unknown currency)`
    : `${given} ${/^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : currency.toLowerCase()}${per}`;
}

/** The amount in micro-USD where that is sure. */
function microUsd(amount: number, currency: string | undefined): number | undefined {
  if (currency === undefined) return isMicroUsd(amount) && (amount >= MIN_MICRO || amount === 0) ? amount : undefined;
  if (/micro/i.test(currency)) return isMicroUsd(amount) ? amount : undefined;
  const factor = /^(us?d|us_?dollars?|dollars?|\$)$/i.test(currency)
    ? 1_000_000
    : /^(usd_?)?cents?$/i.test(currency)
      ? 10_000
      : 0;
  const micro = Math.round(amount * factor);
  return factor > 0 && isMicroUsd(micro) ? micro : undefined;
}

/** ` per image` for `image`, `per_image`, `1 image`, `/ image`; nothing for a currency or a price that is flat. */
function unitWords(unit: string | undefined): string {
  const words = (unit ?? "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase()
    .replace(/^(usd|\$)?\s*\//, "")
    .replace(/^(price |priced |billed )?(per|an?|each|every)\b/, "")
    .trim()
    .replace(/^1\s+/, "");
  const isNone = words === "" || CURRENCY.test(words.replaceAll(" ", "_"));
  return isNone || /^(flat|fixed|one time|static|standard|free|paid|usage|dynamic)\b/.test(words)
    ? ""
    : ` per ${words}`;
}

/** "from" the lowest of several prices, where all are in dollars. */
function lowestOf(list: readonly unknown[]): string | undefined {
  const all = list.slice(0, 100).map((item) => priceWords(item));
  if (all.length === 0 || !all.every((words) => words?.startsWith("$"))) return undefined;
  const dollars = (words = "") => Number(words.slice(1).replaceAll(",", "").split(" ")[0]);
  const lowest = all.reduce((least, words) => (dollars(words) < dollars(least) ? words : least));
  return all.length === 1 ? lowest : `from ${lowest}`;
}

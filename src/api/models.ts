import { findNamed, findText, plainName, sameName } from "#lib/find-value.ts";
import { formatMicroUsd, isMicroUsd } from "#lib/money.ts";
import { asLooseNumber, isRecord, type JsonRecord, ownString } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import type { ModelDetail, TextModel } from "./types.ts";

/**
 * Ids of the generation models (spec 2): `{model_ids}` or the older `{models}`, strings or objects, each once. Throws
 * `UnreadableAnswerError` where the answer holds no list; a list that is null is an empty one.
 */
export function readModelIds(raw: unknown): string[] {
  return readEntries(raw, ["model_ids", "models", "data"]).map((entry) => entry.id);
}

/**
 * The text catalogue of GET /v1/models (spec 4.2: shape not shown): `{data: [{id}]}`, strings or bare, each id once.
 * Throws `UnreadableAnswerError` where the answer holds no list; a list that is null is an empty one.
 */
export function readTextModels(raw: unknown): TextModel[] {
  return readEntries(raw, ["data", "models", "model_ids"]);
}

/** Names of the records in which an answer may put a model. */
const ENVELOPES = [
  "model",
  "data",
  "result",
  "response",
  "attributes",
  "item",
  "detail",
  "details",
  "latest_version",
  "info",
  "payload",
  "spec",
  "modeldescription",
];

/**
 * Reads a generation model (spec 2: structure not shown): what is shown of it, found under any usual name, in any
 * spelling and inside any of `ENVELOPES`. The whole answer is passed on in `raw`: `schema-form/` finds the parameters.
 * Throws `UnreadableAnswerError` where the answer is neither an object nor a list with one.
 */
export function readModelDetail(raw: unknown, id: string): ModelDetail {
  if (!isRecord(raw) && !(Array.isArray(raw) && raw.some(isRecord))) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The response is not a model." });
  }
  const find = (...names: string[]) => findText(raw, names, { into: ENVELOPES, depth: 5 });
  const name = find("display_name", "title", "name");
  return {
    id,
    name: name === undefined || sameName(name, id) ? undefined : visibleLine(name, 120),
    type: mediaType(raw),
    description: shownText(
      find("brief_description", "description", "summary", "short_description", "detailed_description"),
    ),
    priceText: shownText(priceText(raw)),
    raw,
  };
}

const TYPE_NAMES = ["model_type", "modality", "output_type", "media_type", "modalities", "category", "task", "type"];

/** What a model makes: `image`, `video` or `audio` where its words say so, else the service's word. */
function mediaType(raw: unknown): string | undefined {
  const isWord = (value: unknown) => typeof value === "string" && value.trim() !== "" && !/^models?$/i.test(value);
  const accept = (value: unknown) => isWord(value) || (typeof value === "object" && value !== null);
  const found = findNamed(raw, TYPE_NAMES, { into: ENVELOPES, depth: 5, accept })?.value;
  const made = isRecord(found) ? findNamed(found, ["output", "outputs", "to", "type"], { depth: 0 })?.value : found;
  const word = [made].flat().find(isWord);
  if (typeof word !== "string") return undefined;
  // The last word counts: "image to video" makes a video.
  const kinds = word.toLowerCase().match(/image|picture|photo|video|movie|audio|speech|music|sound|voice/g);
  const kind = kinds?.at(-1);
  if (kind === undefined) return visibleLine(word.toLowerCase(), 60);
  if (/image|picture|photo/.test(kind)) return "image";
  return /video|movie/.test(kind) ? "video" : "audio";
}

/** A service's words for the screen only, at most 2000 characters. */
const shownText = (words: string | undefined) => (words === undefined ? undefined : visibleLine(words, 2000));

/** Free text where the service gives it, else the price that a price object or number says. */
function priceText(raw: unknown): string | undefined {
  const options = { into: ENVELOPES, depth: 5 };
  const words = findText(raw, ["pricing_details", "price_text", "price_description", "pricing_text"], options);
  if (words !== undefined) return words;
  const info = findNamed(raw, ["price_info", "pricing", "price", "cost", "price_details"], options)?.value;
  return info === undefined ? undefined : priceWords(info, raw);
}

function readEntries(raw: unknown, keys: readonly string[]): TextModel[] {
  const list = listIn(raw, keys);
  if (list === undefined) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The response is not a list of models." });
  }
  const models = new Map<string, TextModel>();
  for (const entry of list) {
    const record: JsonRecord = isRecord(entry) ? entry : { id: entry };
    const id = idOf(record);
    if (id !== undefined && !models.has(id)) models.set(id, { id, raw: record });
  }
  return [...models.values()];
}

/** Further names of a list of models, and names of the records in which such a list may stand. */
const LISTS = ["items", "results", "list", "entries", "modelList", "modelIds"];
const AROUND = ["data", "result", "response", "payload", "body", "models"];
const MAX_LIST_DEPTH = 4;

/**
 * The list of models in an answer: bare, under a name, in an envelope, or a record of them by id. A list that is null is empty.
 */
function listIn(raw: unknown, keys: readonly string[], depth = 0): unknown[] | undefined {
  if (Array.isArray(raw))
    return raw.length === 0 || raw.some((entry) => !isRecord(entry) || idOf(entry)) ? raw : undefined;
  if (!isRecord(raw) || depth > MAX_LIST_DEPTH) return undefined;
  const named = (names: readonly string[]) =>
    Object.keys(raw).filter((key) => names.some((name) => sameName(key, name)));
  // In the order of `keys`, and not of the answer.
  const listKeys = [...keys.flatMap((key) => named([key])), ...named(LISTS)];
  for (const key of listKeys) {
    const value = raw[key];
    const list = Array.isArray(value) ? listIn(value, keys, depth + 1) : undefined;
    if (list !== undefined) return list;
  }
  for (const key of named(AROUND)) {
    const list = isRecord(raw[key]) ? (listIn(raw[key], keys, depth + 1) ?? byId(key, raw[key])) : undefined;
    if (list !== undefined) return list;
  }
  return listKeys.some((key) => raw[key] === null) ? [] : undefined;
}

/** Models by their ids, `{models: {"a": {…}, "b": {…}}}`, as a list. */
function byId(name: string, record: JsonRecord): unknown[] | undefined {
  const entries = Object.entries(record);
  if (!sameName(name, "models") || entries.length === 0 || !entries.every(([, value]) => isRecord(value)))
    return undefined;
  return entries.map(([id, value]) => ({ ...(value as JsonRecord), id }));
}

function idOf(record: JsonRecord): string | undefined {
  return ownString(record, "id", "model", "model_id", "modelId", "name", "slug");
}

/** Words for amounts of money: as a unit they say in what a price is counted, not what it is for. */
const CURRENCY =
  /^(micro_?usd|usd_?micros?|micros?|micro_?dollars?|us?d|us_?dollars?|dollars?|\$|usd_?cents?|cents?|credits?|points?|coins?|eur|gbp|jpy|cny|rmb|krw|inr)$/i;

/** Fewer micro-USD than a tenth of a cent: a number so small may as well be dollars. */
const MIN_MICRO = 1000;

/**
 * The price that a model's detail says, in words such as "$0.035 per image". An amount counts as micro-USD (spec 2) only
 * where the currency or the unit says so, or where none is named and it can be nothing else. An amount in an unknown unit is
 * shown as it came. Undefined where there is no price.
 */
function priceWords(info: unknown, around?: unknown): string | undefined {
  if (Array.isArray(info)) return lowestOf(info);
  if (!isRecord(info))
    return amountWords(info, isRecord(around) ? textUnder(around, ["currency"]) : undefined, undefined);
  const fallbackWords = textUnder(info, ["details", "summary", "display", "text", "description", "formatted"]);
  const unit = textUnder(info, ["unit", "per", "billing_unit", "unit_name", "pricing_type", "type"]);
  // With the unit "cents", a currency "USD" means cents of it.
  const isFiner = unit !== undefined && /^(usd_?)?(cents?|micros?|micro_?usd)$/i.test(unit);
  const namedCurrency = textUnder(info, ["currency", "currency_code"]);
  const currency = (isFiner ? undefined : namedCurrency) ?? (unit && CURRENCY.test(unit) ? unit : undefined);
  const isAmount = (value: unknown) => typeof value === "number" || typeof value === "string";
  const given = findNamed(info, ["price", "amount", "value", "cost", "unit_price", "base_price"], {
    depth: 1,
    accept: isAmount,
  })?.value;
  if (given !== undefined) return amountWords(given, currency, unit);
  const key = Object.keys(info).find(
    (name) => /^per./.test(plainName(name)) && asLooseNumber(info[name]) !== undefined,
  );
  return key === undefined ? fallbackWords : amountWords(info[key], currency, key);
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

/** The lowest of several prices after the word "from", where all are in dollars. */
function lowestOf(list: readonly unknown[]): string | undefined {
  const all = list.slice(0, 100).map((item) => priceWords(item));
  if (all.length === 0 || !all.every((words) => words?.startsWith("$"))) return undefined;
  const dollars = (words = "") => Number(words.slice(1).replaceAll(",", "").split(" ")[0]);
  const lowest = all.reduce((least, words) => (dollars(words) < dollars(least) ? words : least));
  return all.length === 1 ? lowest : `from ${lowest}`;
}

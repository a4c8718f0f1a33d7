import { formatMicroUsd, isMicroUsd } from "#lib/money.ts";
import { isRecord, type JsonRecord, ownString } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import type { ModelDetail, TextModel } from "./types.ts";

const SCHEMA_KEYS = ["parameters", "params", "schema", "payload_schema", "input_schema", "request_schema"];

/**
 * Ids of the generation models (spec 2): `{model_ids}` or the older `{models}`, strings or objects, each once. Throws
 * `UnreadableAnswerError` where the answer holds no list; null is an empty one.
 */
export function readModelIds(raw: unknown): string[] {
  return readEntries(raw, ["model_ids", "models", "data"]).map((entry) => entry.id);
}

/**
 * The text catalogue of GET /v1/models (spec 4.2: shape not shown): `{data: [{id}]}`, strings or bare, each id once.
 * Throws `UnreadableAnswerError` where the answer holds no list; null is an empty one.
 */
export function readTextModels(raw: unknown): TextModel[] {
  return readEntries(raw, ["data", "models", "model_ids"]);
}

/**
 * Reads a generation model (spec 2: structure not shown). The parameter schema is passed on as it came. `id` is used
 * where the answer does not repeat it. Throws `UnreadableAnswerError` where the answer is no object.
 */
export function readModelDetail(raw: unknown, id: string): ModelDetail {
  const record = detailRecord(raw);
  if (record === undefined) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The answer is not a model." });
  }
  const schemaKey = SCHEMA_KEYS.find((key) => record[key] !== undefined && record[key] !== null);
  return {
    id: ownString(record, "model", "id", "model_id") ?? id,
    type: ownString(record, "model_type", "type")?.toLowerCase(),
    description: shownText(ownString(record, "brief_description", "description", "detailed_description")),
    parameters: schemaKey === undefined ? undefined : record[schemaKey],
    priceText: shownText(priceText(record)),
    raw: record,
  };
}

function readEntries(raw: unknown, keys: string[]): TextModel[] {
  const list = Array.isArray(raw) ? raw : isRecord(raw) ? keys.map((key) => raw[key]).find(Array.isArray) : undefined;
  const saysEmpty = isRecord(raw) && keys.some((key) => raw[key] === null);
  if (list === undefined && !saysEmpty) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The answer is not a list of models." });
  }
  const models = new Map<string, TextModel>();
  for (const entry of list ?? []) {
    const record: JsonRecord = isRecord(entry) ? entry : { id: entry };
    const id = ownString(record, "id", "model", "model_id");
    if (id !== undefined && !models.has(id)) models.set(id, { id, raw: record });
  }
  return [...models.values()];
}

function detailRecord(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw)) return undefined;
  for (const key of ["model", "data"]) {
    const inner = raw[key];
    if (isRecord(inner)) return inner;
  }
  return raw;
}

/** Free text where the service gives it, else the price object, whose `price` is micro-USD. */
/** Words that are only shown. */
const shownText = (words: string | undefined) => (words === undefined ? undefined : visibleLine(words, 2000));

function priceText(record: JsonRecord): string | undefined {
  const details = ownString(record, "pricing_details");
  if (details !== undefined) return details;
  const info = record.price_info ?? record.pricing;
  if (!isRecord(info) || !isMicroUsd(info.price)) return undefined;
  const unit = ownString(info, "unit", "pricing_type");
  if (unit === undefined) return formatMicroUsd(info.price);
  return `${formatMicroUsd(info.price)} ${/^(per|a|an)\b/i.test(unit) ? unit : `per ${unit}`}`;
}

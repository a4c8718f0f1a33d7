import { type JsonRecord, sameJson } from "#lib/read.ts";
import { checkPayload } from "../check/check-payload.ts";
import { numberFromText } from "../check/number-text.ts";
import { maxFiles, mediaAddresses, mediaValue } from "../media-value.ts";
import { type Field, type FormSchema, fieldName, type Role } from "../read/field.ts";
import { readRatio } from "../read/options.ts";

interface CarriedValues {
  payload: JsonRecord;
  /** Labels of the fields whose values moved. */
  carried: readonly string[];
  /** Labels of values that have no place in the other model. Values that equal a default are left out. */
  dropped: readonly string[];
}

/** Roles that mean the same in every model. Others are carried only between fields of the same key. */
const SHARED_ROLES: ReadonlySet<Role> = new Set<Role>([
  "prompt",
  "negative-prompt",
  "seed",
  "aspect-ratio",
  "size",
  "resolution",
  "duration",
  "count",
  "image",
  "video",
  "audio",
  "mask",
]);

/** A text or a number as text; undefined for anything else. */
const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Among options the one that means the same: equal, equal as text (`"5"` and 5), or of the same proportions. */
function sameOption(options: readonly { value: unknown }[], value: unknown): unknown {
  const exact = options.find((option) => sameJson(option.value, value));
  if (exact) return exact.value;
  const word = text(value);
  if (word === undefined) return undefined;
  const alike = options.find((option) => text(option.value)?.toLowerCase() === word.toLowerCase());
  if (alike) return alike.value;
  const ratio = readRatio(word);
  return ratio === undefined
    ? undefined
    : options.find((option) => readRatio(text(option.value) ?? "") === ratio)?.value;
}

/** A value as another field writes it; undefined where it means nothing there. */
function translateValue(field: Field, value: unknown): unknown {
  if (value === null) return field.nullable ? null : undefined;
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? value : undefined;
    case "number": {
      const word = text(value);
      const parsed = word === undefined ? undefined : numberFromText(field, word);
      return typeof parsed === "number" || (field.asString && typeof parsed === "string") ? parsed : undefined;
    }
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "choice":
      return sameOption(field.options, value);
    case "media": {
      const addresses = mediaAddresses(value).filter((address) => address !== "");
      return mediaValue(field, addresses.slice(0, maxFiles(field)));
    }
    case "union":
      return field.variants.map((variant) => translateValue(variant, value)).find((variant) => variant !== undefined);
    case "choices":
    case "colour":
    case "group":
    case "list":
    case "tuple":
    case "map":
    case "json":
      return value;
    default:
      return field satisfies never;
  }
}

/** The free field that means the same: of equal key and of equal kind or role, else of equal role. */
function partner(from: Field, to: FormSchema, taken: ReadonlySet<string>): Field | undefined {
  const free = to.fields.filter((field) => !taken.has(field.key));
  const sameKey = free.find(
    (field) => field.key === from.key && (field.kind === from.kind || field.role === from.role),
  );
  if (sameKey) return sameKey;
  return from.role && SHARED_ROLES.has(from.role) ? free.find((field) => field.role === from.role) : undefined;
}

/**
 * The values of one model's payload that mean the same in another: prompt and text, seed, proportions, media of the
 * same kind, and equal keys of equal kind. Only what the new model would accept is carried; the other fields
 * of the old form are named.
 */
export function carryValues(from: FormSchema, payload: JsonRecord, to: FormSchema): CarriedValues {
  const entries: [string, unknown][] = [];
  const carried: string[] = [];
  const dropped: string[] = [];
  const taken = new Set<string>();
  for (const field of from.fields) {
    if (!Object.hasOwn(payload, field.key)) continue;
    const value = payload[field.key];
    const target = partner(field, to, taken);
    const next = target ? translateValue(target, value) : undefined;
    const name = target && fieldName(to.fields.indexOf(target));
    const fits =
      target !== undefined &&
      next !== undefined &&
      !checkPayload(to, Object.fromEntries([[target.key, next]])).some((problem) => problem.name === name);
    if (target && fits) {
      taken.add(target.key);
      entries.push([target.key, next]);
      carried.push(target.label);
    } else if (!sameJson(value, field.defaultValue)) dropped.push(field.label);
  }
  return { payload: Object.fromEntries(entries), carried, dropped };
}

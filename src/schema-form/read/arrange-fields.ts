import { isRecord, type JsonRecord, ownNumber, ownRecord } from "#lib/read.ts";
import type { Field, Role } from "./field.ts";

/**
 * The list of names under any of the known keys: `x-order-properties` or `x-property-order`, with or without a vendor
 * prefix, and similar keys.
 */
function orderList(schema: JsonRecord): readonly string[] {
  for (const [key, value] of Object.entries(schema)) {
    if (!/^(x-([a-z]+-)?order-properties|x-([a-z]+-)?property-order|propertyOrder|ui:order)$/i.test(key)) continue;
    if (Array.isArray(value)) return value.filter((name): name is string => typeof name === "string");
  }
  return [];
}

/** The rank of a property without a number: behind all that have one, however large that is. */
const UNRANKED = Number.POSITIVE_INFINITY;

/**
 * The names of an object's properties in the order to show them: the order list first, then `x-order` by number, then
 * as they come. Names that the list leaves out follow; names that it invents are dropped (in-the-wild
 * 5).
 */
export function orderProperties(schema: JsonRecord): string[] {
  const properties = ownRecord(schema, "properties") ?? {};
  const listed = new Set(orderList(schema).filter((name) => Object.hasOwn(properties, name)));
  const ranks = new Map<string, number>();
  const rest = Object.keys(properties).filter((name) => !listed.has(name));
  for (const name of rest) {
    const property = properties[name];
    const rank = isRecord(property) ? ownNumber(property, "x-order", "propertyOrder", "order", "x-index") : undefined;
    if (rank !== undefined) ranks.set(name, rank);
  }
  // Equal ranks stay in their order: sorting is stable.
  const byRank = (a: string, b: string) => {
    const [first, second] = [ranks.get(a) ?? UNRANKED, ranks.get(b) ?? UNRANKED];
    return first === second ? 0 : first - second;
  };
  return [...listed, ...(ranks.size > 0 ? rest.sort(byRank) : rest)];
}

/** Roles that people set often enough to see at once. */
const MAIN_ROLES: readonly (Role | undefined)[] = [
  "prompt",
  "negative-prompt",
  "image",
  "video",
  "audio",
  "file",
  "mask",
  "count",
  "aspect-ratio",
  "size",
  "resolution",
  "duration",
  "seed",
];

/** Keys of settings that most runs leave at their default: technical ones, and `quality`. */
const TECHNICAL =
  /safety|moderation|sync_?mode|webhook|callback|watermark|response_format|output_format|bitrate|sample_rate|acceleration|scheduler|sampler|tolerance|enable_|disable_|^debug|quality|upsampling|prompt_extend|person_?generation/i;

/** How many other fields stay in sight. */
const IN_SIGHT = 6;

/**
 * Marks as advanced what is not required, has no main role, and is either technical or far down the list.
 */
export function markAdvanced(fields: readonly Field[]): Field[] {
  let shown = 0;
  const marked = fields.map((field) => {
    if (field.required || MAIN_ROLES.includes(field.role)) return field;
    const advanced = shown >= IN_SIGHT || TECHNICAL.test(field.key);
    if (!advanced) shown += 1;
    return { ...field, advanced };
  });
  // A fold that hides one or two fields of a short form costs more than it saves.
  const folded = marked.filter((field) => field.advanced).length;
  return folded <= 2 && fields.length <= 8 ? marked.map((field) => ({ ...field, advanced: false })) : marked;
}

/**
 * Where no field has the role of the prompt yet, be it by its key or because the person chose it, the first text whose
 * key has the word "prompt" in it gets that role.
 */
export function withOneMainPrompt(fields: Field[]): Field[] {
  if (fields.some((field) => field.role === "prompt")) return fields;
  const at = fields.findIndex((field) => field.kind === "text" && !field.role && /prompt/i.test(field.key));
  if (at < 0) return fields;
  return fields.map((field, position) =>
    position === at && field.kind === "text" ? { ...field, role: "prompt", multiline: true } : field,
  );
}

import type { JobRequest } from "#api/types.ts";
import { mediaAddresses } from "#schema-form/controls/media-addresses.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import { payloadKey } from "./estimate-queries.ts";
import { changedKeys } from "./price-dependence.ts";

/** What a parameter does to the price, as far as it was learned. `distrusted`: also whether it is written out counts. */
export type PriceEffect = "moves" | "unmoved" | "distrusted" | undefined;

/** What was learned of prices besides the specification. */
interface Learned {
  effectOf(model: string, key: string): PriceEffect;
  /** Whether a payload with this very value had a price: only then is a choice that was learned not to count left out. */
  hasTold(model: string, key: string, value: unknown): boolean;
}

/** What the service applies of a parameter: what is sent, else its default. Never throws. */
export const effectiveValue = (field: Field, payload: JobRequest["payload"]): unknown =>
  Object.hasOwn(payload, field.key) ? payload[field.key] : field.defaultValue;

const SHAPE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "count",
  "aspect-ratio",
  "size",
  "width",
  "height",
  "resolution",
  "duration",
]);
const FREE_ROLES: ReadonlySet<Role> = new Set<Role>(["prompt", "negative-prompt", "seed"]);

/**
 * Whether prices are assumed to be the same whatever stands in this field: prices are flat per image, or per clip by
 * resolution and duration, never by words (spec 1). Never throws.
 */
export function isFreeOfPrice(field: Field): boolean {
  if (field.role !== undefined && FREE_ROLES.has(field.role)) return true;
  if (field.kind === "media") return field.media === "image";
  const isShape = field.role !== undefined && SHAPE_ROLES.has(field.role);
  return field.kind === "text" && field.suggestions.length === 0 && !isShape;
}

/**
 * One text for all requests that are assumed to cost the same: the model and the payload, defaults filled in, without
 * the parameters that do not move the price. Without a schema every payload stands for itself. Of images their number
 * counts and not what they are. Never throws.
 */
export function priceGroupKey(
  { model, payload }: JobRequest,
  schema: FormSchema | undefined,
  learned: Learned,
): string {
  if (schema === undefined) return payloadKey([model, payload]);
  const parts = [JSON.stringify(model)];
  const add = (key: string, value: unknown) => parts.push(`${JSON.stringify(key)}:${payloadKey(value)}`);
  const listed = new Set<string>();
  for (const field of schema.fields) {
    const { key } = field;
    listed.add(key);
    const value = effectiveValue(field, payload);
    const effect = learned.effectOf(model, key);
    if (effect === "distrusted") {
      if (Object.hasOwn(payload, key)) add(key, value);
      continue;
    }
    if (value === undefined || (value === null && (field.defaultValue ?? null) === null)) continue;
    // What was never asked for may be the one option with a price of its own.
    if (effect === "unmoved" && (field.kind === "number" || learned.hasTold(model, key, value))) continue;
    if (effect !== "moves" && isFreeOfPrice(field)) {
      const files = field.kind === "media" ? mediaAddresses(value).filter((address) => address !== "").length : 0;
      if (files > 0) add(key, files);
      continue;
    }
    add(key, value);
  }
  for (const key of Object.keys(payload).sort()) if (!listed.has(key)) add(key, payload[key]);
  return parts.join("\n");
}

/** Whether nothing is missing that the model requires: only then is a refusal certain to be about something else. */
export function isComplete({ payload }: JobRequest, schema: FormSchema | undefined): boolean {
  return (schema?.fields ?? []).every((field) => {
    if (!field.required || field.conditions !== undefined || field.defaultValue !== undefined) return true;
    const value = payload[field.key];
    return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
  });
}

/** How far two values are apart, so that the row is asked for whose price is likeliest to be another. */
function distance(a: unknown, b: unknown): number {
  if (typeof a === "string" || typeof b === "string") return 1 + Math.abs(lengthOf(a) - lengthOf(b));
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b);
  return 1;
}
const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);

/**
 * Of the candidates the one that best checks what a group assumes: it differs from every told request in most of the
 * parameters that vary in the group and in no told pair yet, and by most. Undefined where nothing is left to be checked.
 * Linear in the candidates. Never throws.
 */
export function rowToCheck<Row extends { request: JobRequest }>(
  told: readonly JobRequest[],
  candidates: Iterable<Row>,
): Row | undefined {
  const [base, ...others] = told;
  if (base === undefined) return undefined;
  const covered = new Set(others.flatMap(({ payload }) => changedKeys(base.payload, payload)));
  let best: { row: Row; count: number; far: number } | undefined;
  for (const row of candidates) {
    const { payload } = row.request;
    const open = changedKeys(base.payload, payload).filter((key) => !covered.has(key));
    if (open.length === 0) continue;
    const far = open.reduce((sum, key) => sum + distance(base.payload[key], payload[key]), 0);
    if (!best || open.length > best.count || (open.length === best.count && far > best.far)) {
      best = { row, count: open.length, far };
    }
  }
  return best?.row;
}

import type { JobRequest } from "#api/types.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import { payloadKey, requestKey } from "../request-key.ts";

/** What the service applies of a parameter: what is sent, else its default. */
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
 * Whether a price stays the same whatever stands in this field: prices are flat per image, or per clip by resolution and
 * duration, never by words (spec 1).
 */
export function isFreeOfPrice(field: Field): boolean {
  if (field.role !== undefined && FREE_ROLES.has(field.role)) return true;
  if (field.kind === "media") return field.media === "image";
  return field.kind === "text" && field.suggestions.length === 0 && !isShape(field);
}

const isShape = ({ role }: Field) => role !== undefined && SHAPE_ROLES.has(role);

export interface PriceKeys {
  /** The same for all requests of a group: the model, and all that counts, defaults filled in. */
  group: string;
  /** The numbers that are taken not to count. */
  numbers: string;
}

/**
 * What the price of a request follows from. Numbers that are no count, size or length of results do not move it (spec 1). Of
 * images their number counts and not what they are. Without a schema every payload stands for itself.
 */
export function priceKeys(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
  if (schema === undefined) return { group: requestKey(request), numbers: "" };
  const { model, payload } = request;
  const group = [JSON.stringify(model)];
  const numbers: string[] = [];
  const listed = new Set<string>();
  for (const field of schema.fields) {
    listed.add(field.key);
    const value = effectiveValue(field, payload);
    if (value === undefined || (value === null && (field.defaultValue ?? null) === null)) continue;
    const name = JSON.stringify(field.key);
    if (!isFreeOfPrice(field)) {
      const into = field.kind === "number" && !isShape(field) ? numbers : group;
      into.push(`${name}:${payloadKey(value)}`);
    } else if (field.kind === "media") {
      const files = mediaAddresses(value).filter((address) => address !== "").length;
      if (files > 0) group.push(`${name}:${files}`);
    }
  }
  for (const key of Object.keys(payload).sort()) {
    if (!listed.has(key)) group.push(`${JSON.stringify(key)}:${payloadKey(payload[key])}`);
  }
  return { group: group.join("\n"), numbers: numbers.join("\n") };
}

/** Whether two payloads of a model surely cost the same (spec 1). */
export function costsTheSame(a: JobRequest, b: JobRequest, schema: FormSchema): boolean {
  const [one, other] = [priceKeys(a, schema), priceKeys(b, schema)];
  return one.group === other.group && one.numbers === other.numbers;
}

import type { JobRequest } from "#api/types.ts";
import { sameJson } from "#lib/read.ts";
import { mediaAddresses } from "#schema-form/controls/media-addresses.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import { payloadKey, requestKey } from "../request-key.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";

/** Requests that cost the same by the rule below, until the service says otherwise. */
export interface PriceGroup {
  key: string;
  model: string;
  /** One request for each payload, in the order of the rows. */
  rows: readonly JobRequest[];
  /** The numbers of a request that by the specification do not count. Where they differ, one price for both is a guess. */
  numbersOf: (request: JobRequest) => string;
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
 * Whether a price stays the same whatever stands in this field: prices are flat per image, or per clip by resolution and
 * duration, never by words (spec 1). Never throws.
 */
export function isFreeOfPrice(field: Field): boolean {
  if (field.role !== undefined && FREE_ROLES.has(field.role)) return true;
  if (field.kind === "media") return field.media === "image";
  return field.kind === "text" && field.suggestions.length === 0 && !isShape(field);
}

const isShape = ({ role }: Field) => role !== undefined && SHAPE_ROLES.has(role);

interface PriceKeys {
  /** The same for all requests of a group: the model, and all that counts, defaults filled in. */
  group: string;
  /** The numbers that are taken not to count. */
  numbers: string;
}

/**
 * What the price of a request follows from. Numbers do not count where they are no number, size or length of results (spec
 * 1). Of images their number counts and not what they are. Without a schema every payload stands for itself.
 */
function priceKeys(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
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

/** Whether two payloads of a model surely cost the same (spec 1). Never throws. */
export function costsTheSame(a: JobRequest, b: JobRequest, schema: FormSchema): boolean {
  const [one, other] = [priceKeys(a, schema), priceKeys(b, schema)];
  return one.group === other.group && one.numbers === other.numbers;
}

/** A list of rows changes one by one: the keys of the others are known. */
const knownKeys = new WeakMap<JobRequest, { schema: FormSchema | undefined; keys: PriceKeys }>();

function keysOf(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
  const known = knownKeys.get(request);
  if (known !== undefined && known.schema === schema) return known.keys;
  const keys = priceKeys(request, schema);
  knownKeys.set(request, { schema, keys });
  return keys;
}

/**
 * The price groups of some requests, in their order. Requests whose model is still loading are in none; where a model cannot
 * be read, every payload is a group of its own. `countsNumbers`: numbers move the price, so that nothing is a guess. Never throws.
 */
export function priceGroups(
  requests: readonly JobRequest[],
  schemas: ModelSchemas,
  countsNumbers = false,
): PriceGroup[] {
  const groups = new Map<string, { model: string; schema: FormSchema | undefined; rows: Map<string, JobRequest> }>();
  for (const request of requests) {
    const model = schemas.get(request.model);
    if (model === undefined || model.state === "loading") continue;
    const schema = model.state === "ready" ? model.schema : undefined;
    const { group: rest, numbers } = keysOf(request, schema);
    const key = countsNumbers ? `${rest}\n${numbers}` : rest;
    const group = groups.get(key) ?? { model: request.model, schema, rows: new Map() };
    groups.set(key, group);
    const row = requestKey(request);
    if (!group.rows.has(row)) group.rows.set(row, request);
  }
  return [...groups].map(([key, { model, schema, rows }]) => ({
    key,
    model,
    rows: [...rows.values()],
    numbersOf: (request) => keysOf(request, schema).numbers,
  }));
}

const knownChecks = new WeakMap<PriceGroup, { base: JobRequest; count: number; rows: readonly JobRequest[] }>();

/**
 * The rows that show whether a group is right: as few of `able` as cover every parameter that differs from `base`, whose price
 * is known, and of those the ones that differ by most. `able` are the rows of the group that the service does not refuse.
 * Empty where nothing differs. Never throws.
 */
export function rowsToCheck(group: PriceGroup, base: JobRequest, able: readonly JobRequest[]): readonly JobRequest[] {
  const known = knownChecks.get(group);
  if (known?.base === base && known.count === able.length && known.rows.every((row) => able.includes(row)))
    return known.rows;
  const candidates = able.map((row) => ({ row, keys: changedKeys(base.payload, row.payload) }));
  const open = new Set(candidates.flatMap(({ keys }) => keys));
  const rows: JobRequest[] = [];
  while (open.size > 0) {
    let best: { at: number; count: number; far: number } | undefined;
    candidates.forEach(({ row: { payload }, keys }, at) => {
      const own = keys.filter((key) => open.has(key));
      if (own.length === 0 || own.length < (best?.count ?? 0)) return;
      const far = own.reduce((sum, key) => sum + distance(base.payload[key], payload[key]), 0);
      if (!best || own.length > best.count || far > best.far) best = { at, count: own.length, far };
    });
    const chosen = best && candidates[best.at];
    if (!chosen) break;
    rows.push(chosen.row);
    for (const key of chosen.keys) open.delete(key);
  }
  knownChecks.set(group, { base, count: able.length, rows });
  return rows;
}

/** The top-level keys in which two payloads differ. */
function changedKeys(a: JobRequest["payload"], b: JobRequest["payload"]): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !sameJson(a[key], b[key]));
}

/** How far two values are apart: the farther, the likelier the price is another. */
function distance(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b);
  if (typeof a === "string" || typeof b === "string") return 1 + Math.abs(lengthOf(a) - lengthOf(b));
  return 1;
}
const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);

import type { JobRequest } from "#api/types.ts";
import { sameJson } from "#lib/read.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { requestKey } from "../request-key.ts";
import { type PriceKeys, priceKeys } from "./estimate-queries.ts";

/** Requests that cost the same by the rule of prices, until the service says otherwise. */
export interface PriceGroup {
  key: string;
  model: string;
  /** One request for each payload, in the order of the rows. */
  rows: readonly JobRequest[];
  /** The numbers of a request that by the specification do not count. Where they differ, one price for both is a guess. */
  numbersOf: (request: JobRequest) => string;
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
 * be read, every payload is a group of its own. `countsNumbers`: numbers move the price, so that nothing is a guess.
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
 * Empty where nothing differs.
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

import type { JsonRecord } from "#lib/json.ts";
import { sameJson } from "../read/same-json.ts";
import { type CheckContext, type Issue, type JsonPath, own } from "./check-context.ts";
import { checkCount } from "./check-value.ts";

function checkItems(context: CheckContext, schema: JsonRecord, value: readonly unknown[], path: JsonPath): Issue[] {
  const prefix = own(schema, "prefixItems");
  const items = own(schema, "items");
  const fixed = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : [];
  // Draft 7 wrote the tuple under `items` and the rest under `additionalItems`.
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  return value.flatMap((item, position) => {
    const part = position < fixed.length ? fixed[position] : rest;
    return part === undefined ? [] : context.check(part, item, [...path, position]);
  });
}

function checkContains(context: CheckContext, schema: JsonRecord, value: readonly unknown[], path: JsonPath): Issue[] {
  const contains = own(schema, "contains");
  if (contains === undefined) return [];
  const found = value.filter((item, at) => context.check(contains, item, [...path, at]).length === 0).length;
  const least = own(schema, "minContains");
  const most = own(schema, "maxContains");
  const issues: Issue[] = [];
  if (found < (typeof least === "number" ? least : 1)) issues.push({ path, keyword: "contains", schema });
  if (typeof most === "number" && found > most) issues.push({ path, keyword: "maxContains", schema });
  return issues;
}

export function checkArray(
  context: CheckContext,
  schema: JsonRecord,
  value: readonly unknown[],
  path: JsonPath,
): Issue[] {
  const issues = [...checkItems(context, schema, value, path), ...checkContains(context, schema, value, path)];
  checkCount(schema, value, (keyword) => issues.push({ path, keyword, schema }));
  if (own(schema, "uniqueItems") === true) {
    const again = value.findIndex((item, position) => value.slice(0, position).some((other) => sameJson(other, item)));
    if (again >= 0) issues.push({ path: [...path, again], keyword: "uniqueItems", schema });
  }
  return issues;
}

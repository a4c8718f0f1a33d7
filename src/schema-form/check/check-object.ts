import { isRecord, type JsonRecord } from "#lib/json.ts";
import { type CheckContext, type Issue, type JsonPath, own } from "./check-context.ts";

function checkKeys(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const properties = own(schema, "properties");
  const patterns = own(schema, "patternProperties");
  const rest = own(schema, "additionalProperties");
  const names = own(schema, "propertyNames");
  for (const [key, item] of Object.entries(value)) {
    let known = false;
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      known = true;
      issues.push(...context.check(properties[key], item, [...path, key]));
    }
    for (const [pattern, part] of isRecord(patterns) ? Object.entries(patterns) : []) {
      // Without a way to run patterns every key may be meant: nothing is called unknown.
      if (!context.testPattern) known = true;
      else if (context.testPattern(pattern, key)) {
        known = true;
        issues.push(...context.check(part, item, [...path, key]));
      }
    }
    if (!known && rest !== undefined) {
      if (rest === false) issues.push({ path, keyword: "additionalProperties", schema, key });
      else issues.push(...context.check(rest, item, [...path, key]));
    }
    if (names !== undefined && context.check(names, key, [...path, key]).length > 0) {
      issues.push({ path, keyword: "propertyNames", schema, key });
    }
  }
  return issues;
}

function checkDependent(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"] as const) {
    const rules = own(schema, keyword);
    if (!isRecord(rules)) continue;
    for (const [trigger, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(value, trigger)) continue;
      if (!Array.isArray(rule)) issues.push(...context.check(rule, value, path));
      else {
        const missing = rule.filter((key): key is string => typeof key === "string" && !Object.hasOwn(value, key));
        for (const key of missing) issues.push({ path, keyword: "dependentRequired", schema: { trigger }, key });
      }
    }
  }
  return issues;
}

export function checkObject(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const required = own(schema, "required");
  for (const key of Array.isArray(required) ? required : []) {
    if (typeof key === "string" && !Object.hasOwn(value, key)) issues.push({ path, keyword: "required", schema, key });
  }
  issues.push(...checkKeys(context, schema, value, path), ...checkDependent(context, schema, value, path));
  const count = Object.keys(value).length;
  const least = own(schema, "minProperties");
  const most = own(schema, "maxProperties");
  if (typeof least === "number" && count < least) issues.push({ path, keyword: "minProperties", schema });
  if (typeof most === "number" && count > most) issues.push({ path, keyword: "maxProperties", schema });
  return issues;
}

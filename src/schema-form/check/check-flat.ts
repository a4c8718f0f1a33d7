import { isRecord, type JsonRecord } from "#lib/json.ts";
import { type Issue, own } from "./check-context.ts";
import { checkCount, checkValue, typeMatches } from "./check-value.ts";

/**
 * What `checkJson` says of a payload when its schema is flat: an object of simple values, as `readFlat` gives. It holds
 * none of what structured schemas need, which keeps the first load small.
 */
export function checkFlat(schema: JsonRecord, payload: JsonRecord): Issue[] {
  const required = own(schema, "required");
  const properties = own(schema, "properties");
  const names = Array.isArray(required) ? required : [];
  const issues: Issue[] = names
    .filter((key): key is string => typeof key === "string" && !Object.hasOwn(payload, key))
    .map((key) => ({ path: [], keyword: "required", schema, key }));
  for (const [key, value] of Object.entries(payload)) {
    const property = isRecord(properties) ? own(properties, key) : undefined;
    if (!isRecord(property)) continue;
    const fail = (keyword: string) => issues.push({ path: [key], keyword, schema: property });
    if (!typeMatches(property.type, value)) fail("type");
    checkValue(property, value, fail);
    if (Array.isArray(value)) checkCount(property, value, fail);
  }
  return issues;
}

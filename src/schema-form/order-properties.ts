import { isRecord, type JsonRecord } from "#lib/json.ts";
import { ownNumber, ownRecord } from "./own-value.ts";

/** Lists of names under any of the known keys: `x-order-properties`, with or without a maker's word in it, and their kin. */
function orderList(schema: JsonRecord): readonly string[] {
  for (const [key, value] of Object.entries(schema)) {
    if (!/^(x-([a-z]+-)?order-properties|x-([a-z]+-)?property-order|propertyOrder|ui:order)$/i.test(key)) continue;
    if (Array.isArray(value)) return value.filter((name): name is string => typeof name === "string");
  }
  return [];
}

/**
 * The names of an object's properties in the order to show them: the order list first, then `x-order` by number, then
 * as they come. Names that the list leaves out follow; names that it invents are dropped (in-the-wild 5).
 */
export function orderProperties(schema: JsonRecord): string[] {
  const properties = ownRecord(schema, "properties") ?? {};
  const listed = orderList(schema).filter((name) => Object.hasOwn(properties, name));
  const rank = (name: string) => {
    const property = properties[name];
    return isRecord(property) ? (ownNumber(property, "x-order", "propertyOrder", "order", "x-index") ?? 999) : 999;
  };
  const rest = Object.keys(properties)
    .filter((name) => !listed.includes(name))
    .map((name, position) => ({ name, position, rank: rank(name) }))
    .sort((a, b) => a.rank - b.rank || a.position - b.position)
    .map((entry) => entry.name);
  return [...new Set([...listed, ...rest])];
}

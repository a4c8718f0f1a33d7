import { isRecord, type JsonRecord, ownNumber, ownRecord } from "#lib/read.ts";

/** Lists of names under any of the known keys: `x-order-properties`, with or without a maker's word in it, and their kin. */
function orderList(schema: JsonRecord): readonly string[] {
  for (const [key, value] of Object.entries(schema)) {
    if (!/^(x-([a-z]+-)?order-properties|x-([a-z]+-)?property-order|propertyOrder|ui:order)$/i.test(key)) continue;
    if (Array.isArray(value)) return value.filter((name): name is string => typeof name === "string");
  }
  return [];
}

/** Where a property without a number stands: behind those that have one. */
const UNRANKED = 999;

/**
 * The names of an object's properties in the order to show them: the order list first, then `x-order` by number, then
 * as they come. Names that the list leaves out follow; names that it invents are dropped (in-the-wild 5).
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
  // Equal ranks stay as they come: sorting keeps their order.
  const byRank = (a: string, b: string) => (ranks.get(a) ?? UNRANKED) - (ranks.get(b) ?? UNRANKED);
  return [...listed, ...(ranks.size > 0 ? rest.sort(byRank) : rest)];
}

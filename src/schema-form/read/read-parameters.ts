import { isRecord, type JsonRecord } from "#lib/read.ts";
import { isRequired, parameterName, parameterSchema } from "./read-parameter.ts";

export interface ReadParameters {
  schema: JsonRecord;
  notes: string[];
}

/** Where a model keeps its listing: an object with one of these is a model in a list, not a parameter. */
const LISTINGS = ["parameters", "params", "input_schema", "request_schema", "payload_schema", "openapi_schema"];
const isModel = (item: JsonRecord) =>
  LISTINGS.some((key) => Object.hasOwn(item, key) && typeof item[key] === "object" && item[key] !== null);

/** Whether a value is a parameter array: objects that each name their key (in-the-wild 1). */
export function isParameterArray(raw: unknown): raw is readonly JsonRecord[] {
  return (
    Array.isArray(raw) &&
    raw.length > 0 &&
    raw.some((item) => isRecord(item) && parameterName(item) !== undefined && !isModel(item))
  );
}

/** A parameter array as one JSON Schema of the payload, in the array's order. The last of two equal names wins. */
export function readParameters(raw: readonly unknown[]): ReadParameters {
  const notes: string[] = [];
  const properties = new Map<string, JsonRecord>();
  const required: string[] = [];
  for (const item of raw) {
    const name = isRecord(item) ? parameterName(item) : undefined;
    if (!isRecord(item) || name === undefined) {
      notes.push("A parameter without a name was left out.");
      continue;
    }
    if (properties.has(name)) notes.push(`The parameter "${name}" is listed twice; the last listing is used.`);
    properties.set(name, parameterSchema(item));
    if (isRequired(item) && !required.includes(name)) required.push(name);
  }
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      required,
      "x-order-properties": [...properties.keys()],
    },
    notes,
  };
}

/** The name of a field, as a person reads it on any of the pages. */
const titleOf = (/** @type {number} */ at) => `Parameter ${at}`;

/**
 * A JSON Schema of `count` fields of the usual kinds: text, numbers, choices, switches, addresses.
 * @param {number} count
 */
export function makeSchema(count) {
  /** @type {Record<string, FieldSchema>} */
  const properties = {};
  /** @type {string[]} */
  const required = [];
  for (let at = 0; at < count; at++) {
    const key = `field_${at}`;
    const words = { title: titleOf(at), description: `What parameter ${at} does to the generated media.` };
    properties[key] = { ...words, ...(KINDS[at % KINDS.length] ?? TEXT) };
    if (at % KINDS.length === 0) required.push(key);
  }
  return { type: /** @type {const} */ ("object"), properties, required };
}

/**
 * @typedef {{
 *   type: "string" | "integer" | "number" | "boolean",
 *   maxLength?: number, minimum?: number, maximum?: number, format?: string, enum?: string[],
 *   default?: string | number | boolean,
 * }} Kind
 * @typedef {Kind & { title: string, description: string }} FieldSchema
 * @typedef {ReturnType<typeof makeSchema>} BenchSchema
 */

/** @type {Kind} */
const TEXT = { type: "string" };
/** @type {Kind} */
const integer = { type: "integer", minimum: 1, maximum: 100, default: 20 };
/** @type {Kind} */
const choice = { type: "string", enum: ["480p", "720p", "1080p", "4k"], default: "720p" };
/** @type {Kind[]} */
const KINDS = [
  { type: "string", maxLength: 4000 },
  integer,
  choice,
  { type: "boolean", default: false },
  { type: "number", minimum: 0, maximum: 30, default: 7.5 },
  TEXT,
  choice,
  { type: "string", format: "uri" },
  integer,
  TEXT,
];

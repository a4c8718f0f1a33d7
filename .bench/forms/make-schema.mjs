/** A JSON Schema of `count` fields of the usual kinds: text, numbers, choices, switches, addresses. */
export function makeSchema(count) {
  const properties = {};
  const required = [];
  for (let at = 0; at < count; at++) {
    const key = `field_${at}`;
    const words = { title: `Parameter ${at}`, description: `What parameter ${at} does to the generated media.` };
    properties[key] = { ...words, ...KINDS[at % KINDS.length] };
    if (at % KINDS.length === 0) required.push(key);
  }
  return { type: "object", properties, required };
}

const integer = { type: "integer", minimum: 1, maximum: 100, default: 20 };
const choice = { type: "string", enum: ["480p", "720p", "1080p", "4k"], default: "720p" };
const KINDS = [
  { type: "string", maxLength: 4000 },
  integer,
  choice,
  { type: "boolean", default: false },
  { type: "number", minimum: 0, maximum: 30, default: 7.5 },
  { type: "string" },
  choice,
  { type: "string", format: "uri" },
  integer,
  { type: "string" },
];

import type { JsonRecord } from "#lib/read.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { indexSchema } from "#schema-form/read/references.ts";
import { guessRole, humaniseName, mediaOfKey } from "#schema-form/read/roles.ts";

/**
 * A form of the parameters that a payload has, as far as keys and values show: for a model that is gone. It is good for
 * carrying values, not for checking them.
 */
export function guessSchema(payload: JsonRecord): FormSchema {
  const fields = Object.entries(payload).map(([key, value]) => guessField(key, value));
  const schema = { type: "object" };
  return { reading: "none", fields, notes: [], schema, index: indexSchema(schema) };
}

function guessField(key: string, value: unknown): Field {
  const base = {
    key,
    label: humaniseName(key),
    help: undefined,
    required: false,
    nullable: false,
    defaultValue: undefined,
    examples: [],
    advanced: false,
    unit: undefined,
  };
  const media = mediaAddresses(value).some((address) => /^https?:\/\//i.test(address))
    ? mediaOfKey(key, true)
    : undefined;
  if (media) {
    const shape = Array.isArray(value) ? "many" : "one";
    const role = /mask/i.test(key) ? "mask" : media;
    return { ...base, kind: "media", media, shape, role, minItems: undefined, maxItems: undefined };
  }
  if (typeof value === "boolean") return { ...base, kind: "boolean", role: undefined };
  if (typeof value === "number") {
    const range = { integer: false, min: undefined, max: undefined, openMin: false, openMax: false, step: undefined };
    return { ...base, ...range, kind: "number", asString: false, role: guessRole(key, "number", []) };
  }
  if (typeof value !== "string") return { ...base, kind: "json", reason: "", role: undefined };
  const role = guessRole(key, "text", []);
  if (role !== "prompt" && role !== "negative-prompt") {
    return { ...base, kind: "choice", options: [], role: guessRole(key, "choice", [value, value]) ?? role };
  }
  const lengths = { minLength: undefined, maxLength: undefined, pattern: undefined };
  return { ...base, ...lengths, kind: "text", multiline: true, format: "plain", suggestions: [], role };
}

import type { Field, FormSchema } from "../read/field.ts";
import { fieldName } from "../read/field-names.ts";
import type { Problem } from "./check-payload.ts";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** How surely a message names a field: quoted best, then as a word by itself, then by its label. */
function certainty(field: Field, message: string): number {
  if (!field.key) return 0;
  const key = escaped(field.key);
  if (new RegExp(`["'\`“‘]${key}["'\`”’]`).test(message)) return 4;
  if (new RegExp(`(?:payload|input|body|parameters)[.:>/\\s]+${key}(?![\\w])`, "i").test(message)) return 3;
  // A key such as `n` or `text` is also a word of any sentence: the shortest are believed only in quotes.
  if (field.key.length > 2 && new RegExp(`(?<![\\w.])${key}(?![\\w])`).test(message))
    return /[_.\d]|[a-z][A-Z]/.test(field.key) ? 3 : 2;
  return field.label.length > 3 && new RegExp(`(?<!\\w)${escaped(field.label)}(?!\\w)`, "i").test(message) ? 1 : 0;
}

/**
 * The field that a refusal of the service (400, spec 7) names, with the service's own text, to be put beside it.
 * Undefined where the text names none of the fields.
 */
export function problemFromMessage(schema: FormSchema, message: string): Problem | undefined {
  const ranked = schema.fields
    .map((field, position) => ({ field, position, rank: certainty(field, message), at: message.indexOf(field.key) }))
    .filter((entry) => entry.rank > 0)
    // Of two that are named, the first is what the sentence is about: "prompt is required unless multi_shot is true".
    .sort((a, b) => b.rank - a.rank || a.at - b.at || b.field.key.length - a.field.key.length);
  const [best] = ranked;
  if (!best) return undefined;
  const { field, position } = best;
  return { name: fieldName(position), label: field.label, path: [field.key], message, missing: false };
}

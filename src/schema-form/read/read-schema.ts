import { isRecord, type JsonRecord } from "#lib/read.ts";
import { markAdvanced, withOneMainPrompt } from "./arrange-fields.ts";
import { boundListing } from "./bound-listing.ts";
import { buildProperties } from "./build-fields.ts";
import { type BuildContext, isRgb } from "./build-scalar.ts";
import type { FormSchema, Role } from "./field.ts";
import { findSchema, rootOf } from "./find-schema.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { indexSchema } from "./references.ts";

/** A listing may make the page build so many fields, those inside others included. */
const MAX_FIELDS = 500;

export interface SchemaHints {
  /** Roles that the person set, by key. `none` takes a guessed role away. */
  roles?: Readonly<Record<string, Role | "none">> | undefined;
}

const NOTHING: JsonRecord = { type: "object" };

const TOO_LARGE = "This model's listing is too large for a form. Write the payload as JSON; the service checks it.";

const NO_FIELDS = "This model's listing names no parameters that a form can show. Write the payload as JSON.";

/** A payload without a form, and why. */
function unread(note: string): FormSchema {
  return { reading: "none", fields: [], notes: [note], limits: [note], schema: NOTHING, index: indexSchema(NOTHING) };
}

/**
 * Reads a model's listing of parameters, in any of the shapes that real services use (in-the-wild 1 and 5), into one
 * form. Never throws. Where nothing can be read, `fields` is empty and `reading` is `none`: the payload is then
 * written as JSON.
 */
export function readSchema(raw: unknown, hints: SchemaHints = {}): FormSchema {
  const bounded = boundListing(raw);
  if (bounded.isTooLarge) return unread(TOO_LARGE);
  const found = findSchema(bounded.raw);
  if (!found) return unread("This model's parameters could not be read.");
  const context: BuildContext = {
    index: indexSchema(rootOf(found)),
    roles: new Map(Object.entries(hints.roles ?? {})),
    budget: { left: MAX_FIELDS },
    notes: [...bounded.notes, ...found.notes],
    limits: [...bounded.notes],
  };
  const flat = flattenSchema(context.index, found.schema);
  const schema = isRecord(flat.schema) ? flat.schema : NOTHING;
  if (flat.problem) context.notes.push(flat.problem);
  const place = { key: "", required: true, depth: 0, trail: flat.trail };
  const fields = isRgb(schema) ? [] : buildProperties(context, schema, place);
  return {
    reading: found.reading,
    fields: markAdvanced(withOneMainPrompt(fields)),
    notes: context.notes,
    limits: fields.length > 0 ? [...new Set(context.limits)] : [NO_FIELDS],
    schema: found.schema,
    index: context.index,
  };
}

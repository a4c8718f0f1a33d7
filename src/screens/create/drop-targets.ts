import type { MediaKind } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import { mediaAddresses } from "#schema-form/form/media-addresses.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";

export interface DropTargets {
  /** Fields with room for a file of the kind, in the order of the form; masks last. */
  free: readonly MediaField[];
  /** Fields of the kind that are full: their content would be replaced. */
  full: readonly MediaField[];
}

/** Where a file of a kind may go in a form. */
export function dropTargets(schema: FormSchema, payload: JsonRecord, kind: MediaKind): DropTargets {
  const fitting = schema.fields
    .filter((field) => field.kind === "media")
    .filter((field) => field.media === "file" || field.media === kind)
    .sort((a, b) => Number(a.role === "mask") - Number(b.role === "mask"));
  const hasRoom = (field: MediaField) => {
    const most = field.shape === "one" ? 1 : (field.maxItems ?? Number.POSITIVE_INFINITY);
    const value = Object.hasOwn(payload, field.key) ? payload[field.key] : undefined;
    return mediaAddresses(value).filter((address) => address !== "").length < most;
  };
  return { free: fitting.filter(hasRoom), full: fitting.filter((field) => !hasRoom(field)) };
}

import type { MediaKind, ModelDetail } from "#api/types.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/** What a model does with a file of a kind, as far as its parameters tell. */
export interface Taker {
  id: string;
  /** What it makes: `video`, `image`, or the service's own word. */
  makes: string | undefined;
  /** The name of the field that takes the file. */
  field: string;
}

/** The model as a taker of files of this kind; undefined where none of its fields is for them. */
export function takerOf(detail: ModelDetail, kind: MediaKind): Taker | undefined {
  const fields = readSchema(detail.parameters).fields.filter((field) => field.kind === "media");
  const field = fields.find(({ media, role }) => (media === kind || media === "file") && role !== "mask");
  return field && { id: detail.id, makes: detail.type, field: field.label };
}

/** Model ids in the order in which they are offered: favourites first, then as the catalogue has them. */
export function favouritesFirst(ids: readonly string[], favourites: readonly string[]): string[] {
  const known = new Set(ids);
  const first = favourites.filter((id) => known.has(id));
  return [...first, ...ids.filter((id) => !first.includes(id))];
}

import type { JsonRecord } from "#lib/read.ts";
import type { Field, Role } from "./field.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** What every part of building shares. */
export interface BuildContext {
  index: SchemaIndex;
  /** Roles that the person set, by top-level key. */
  roles: ReadonlyMap<string, Role | "none">;
  /** Fields that may still be made: a hostile schema stops growing here. */
  budget: { left: number };
  notes: string[];
}

/** Where a field sits. */
export interface Place {
  key: string;
  required: boolean;
  depth: number;
  trail: readonly string[];
}

/** A schema without `$ref`, `allOf` and null, with its place: what the builders of each kind work on. */
export interface Part {
  context: BuildContext;
  place: Place;
  schema: JsonRecord;
  nullable: boolean;
}

/** Builds a field of any kind. The builders of composite kinds get it passed in, so that no two files import each other. */
export type Build = (context: BuildContext, input: unknown, place: Place) => Field;

import type { JsonRecord } from "#lib/json.ts";
import type { SchemaIndex } from "../read/schema-index.ts";

/** Where in a payload: keys of objects and positions in arrays. */
export type JsonPath = readonly (string | number)[];

/** One thing that a schema does not allow. */
export interface Issue {
  path: JsonPath;
  keyword: string;
  /** The schema that holds the keyword. */
  schema: JsonRecord;
  /** For `required`, `dependentRequired` and unknown keys: which key. */
  key?: string;
  /** For `anyOf` and `oneOf`: what each alternative said. */
  branches?: readonly (readonly Issue[])[];
}

export interface CheckContext {
  index: SchemaIndex;
  /** Draft 7 and older: `$ref` hides the keys beside it. */
  oldDraft: boolean;
  testPattern: ((pattern: string, text: string) => boolean) | undefined;
  depth: number;
  check(schema: unknown, value: unknown, path: JsonPath): Issue[];
}

/** A keyword's own value: a schema from the wire has no say over what the prototype holds. */
export function own(schema: JsonRecord, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

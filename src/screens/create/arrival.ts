import type { MediaKind } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { FormSchema } from "#schema-form/field.ts";

/** Values on their way into the form of a model, on top of its draft. Each is put in once. */
export type Arrival = { id: number; to: string } & (
  | { kind: "carry"; from: FormSchema; payload: JsonRecord }
  | { kind: "file"; fileName: string; payload: JsonRecord }
  | { kind: "link"; words: string }
  /** A file of an earlier job or a stored one; `over` is the address whose place it takes, wherever that stands. */
  | { kind: "media"; address: string; as: MediaKind | undefined; over: string | undefined }
);

import type { MediaKind } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { Keep } from "./create-search.ts";

/** A file of an earlier job or a stored one; `over` is the address whose place it takes, wherever that stands. */
export interface ArrivingFile {
  address: string;
  /** Its kind, where it is known; else the address tells. */
  as: MediaKind | undefined;
  over: string | undefined;
}

/** Values on their way into the form of a model, on top of its draft. Each is put in once. */
export type Arrival = { id: number; to: string } & (
  | { kind: "carry"; from: FormSchema; payload: JsonRecord }
  | { kind: "file"; fileName: string; payload: JsonRecord }
  | { kind: "link"; words: string }
  /** The settings of an earlier job, with a file in the place of one of them. */
  | { kind: "job"; requestId: string; keep: Keep; file: ArrivingFile | undefined }
  | { kind: "media"; file: ArrivingFile }
);

import type { JsonRecord } from "#lib/json.ts";
import { readSettings } from "#media/metadata/read-settings.ts";
import type { FileSettings } from "#media/metadata/settings-text.ts";
import { UnusableFileError } from "#media/unusable-file-error.ts";
import { planUpload } from "#media/upload-plan.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import { dropTargets } from "./drop-targets.ts";

/** What is to become of files that were dropped beside any field. */
export type Placement =
  | { act: "put"; field: MediaField }
  /** The person chooses: a full field would be replaced, or the file carries settings as well. */
  | { act: "ask"; fields: readonly MediaField[]; settings: FileSettings | undefined }
  | { act: "restore"; settings: FileSettings }
  | { act: "refuse"; reason: string };

/** Finds the field for dropped files by what the first one is. One that was made here also carries its settings. */
export async function placeFiles(files: readonly File[], schema: FormSchema, payload: JsonRecord): Promise<Placement> {
  const [first] = files;
  if (!first) return { act: "refuse", reason: "Nothing was dropped." };
  const settings = files.length === 1 ? await readSettings(first).catch(() => undefined) : undefined;
  try {
    const { kind } = await planUpload(first);
    const { free, full } = dropTargets(schema, payload, kind);
    const fields = [...free, ...full];
    if (settings) return fields.length > 0 ? { act: "ask", fields, settings } : { act: "restore", settings };
    if (free[0]) return { act: "put", field: free[0] };
    if (full.length > 0) return { act: "ask", fields, settings };
    return { act: "refuse", reason: `This model takes no ${kind === "other" ? "file" : kind}.` };
  } catch (error) {
    if (settings) return { act: "restore", settings };
    if (error instanceof UnusableFileError) return { act: "refuse", reason: error.message };
    throw error;
  }
}

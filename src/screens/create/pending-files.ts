import { create } from "zustand";
import type { MediaKind } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { mediaAddresses } from "#schema-form/controls/media-addresses.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";

interface PendingFiles {
  /** The form and the field that the files are for. */
  form: string;
  key: string;
  files: readonly File[];
}

/** Files that were dropped on Create, until their field takes them: it may be folded away or still loading. */
export const usePendingFiles = create<{ pending: readonly PendingFiles[] }>(() => ({ pending: [] }));

export function addPendingFiles(form: string, key: string, files: readonly File[]): void {
  usePendingFiles.setState(({ pending }) => ({ pending: [...pending, { form, key, files }] }));
}

/** The field has taken the files. */
export function removePendingFiles(taken: PendingFiles): void {
  usePendingFiles.setState(({ pending }) => ({ pending: pending.filter((other) => other !== taken) }));
}

interface DropTargets {
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

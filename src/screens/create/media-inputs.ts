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

/** One input of a media field. */
export interface MediaRow {
  id: number;
  /** Empty while nothing is given, or while a file is on its way. */
  address: string;
  /** The upload whose address comes here. */
  upload?: string | undefined;
  /** What was done to the file before it was stored. */
  note?: string | undefined;
  /** What the file was called that was stored from here. */
  name?: string | undefined;
}

/** What an upload has just brought. */
export interface StoredFile {
  upload: string;
  address: string;
  /** Among the field's addresses. */
  position: number;
  /** The address whose place it takes; empty where there was none. */
  over: string;
}

/** What rows ask of uploads: to begin one and give its id, to end one. */
interface RowUploads {
  /** `onStored` gives whether there is still a row for the address. */
  start(file: File, onStored: (address: string, note: string | undefined) => boolean): string;
  cancel(upload: string): void;
}

export type MediaRows = ReturnType<typeof createMediaRows>;

/**
 * The inputs of one field, in order. Each has the same id while others come, go and move, so that several uploads at a
 * time end where they began. `most` is how many the field takes; `onChange` gets the addresses that are given, and what an
 * upload has just brought, where it did.
 */
export function createMediaRows({
  addresses,
  most,
  uploads,
  onChange,
}: {
  addresses: readonly string[];
  most: number;
  uploads: RowUploads;
  onChange: (addresses: string[], stored?: StoredFile) => void;
}) {
  let ids = 0;
  const make = (address: string): MediaRow => {
    ids += 1;
    return { id: ids, address };
  };
  let rows: readonly MediaRow[] = addresses.length > 0 ? addresses.map((address) => make(address)) : [make("")];
  const listeners = new Set<() => void>();
  const given = () => rows.map((row) => row.address).filter((address) => address !== "");
  function show(next: readonly MediaRow[]) {
    rows = next.length > 0 ? next : [make("")];
    for (const listener of listeners) listener();
  }
  function change(next: readonly MediaRow[]) {
    show(next);
    onChange(given());
  }
  /** The row with another file on its way to it. What was on its way before is not wanted any more. */
  function withFile(row: MediaRow, file: File): MediaRow {
    if (row.upload !== undefined) uploads.cancel(row.upload);
    const { id } = row;
    return { ...row, upload: uploads.start(file, (address, note) => takeStored(id, file.name, address, note)) };
  }
  function takeStored(id: number, name: string, address: string, note: string | undefined): boolean {
    const at = rows.findIndex((row) => row.id === id);
    const { upload, address: over } = rows[at] ?? {};
    if (upload === undefined || over === undefined) return false;
    show(rows.map((row) => (row.id === id ? { id, address, name, ...(note ? { note } : {}) } : row)));
    const position = rows.slice(0, at).filter((row) => row.address !== "").length;
    onChange(given(), { upload, address, position, over });
    return true;
  }
  const withoutUpload = ({ upload, ...row }: MediaRow): MediaRow => {
    if (upload !== undefined) uploads.cancel(upload);
    return row;
  };
  return {
    get: () => rows,
    /** Whether a file is on its way, or has failed to come. */
    hasUploads: () => rows.some(({ upload }) => upload !== undefined),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** An address was given by hand: a file that was on its way is not wanted any more. */
    set(id: number, address: string) {
      change(rows.map((row) => (row.id === id ? { id: withoutUpload(row).id, address } : row)));
    },
    /** Files that came to one row: the first is for it, further ones for others. */
    giveFiles(id: number, [first, ...others]: readonly File[]) {
      if (!first) return;
      show(rows.map((row) => (row.id === id ? withFile(row, first) : row)));
      if (others.length > 0 && most > 1) this.addFiles(others);
    },
    /** The upload of a row was ended elsewhere, or is not wanted any more. What the row held before stays. */
    dropUpload(upload: string) {
      show(rows.map((row) => (row.upload === upload ? withoutUpload(row) : row)));
    },
    remove(id: number) {
      for (const row of rows) if (row.id === id) withoutUpload(row);
      change(rows.filter((row) => row.id !== id));
    },
    addEmpty() {
      if (rows.length < most) show([...rows, make("")]);
    },
    /** Puts files into empty rows, and further rows as far as the field takes them; with `most` 1 it replaces. */
    addFiles(files: readonly File[]) {
      let next = [...rows];
      for (const file of files) {
        const free = next.findIndex((row) => (row.address === "" && row.upload === undefined) || most === 1);
        const row = next[free];
        // The row stays the same one, so that what is typed or focused in it is not lost.
        if (row) next = next.with(free, withFile(row, file));
        else if (next.length < most) next.push(withFile(make(""), file));
      }
      show(next);
    },
    /** Puts addresses in, as `addFiles` does. */
    addAddresses(more: readonly string[]) {
      if (most === 1) for (const row of rows) withoutUpload(row);
      const filled = most === 1 ? [] : rows.filter((row) => row.address !== "" || row.upload !== undefined);
      const room = most - filled.length;
      change([...filled, ...more.slice(0, Math.max(0, room)).map((address) => make(address))]);
    },
    move(id: number, by: -1 | 1) {
      const at = rows.findIndex((row) => row.id === id);
      const [row, other] = [rows[at], rows[at + by]];
      if (row && other) change(rows.with(at, other).with(at + by, row));
    },
    /** The value was set from outside, such as by a draft or in JSON. Files on their way to a list still come to it. */
    follow(values: readonly string[]) {
      // A new entry of a list holds an empty text.
      const next = values.filter((address) => address !== "");
      const now = given();
      if (next.length === now.length && next.every((address, at) => address === now[at])) return;
      const coming = rows.filter(({ upload }) => upload !== undefined);
      if (most === 1) for (const row of coming) withoutUpload(row);
      const kept = next.map((address) => rows.find((row) => row.address === address) ?? make(address));
      const waiting =
        most === 1 ? [] : coming.filter((row) => !kept.includes(row)).map((row) => ({ ...row, address: "" }));
      show([...kept, ...waiting].slice(0, Math.max(most, kept.length)));
    },
  };
}

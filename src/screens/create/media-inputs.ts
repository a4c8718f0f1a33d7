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
  /** A file to store, handed to the row. */
  file?: File | undefined;
}

export type MediaRows = ReturnType<typeof createMediaRows>;

/**
 * The inputs of one field, in order. Each has the same id while others come, go and move, so that several uploads at a
 * time end where they began. `most` is how many the field takes; `onChange` gets the addresses that are given.
 */
export function createMediaRows({
  addresses,
  most,
  onChange,
}: {
  addresses: readonly string[];
  most: number;
  onChange: (addresses: string[]) => void;
}) {
  let ids = 0;
  const make = (address: string, file?: File): MediaRow => {
    ids += 1;
    return { id: ids, address, file };
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
  return {
    get: () => rows,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(id: number, address: string) {
      change(rows.map((row) => (row.id === id ? { id, address } : row)));
    },
    /** Files that came to one row: the first is for it, further ones for others. */
    giveFiles(id: number, [first, ...others]: readonly File[]) {
      if (!first) return;
      show(rows.map((row) => (row.id === id ? { ...row, file: first } : row)));
      if (others.length > 0 && most > 1) this.addFiles(others);
    },
    /** What was on its way to a row is not wanted any more. */
    dropFile(id: number) {
      show(rows.map(({ file, ...row }) => (row.id === id || !file ? row : { ...row, file })));
    },
    remove(id: number) {
      change(rows.filter((row) => row.id !== id));
    },
    addEmpty() {
      if (rows.length < most) show([...rows, make("")]);
    },
    /** Puts files into empty rows, and further rows as far as the field takes them; with `most` 1 it replaces. */
    addFiles(files: readonly File[]) {
      let next = [...rows];
      for (const file of files) {
        const free = next.findIndex((row) => (row.address === "" && !row.file) || most === 1);
        const row = next[free];
        // The row stays the same one, so that what is typed or focused in it is not lost.
        if (row) next = next.with(free, { ...row, file });
        else if (next.length < most) next.push(make("", file));
      }
      show(next);
    },
    /** Puts addresses in, as `addFiles` does. */
    addAddresses(more: readonly string[]) {
      const filled = most === 1 ? [] : rows.filter((row) => row.address !== "" || row.file);
      const room = most - filled.length;
      change([...filled, ...more.slice(0, Math.max(0, room)).map((address) => make(address))]);
    },
    move(id: number, by: -1 | 1) {
      const at = rows.findIndex((row) => row.id === id);
      const [row, other] = [rows[at], rows[at + by]];
      if (row && other) change(rows.with(at, other).with(at + by, row));
    },
    /** The value was set from outside, such as by a draft or in JSON. */
    follow(next: readonly string[]) {
      const now = given();
      if (next.length === now.length && next.every((address, at) => address === now[at])) return;
      show(next.map((address) => rows.find((row) => row.address === address) ?? make(address)));
    },
  };
}

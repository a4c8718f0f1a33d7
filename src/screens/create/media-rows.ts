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
 * The inputs of one field, in order. Each keeps its id while others come, go and move, so that several uploads at a time
 * end where they began. `most` is how many the field takes; `onChange` gets the addresses that are given.
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
      const kept = most === 1 ? [] : rows.filter((row) => row.address !== "" || row.file);
      const room = most - kept.length;
      change([...kept, ...more.slice(0, Math.max(0, room)).map((address) => make(address))]);
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

import { useState } from "react";
import { itemsBetween, type SheetLine } from "./sheet-layout.ts";

export interface Selection {
  /** Ids of items, in no order. */
  ids: ReadonlySet<string>;
  toggle(id: string): void;
  /** Selects everything from the last toggled one to this one. */
  extend(id: string, lines: readonly SheetLine[], hasColumns: boolean): void;
  selectAll(ids: readonly string[]): void;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

/** Which results are selected. Those that are not there any more are not selected. */
export function useSelection(isThere: (id: string) => boolean): Selection {
  const [{ ids: stored, anchor }, set] = useState<{ ids: ReadonlySet<string>; anchor: string | undefined }>({
    ids: NONE,
    anchor: undefined,
  });
  const ids = [...stored].every(isThere) ? stored : new Set([...stored].filter(isThere));
  return {
    ids,
    toggle(id) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      set({ ids: next, anchor: id });
    },
    extend(id, lines, hasColumns) {
      const from = anchor ?? id;
      set({ ids: new Set([...ids, ...itemsBetween(lines, from, id, hasColumns)]), anchor: from });
    },
    selectAll: (all) => set({ ids: new Set(all), anchor: all[0] }),
    clear: () => set({ ids: NONE, anchor: undefined }),
  };
}

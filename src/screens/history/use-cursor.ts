import { create } from "zustand";
import type { Cursor } from "./list-keys.ts";

const NOTHING: Cursor = { active: -1, anchor: -1, selected: new Set() };

const useStore = create<{ cursor: Cursor }>(() => ({ cursor: NOTHING }));

/** The keyboard's place and the selection, kept while other screens are looked at. */
export function useCursor(): [Cursor, (cursor: Cursor) => void] {
  return [useStore((state) => state.cursor), (cursor) => useStore.setState({ cursor })];
}

/** Lets go of everything: another list, or another connection. */
export function resetCursor(): void {
  useStore.setState({ cursor: NOTHING });
}

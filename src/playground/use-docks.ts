import { createContext, type RefObject, useContext, useEffect, useLayoutEffect, useState } from "react";
import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { useIsPhone, useIsShort } from "#ui/use-media-query.ts";

export type DockSide = "conversations" | "parameters";

/** In px, as the docks and the columns are drawn. */
const WIDTHS = { conversations: 224, parameters: 264 };
/** A column narrower than this is not read any more: a dock gives way to it and opens over the screen. */
const NARROWEST = { one: 520, several: 300 };

interface DockChoice {
  isOpen: Record<DockSide, boolean>;
  /** What is open over the screen, where it has no room beside it. */
  sheet: DockSide | undefined;
}

const useChoice = create<DockChoice>(() => {
  const raw = readJson(KEYS.playgroundDocks);
  const isOpen = (side: DockSide) => !(isRecord(raw) && raw[side] === false);
  return { isOpen: { conversations: isOpen("conversations"), parameters: isOpen("parameters") }, sheet: undefined };
});

interface Dock {
  /** `docked`: beside the columns. `sheet`: over them. `closed`: a button of the bar opens it. */
  state: "docked" | "sheet" | "closed";
  open: () => void;
  close: () => void;
}

export type Docks = Record<DockSide, Dock>;

/** The two docks of the screen in a pane of a width (px; 0 while it is not known) with so many columns. */
export function useDocks(width: number, columns: number): Docks {
  const { isOpen, sheet } = useChoice();
  const isNarrow = useIsPhone();
  const isLow = useIsShort();
  const columnsWidth = columns === 1 ? NARROWEST.one : columns * NARROWEST.several;
  const fits = (room: number) => !isNarrow && !isLow && (width === 0 || width - room >= columnsWidth);
  const hasRoom: Record<DockSide, boolean> = {
    conversations: fits(WIDTHS.conversations),
    parameters: fits(WIDTHS.parameters + (isOpen.conversations ? WIDTHS.conversations : 0)),
  };
  const dock = (side: DockSide): Dock => {
    const set = (open: boolean) => {
      if (!hasRoom[side]) return useChoice.setState({ sheet: open ? side : undefined });
      const choice = { ...isOpen, [side]: open };
      writeJson(KEYS.playgroundDocks, choice);
      useChoice.setState({ isOpen: choice, sheet: undefined });
    };
    const state = hasRoom[side] ? (isOpen[side] ? "docked" : "closed") : sheet === side ? "sheet" : "closed";
    return { state, open: () => set(true), close: () => set(false) };
  };
  useEffect(() => () => useChoice.setState({ sheet: undefined }), []);
  return { conversations: dock("conversations"), parameters: dock("parameters") };
}

/** Closes what is open over the screen: after a choice in it. */
export function closeSheet(): void {
  useChoice.setState({ sheet: undefined });
}

const NO_DOCK: Dock = { state: "closed", open: () => {}, close: () => {} };
export const DocksContext = createContext<Docks>({ conversations: NO_DOCK, parameters: NO_DOCK });

export function useDock(side: DockSide): Dock {
  return useContext(DocksContext)[side];
}

/** The width of an element in px, live; 0 before it is laid out, and where the platform does not report it. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = () => setWidth(element.clientWidth);
    read();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

import { clsx } from "clsx";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect } from "react";
import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { SideSheet } from "#ui/dialog.tsx";
import { useIsPhone, useIsShort } from "#ui/use-media-query.ts";

export type DockSide = "conversations" | "parameters";

/** The widths of the docks in px. `DockFrame` has the same numbers in its classes. */
const WIDTHS = { conversations: 224, parameters: 264 };
/** In px: a narrower column is hard to read, so a dock then opens over the screen instead of beside it. */
const MIN_COLUMN_WIDTH = { one: 520, several: 300 };

interface DockChoice {
  isOpen: Record<DockSide, boolean>;
  /** The dock that is open over the screen, where there is no room beside the columns. */
  sheet: DockSide | undefined;
  /** The width of the pane with the docks and the columns, in px; 0 while it is not known. */
  width: number;
  columns: number;
}

const useChoice = create<DockChoice>(() => {
  const raw = readJson(KEYS.playgroundDocks);
  const isOpen = (side: DockSide) => !(isRecord(raw) && raw[side] === false);
  return {
    isOpen: { conversations: isOpen("conversations"), parameters: isOpen("parameters") },
    sheet: undefined,
    width: 0,
    columns: 1,
  };
});

interface Dock {
  /** `docked`: beside the columns. `sheet`: over them. `closed`: a button of the bar opens it. */
  state: "docked" | "sheet" | "closed";
  open: () => void;
  close: () => void;
}

/** The state of a dock. The width of the pane decides whether it has room beside the columns. */
export function useDock(side: DockSide): Dock {
  const { isOpen, sheet, width, columns } = useChoice();
  const isNarrow = useIsPhone();
  const isLow = useIsShort();
  const columnsWidth = columns === 1 ? MIN_COLUMN_WIDTH.one : columns * MIN_COLUMN_WIDTH.several;
  const otherWidth = side === "parameters" && isOpen.conversations ? WIDTHS.conversations : 0;
  const hasRoom = !isNarrow && !isLow && (width === 0 || width - WIDTHS[side] - otherWidth >= columnsWidth);
  const set = (open: boolean) => {
    if (!hasRoom) return useChoice.setState({ sheet: open ? side : undefined });
    const choice = { ...isOpen, [side]: open };
    writeJson(KEYS.playgroundDocks, choice);
    useChoice.setState({ isOpen: choice, sheet: undefined });
  };
  const state = hasRoom ? (isOpen[side] ? "docked" : "closed") : sheet === side ? "sheet" : "closed";
  return { state, open: () => set(true), close: () => set(false) };
}

/** Closes the dock that is open over the screen, after a choice in it. */
export function closeSheet(): void {
  useChoice.setState({ sheet: undefined });
}

/** Measures the pane for the docks, as long as it is on the screen. */
export function useDockRoom(pane: RefObject<HTMLElement | null>, columns: number): void {
  useLayoutEffect(() => useChoice.setState({ columns }), [columns]);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    // 0 before the first layout, and in tests.
    const read = () => useChoice.setState({ width: element.clientWidth });
    read();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  useEffect(() => () => useChoice.setState({ sheet: undefined }), []);
}

export const DOCK_TITLES: Record<DockSide, string> = { conversations: "Chats", parameters: "Parameters" };

/** One of the two docks: beside the columns where there is room, else over them. */
export function DockFrame({ side, children }: { side: DockSide; children: ReactNode }) {
  const { state, close } = useDock(side);
  const isStart = side === "conversations";
  if (state === "docked") {
    return (
      <aside
        aria-label={DOCK_TITLES[side]}
        className={clsx(
          "flex min-h-0 shrink-0 flex-col border-line bg-panel",
          isStart ? "w-56 border-e" : "w-66 border-s",
        )}
      >
        {children}
      </aside>
    );
  }
  return (
    <SideSheet
      open={state === "sheet"}
      onOpenChange={(open) => {
        if (!open) close();
      }}
      side={isStart ? "start" : "end"}
      title={DOCK_TITLES[side]}
    >
      {children}
    </SideSheet>
  );
}

/** The line at the top of a dock: its title and its buttons. */
export function DockHead({ side, children }: { side: DockSide; children: ReactNode }) {
  return (
    <header className="flex min-h-13 shrink-0 items-center gap-1 border-line border-b ps-4 pe-2.5">
      <h2 className="m-0 me-auto font-semibold text-base">{DOCK_TITLES[side]}</h2>
      {children}
    </header>
  );
}

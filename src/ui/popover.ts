import { clsx } from "clsx";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** The classes of a list that floats under its anchor: see `useAnchoredPopover`. */
export function popupClass(className?: string | undefined): string {
  return clsx(
    "fixed inset-auto z-50 m-0 list-none overflow-y-auto overscroll-contain rounded-md border border-line-strong",
    "bg-panel p-1 text-ink shadow-float outline-none",
    className,
  );
}

interface AnchoredPopoverOptions {
  open: boolean;
  anchor: RefObject<HTMLElement | null>;
  popup: RefObject<HTMLElement | null>;
  /** The edge of the anchor that the popup is aligned with. `stretch` takes the anchor's width. Default `stretch`. */
  align?: "start" | "end" | "stretch" | undefined;
}

const GAP = 4;
const EDGE = 8;

/**
 * Puts a popup in the top layer, under its anchor or above it where there is more room, and moves it along while the
 * page scrolls. In the top layer no scrolling pane can clip it.
 */
export function useAnchoredPopover({ open, anchor, popup, align = "stretch" }: AnchoredPopoverOptions): void {
  useLayoutEffect(() => {
    const from = anchor.current;
    const box = popup.current;
    if (!open || !from || !box) return;
    const place = () => {
      const rect = from.getBoundingClientRect();
      const below = window.innerHeight - rect.bottom - GAP - EDGE;
      const above = rect.top - GAP - EDGE;
      const up = below < Math.min(box.scrollHeight, 200) && above > below;
      const room = Math.max(up ? above : below, 0);
      // In a low window neither side has room for three entries: then it takes the window's height, over its anchor.
      const isCramped = room < Math.min(box.scrollHeight, 120);
      box.style.maxHeight = `${isCramped ? window.innerHeight - 2 * EDGE : Math.min(320, room)}px`;
      box.style.maxWidth = `${window.innerWidth - 2 * EDGE}px`;
      if (align === "stretch") box.style.width = `${rect.width}px`;
      const left = align === "end" ? rect.right - box.offsetWidth : rect.left;
      box.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - box.offsetWidth - EDGE))}px`;
      const top = up ? rect.top - GAP - box.offsetHeight : rect.bottom + GAP;
      box.style.top = `${isCramped ? Math.max(EDGE, Math.min(top, window.innerHeight - box.offsetHeight - EDGE)) : top}px`;
    };
    // Older browsers have no top layer; the fixed position alone still serves there.
    if ("showPopover" in box && box.popover === null) {
      box.popover = "manual";
      box.showPopover();
    }
    place();
    window.addEventListener("scroll", place, true);
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place, true);
      window.removeEventListener("resize", place);
    };
  });
}

/** Calls `leave` once something outside of `root` is pressed or gets the focus, while it is open. */
export function useLeave(isOpen: boolean, root: RefObject<HTMLElement | null>, leave: () => void): void {
  const latest = useRef(leave);
  useLayoutEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) latest.current();
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [isOpen, root]);
}

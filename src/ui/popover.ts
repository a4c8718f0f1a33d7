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

/** Between the anchor and the popup, in CSS pixels. */
const GAP = 4;
/** Between the popup and the edges of the window, in CSS pixels. */
const EDGE = 8;
/** The popup is no higher than this, in CSS pixels. */
const MAX_HEIGHT = 320;
/** With less room below, the popup opens above where that has more room. About six entries, in CSS pixels. */
const ENOUGH_BELOW = 200;
/** About three entries, in CSS pixels: the least that is usable. */
const MIN_HEIGHT = 120;

/**
 * Puts a popup in the top layer, under its anchor or above it where there is more room, and moves it along while the
 * page scrolls. In the top layer no scrolling pane can clip it.
 */
export function useAnchoredPopover({ open, anchor, popup, align = "stretch" }: AnchoredPopoverOptions): void {
  useLayoutEffect(() => {
    const anchorElement = anchor.current;
    const box = popup.current;
    if (!open || !anchorElement || !box) return;
    const place = () => {
      const rect = anchorElement.getBoundingClientRect();
      const below = window.innerHeight - rect.bottom - GAP - EDGE;
      const above = rect.top - GAP - EDGE;
      const opensUp = below < Math.min(box.scrollHeight, ENOUGH_BELOW) && above > below;
      const room = Math.max(opensUp ? above : below, 0);
      // In a low window neither side may have enough room. Then the popup covers its anchor and takes the window's height.
      const isCramped = room < Math.min(box.scrollHeight, MIN_HEIGHT);
      box.style.maxHeight = `${isCramped ? window.innerHeight - 2 * EDGE : Math.min(MAX_HEIGHT, room)}px`;
      box.style.maxWidth = `${window.innerWidth - 2 * EDGE}px`;
      if (align === "stretch") box.style.width = `${rect.width}px`;
      const left = align === "end" ? rect.right - box.offsetWidth : rect.left;
      box.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - box.offsetWidth - EDGE))}px`;
      const top = opensUp ? rect.top - GAP - box.offsetHeight : rect.bottom + GAP;
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
    const onEvent = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) latest.current();
    };
    document.addEventListener("pointerdown", onEvent);
    document.addEventListener("focusin", onEvent);
    return () => {
      document.removeEventListener("pointerdown", onEvent);
      document.removeEventListener("focusin", onEvent);
    };
  }, [isOpen, root]);
}

import { type RefObject, useEffect, useState } from "react";

const OVERSCAN = 4;
/** Where no layout is known yet, as many rows as a tall dialog shows. */
const FALLBACK_HEIGHT = 480;

/**
 * Which rows of a list of equal rows are in view, as a half-open range, from the scroll position of `container`. Only
 * these are rendered, and so only these ask for their detail.
 */
export function useRowWindow(
  container: RefObject<HTMLElement | null>,
  { count, rowHeight, enabled }: { count: number; rowHeight: number; enabled: boolean },
): { start: number; end: number } {
  const [view, setView] = useState({ top: 0, height: FALLBACK_HEIGHT });
  useEffect(() => {
    const element = container.current;
    if (!enabled || element === null) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight || FALLBACK_HEIGHT });
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(measure);
    observer?.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer?.disconnect();
    };
  }, [container, enabled]);
  const start = Math.max(0, Math.min(Math.floor(view.top / rowHeight) - OVERSCAN, count - 1));
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN);
  return { start, end };
}

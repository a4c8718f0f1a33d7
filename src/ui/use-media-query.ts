import { useState, useSyncExternalStore } from "react";

/**
 * Whether a media query holds, live. Widths are in rem as in the style sheets: a person with larger text gets the layout for
 * less room, since less text fits. `fallback` where the platform has no `matchMedia`.
 */
function useMediaQuery(query: string, fallback = false): boolean {
  // The list is created once for each component and not with each render, since a list renders with every frame of scrolling.
  const [{ subscribe, holds }] = useState(() => watchMedia(query, fallback));
  return useSyncExternalStore(subscribe, holds);
}

function watchMedia(query: string, fallback: boolean) {
  const list = window.matchMedia?.(query);
  return {
    subscribe(onChange: () => void) {
      list?.addEventListener("change", onChange);
      return () => list?.removeEventListener("change", onChange);
    },
    holds: () => list?.matches ?? fallback,
  };
}

/** Whether the main pointer is a finger: nothing can be hovered, and buttons must be larger. */
export function useIsTouch(): boolean {
  return useMediaQuery("(pointer: coarse)");
}

/** Whether the window is narrower than the rail needs (48 rem, 768 px): tabs at the bottom, one pane at a time. */
export function useIsPhone(): boolean {
  return !useMediaQuery("(min-width: 48rem)", true);
}

/** Whether the window is so narrow that the rail is folded unless the person wants it wide. */
export function useIsCompact(): boolean {
  return useMediaQuery("(max-width: 73.75rem)");
}

/** Whether the window is so low that the page scrolls as a whole: the variant `short` of `styles.css`. */
export function useIsShort(): boolean {
  return useMediaQuery("(max-height: 27.5rem)");
}

/** Whether Create shows one of its panes at a time (narrower than 64 rem, 1024 px). */
export function useIsOnePane(): boolean {
  return !useMediaQuery("(min-width: 64rem)", true);
}

import { clsx } from "clsx";

/** The look of a list that floats under its anchor: see `useAnchoredPopover`. */
export function popupClass(className?: string | undefined): string {
  return clsx(
    "fixed inset-auto z-50 m-0 list-none overflow-y-auto overscroll-contain rounded-md border border-line-strong",
    "bg-panel p-1 text-ink shadow-float outline-none",
    className,
  );
}

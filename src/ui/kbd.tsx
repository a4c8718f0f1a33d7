import { clsx } from "clsx";
import type { ReactNode } from "react";
import { shortcutLabel } from "./shortcut-label.ts";

export interface KbdProps {
  /** Keys in neutral words, such as `mod+enter`; shown as the platform writes them. Or give children. */
  keys?: string | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/**
 * A key on a control. Hidden from assistive technology, so that a button keeps its plain name; the control says the
 * same with `aria-keyshortcuts`. Hidden on touch, where there are no keys.
 */
export function Kbd({ keys, className, children }: KbdProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "rounded-[4px] border border-line-strong px-[5px] font-medium font-mono text-[11px] text-ink-3 leading-4",
        "in-[.bg-accent]:border-accent-ink/35 in-[.bg-accent]:text-inherit pointer-coarse:hidden",
        className,
      )}
    >
      {keys === undefined ? children : shortcutLabel(keys)}
    </span>
  );
}

import { clsx } from "clsx";
import type { ReactNode } from "react";

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const NAMES: Record<string, string> = { enter: "enter", esc: "escape", up: "arrowup", down: "arrowdown" };

/**
 * Whether a key press is the shortcut. `mod` is the control key or the command key. A key without `mod` matches only
 * when no modifier is held, but shift where the character itself needs it (`?`).
 */
export function matchesShortcut(keys: string, press: KeyPress): boolean {
  const parts = keys.toLowerCase().split("+");
  const key = parts.at(-1) ?? "";
  const modHeld = press.ctrlKey || press.metaKey;
  if (parts.includes("mod") !== modHeld || parts.includes("alt") !== press.altKey) return false;
  const shiftFits = parts.includes("shift") === press.shiftKey || (key.length === 1 && !/[a-z0-9]/.test(key));
  return shiftFits && press.key.toLowerCase() === (NAMES[key] ?? key);
}

/** Whether a key pressed at this target belongs to a text, so that a single letter must not act. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable=''], [contenteditable=true]")) return true;
  const input = target.closest("input");
  return input !== null && !["checkbox", "radio", "range", "button", "submit"].includes(input.type);
}

const MAC: Record<string, string> = {
  mod: "⌘",
  shift: "⇧",
  alt: "⌥",
  enter: "↵",
  esc: "Esc",
  up: "↑",
  down: "↓",
  arrowright: "→",
};
const OTHER: Record<string, string> = {
  mod: "Ctrl",
  shift: "Shift",
  alt: "Alt",
  enter: "↵",
  esc: "Esc",
  up: "↑",
  down: "↓",
  arrowright: "→",
};

/** Whether this is a platform whose main modifier is the command key. */
function isApplePlatform(): boolean {
  return typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
}

/** `mod+enter` as the platform writes it: `⌘↵` on Apple's, `Ctrl ↵` elsewhere. */
export function shortcutLabel(keys: string, apple: boolean = isApplePlatform()): string {
  const names = apple ? MAC : OTHER;
  return keys
    .split("+")
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join(apple ? "" : " ");
}

interface KbdProps {
  /** Keys in neutral words, such as `mod+enter`; shown as the platform writes them. Or give children. */
  keys?: string | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/**
 * A key on a control. Hidden from assistive technology, so that a button has its plain name; the control names its key
 * with `aria-keyshortcuts`. Hidden on touch, where there are no keys.
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

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

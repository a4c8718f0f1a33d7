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
export function isApplePlatform(): boolean {
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

const NAMES: Record<string, string> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  plus: "+",
  pageup: "Page up",
  pagedown: "Page down",
  delete: "Del",
};
const MAC: Record<string, string> = { ...NAMES, mod: "⌘", shift: "⇧", alt: "⌥", enter: "↵" };
const OTHER: Record<string, string> = { ...NAMES, mod: "Ctrl" };

/** Whether this is a platform whose main modifier is the command key. */
function isApplePlatform(): boolean {
  return typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
}

/** `mod+enter` as the platform writes it: `⌘↵` on Apple's, `Ctrl+Enter` elsewhere; `g c` as `G C`. */
export function shortcutLabel(keys: string, apple: boolean = isApplePlatform()): string {
  const names = apple ? MAC : OTHER;
  const named = (key: string) => names[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
  return keys
    .toLowerCase()
    .split(" ")
    .map((step) =>
      step
        .split("+")
        .map(named)
        .join(apple ? "" : "+"),
    )
    .join(" ");
}

/** Keys for `aria-keyshortcuts`; undefined for none, and for two steps, which it has no words for. */
export function ariaKeys(keys: string | undefined): string | undefined {
  if (keys === undefined || keys.includes(" ")) return undefined;
  const spelled = keys
    .replace("alt+", "Alt+")
    .replace("shift+", "Shift+")
    .replace(/[a-z]{2,}\d*$/, (name) => ARIA[name] ?? name.charAt(0).toUpperCase() + name.slice(1));
  return spelled.startsWith("mod+")
    ? `${spelled.replace("mod", "Control")} ${spelled.replace("mod", "Meta")}`
    : spelled;
}

const ARIA: Record<string, string> = {
  esc: "Escape",
  arrowup: "ArrowUp",
  arrowdown: "ArrowDown",
  arrowleft: "ArrowLeft",
  arrowright: "ArrowRight",
  pageup: "PageUp",
  pagedown: "PageDown",
};

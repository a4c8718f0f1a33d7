/** The part of a keyboard event that says which keys are pressed. */
export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & { code?: string };

/** Keys that make no shortcut by themselves. */
const MODIFIERS = /^(Control|Shift|Alt|AltGraph|Meta|OS|CapsLock|NumLock|Fn|Dead|Process|Compose|Unidentified)$/;
// Plus and equals are one key on most keyboards, and people press it for "larger" either way.
const NAMES: Record<string, string> = { " ": "space", "+": "plus", "=": "plus", escape: "esc" };
/** Where a layout writes no Latin letters, the position of the key decides which one is meant: as on a US keyboard. */
const SIGNS: Record<string, [plain: string, shifted: string]> = {
  Slash: ["/", "?"],
  Period: [".", "."],
  Comma: [",", ","],
  BracketLeft: ["[", "["],
  BracketRight: ["]", "]"],
  Minus: ["-", "-"],
  Equal: ["plus", "plus"],
};

/**
 * A key press in the words of `Command.keys`: `d`, `?`, `mod+enter`, `alt+shift+arrowup`. `mod` is the control or the
 * command key. Shift counts only with letters and named keys, because signs and some layouts' digits need it. A key that
 * writes no Latin letter (Cyrillic, Greek, Hebrew) counts by its place. Undefined for a modifier alone.
 */
export function chordOf(press: KeyPress): string | undefined {
  if (MODIFIERS.test(press.key)) return undefined;
  const key = keyName(press);
  const isSign = [...key].length === 1 && !/\p{L}/u.test(key);
  return [
    (press.ctrlKey || press.metaKey) && "mod",
    press.altKey && "alt",
    press.shiftKey && !isSign && key !== "plus" && "shift",
    key,
  ]
    .filter(Boolean)
    .join("+");
}

function keyName({ key, code = "", altKey, shiftKey }: KeyPress): string {
  const lower = key.toLowerCase();
  // On a Mac, Alt with a letter writes a sign.
  const isPlain =
    /^[\x20-\x7e]$/.test(lower) || (/^\p{Script=Latin}$/u.test(lower) && !altKey) || [...lower].length > 1;
  if (isPlain) return NAMES[lower] ?? lower;
  const letter = /^(?:Key|Digit)(\w)$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? SIGNS[code]?.[shiftKey ? 1 : 0] ?? lower;
}

/** Whether a key press is the shortcut, which has one step: `mod+enter`, `d`. */
export function matchesShortcut(keys: string, press: KeyPress): boolean {
  return chordOf(press) === keys.toLowerCase();
}

/** Whether a key pressed at this target belongs to a text, so that a single letter must not act. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable=''], [contenteditable=true]")) return true;
  const input = target.closest("input");
  return input !== null && !["checkbox", "radio", "range", "button", "submit"].includes(input.type);
}

const OWN_KEYS =
  "[role=grid], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist], [role=tree]";
const MOVES = /^(arrow\w+|home|end|pageup|pagedown)$/;

/** Whether the control that has the focus needs this key itself: arrows in a list or player, Space on a button. */
export function isOfControl(chord: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (MOVES.test(chord)) return target.closest(`${OWN_KEYS}, input, video, audio`) !== null;
  if (chord === "space" || chord === "enter")
    return target.closest("button, a, summary, input, video, audio, [role=option], [role=menuitem]") !== null;
  return false;
}

const BROWSER =
  /^(mod\+(shift\+)?[ntwqrlpfghjidoe]|mod\+(shift\+)?(tab|delete)|mod\+[0-9-]|mod\+plus|mod\+shift\+[bmcks]|mod\+s|f\d+|(mod|alt|shift)\+f\d+|alt\+(arrow\w+|home|f4|d|e|f|tab|space)|mod\+(pageup|pagedown|esc))$/;
const EDITING = /^(mod|mod\+shift|alt|alt\+shift)\+(arrow\w+|home|end|backspace)$|^mod\+[acvxuzy]$|^mod\+shift\+[zv]$/;
const CONTROLS =
  /^(shift\+)?(enter|space|tab|esc|backspace|delete|contextmenu|insert|arrow\w+|home|end|pageup|pagedown)$/;
const CHORD = /^(mod\+)?(alt\+)?(shift\+)?(\S|[a-z][a-z0-9]+)$/u;

/** Why keys cannot be given to a command, as the end of a sentence about them; undefined where they can. */
export function keyProblem(keys: string): string | undefined {
  const steps = keys.split(" ");
  if (steps.length > 2 || !steps.every((step) => CHORD.test(step))) return "cannot be used.";
  for (const step of steps) {
    if (BROWSER.test(step)) return "belongs to the browser.";
    if (EDITING.test(step)) return "is needed to edit text.";
    if (CONTROLS.test(step)) return "is needed for buttons, lists and fields.";
  }
  return undefined;
}

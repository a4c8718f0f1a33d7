// Keyboard shortcuts: how a key press is written, which keys a command may have, and what the person changed.
import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { onStoredChange, readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { CommandInfo } from "./commands.ts";

/** The part of a keyboard event that says which keys are pressed. */
type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & { code?: string };

/** Keys that are no shortcut by themselves. */
const MODIFIERS = /^(Control|Shift|Alt|AltGraph|Meta|OS|CapsLock|NumLock|Fn|Dead|Process|Compose|Unidentified)$/;
// Plus and equals are one key on most keyboards, and people press it for "larger" either way.
const KEY_NAMES: Record<string, string> = { " ": "space", "+": "plus", "=": "plus", escape: "esc" };
/** The signs of keys by their position on a US keyboard, for layouts that write no Latin letters. */
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
export function getChord(press: KeyPress): string | undefined {
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
  if (isPlain) return KEY_NAMES[lower] ?? lower;
  const letter = /^(?:Key|Digit)(\w)$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? SIGNS[code]?.[shiftKey ? 1 : 0] ?? lower;
}

/** Whether a key press is the shortcut, which has one step: `mod+enter`, `d`. */
export function matchesShortcut(keys: string, press: KeyPress): boolean {
  return getChord(press) === keys.toLowerCase();
}

/** Whether a key pressed at this target belongs to a text, so that a single letter must not act. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable=''], [contenteditable=true]")) return true;
  const input = target.closest("input");
  return input !== null && !["checkbox", "radio", "range", "button", "submit"].includes(input.type);
}

/** Controls that need the arrow keys themselves. */
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

/** Keys that browsers or systems use. */
const BROWSER =
  /^(mod\+(shift\+)?[ntwqrlpfghjidoe]|mod\+(shift\+)?(tab|delete)|mod\+[0-9-]|mod\+plus|mod\+shift\+[bmcks]|mod\+s|f\d+|(mod|alt|shift)\+f\d+|alt\+(arrow\w+|home|f4|d|e|f|tab|space)|mod\+(pageup|pagedown|esc))$/;
/** Keys that edit text. */
const EDITING = /^(mod|mod\+shift|alt|alt\+shift)\+(arrow\w+|home|end|backspace)$|^mod\+[acvxuzy]$|^mod\+shift\+[zv]$/;
/** Keys that buttons, lists and fields use. */
const CONTROLS =
  /^(shift\+)?(enter|space|tab|esc|backspace|delete|contextmenu|insert|arrow\w+|home|end|pageup|pagedown)$/;
/** What `getChord` writes. */
const CHORD = /^(mod\+)?(alt\+)?(shift\+)?(\S|[a-z][a-z0-9]+)$/u;

/** Why keys cannot be given to a command, as the end of a sentence about them; undefined where they can. */
export function keyProblem(keys: string): string | undefined {
  const steps = keys.split(" ");
  if (steps.length > 2 || !steps.every((step) => CHORD.test(step))) return "can’t be used.";
  for (const step of steps) {
    if (BROWSER.test(step)) return "belongs to the browser.";
    if (EDITING.test(step)) return "is needed to edit text.";
    if (CONTROLS.test(step)) return "is needed for buttons, lists and fields.";
  }
  return undefined;
}

const KEY_WORDS: Record<string, string> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  plus: "+",
  pageup: "Page up",
  pagedown: "Page down",
  delete: "Del",
};
const MAC_WORDS: Record<string, string> = { ...KEY_WORDS, mod: "⌘", shift: "⇧", alt: "⌥", enter: "↵" };
const OTHER_WORDS: Record<string, string> = { ...KEY_WORDS, mod: "Ctrl" };

/** Whether this is a platform whose main modifier is the command key. */
function isApplePlatform(): boolean {
  return typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
}

/** `mod+enter` as the platform writes it: `⌘↵` on Apple's, `Ctrl+Enter` elsewhere; `g c` as `G C`. */
export function shortcutLabel(keys: string, apple: boolean = isApplePlatform()): string {
  const names = apple ? MAC_WORDS : OTHER_WORDS;
  const keyWord = (key: string) => names[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
  return keys
    .toLowerCase()
    .split(" ")
    .map((step) =>
      step
        .split("+")
        .map(keyWord)
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

/** What the person changed about keys. */
interface KeyChoices {
  /** The keys that the person gave to a command, by its id; empty where they took them away. */
  changed: Readonly<Record<string, string>>;
  /** Whether one letter, digit or sign without Ctrl, Cmd or Alt acts at all (WCAG 2.1.4). */
  singleKeys: boolean;
}

export const NO_CHOICES: KeyChoices = { changed: {}, singleKeys: true };

/** What the person changed about the keys, stored on this device where storage allows. */
export const useKeyChoices = create<KeyChoices>(() => NO_CHOICES);

/** Whether keys begin with a character that is typed without Ctrl, Cmd or Alt: `d`, `?`, `g c`, `shift+d`. */
export function isSingleKey(keys: string): boolean {
  const first = keys.split(" ")[0] ?? "";
  return /^(shift\+)?(.|plus|space)$/u.test(first);
}

type Keyed = Pick<CommandInfo, "id" | "keys" | "spends">;

/**
 * The keys of a command as the person has them now; undefined where it has none, where single keys are off, and for a single
 * key of a command that spends.
 */
export function keysNow({ changed, singleKeys }: KeyChoices, { id, keys, spends }: Keyed): string | undefined {
  const chosen = (Object.hasOwn(changed, id) ? changed[id] : keys) || undefined;
  const isOff = chosen !== undefined && isSingleKey(chosen) && (!singleKeys || spends === true);
  return isOff ? undefined : chosen;
}

/** Whether a press is for a command: by its keys, or by its second ones while the person has not changed the first. */
export function isKeyForCommand(
  choices: KeyChoices,
  command: Keyed & Pick<CommandInfo, "alsoKeys">,
  press: string,
): boolean {
  if (keysNow(choices, command) === press) return true;
  const isUnchanged = !Object.hasOwn(choices.changed, command.id);
  return isUnchanged && command.alsoKeys === press && (choices.singleKeys || !isSingleKey(press));
}

/** `keysNow` for a component, which renders again when the person changes keys. */
export function useKeys(command: Keyed | undefined): string | undefined {
  return useKeyChoices((choices) => (command ? keysNow(choices, command) : undefined));
}

/** Reads the stored choices of keys, and follows changes in other tabs. Returns a function that stops it. */
export function followKeyChoices(): () => void {
  const read = () => useKeyChoices.setState(readChoices(readJson(KEYS.shortcuts)));
  read();
  return onStoredChange(KEYS.shortcuts, read);
}

/** Gives keys to commands, by id: `""` takes them away, `undefined` restores the default. */
export function changeKeys(change: Readonly<Record<string, string | undefined>>): void {
  const { changed } = useKeyChoices.getState();
  const next = { ...changed, ...change };
  storeChoices({
    changed: Object.fromEntries(Object.entries(next).flatMap(([id, keys]) => (keys === undefined ? [] : [[id, keys]]))),
  });
}

/** Gives every command its default keys again. The choice about single keys stays. */
export function resetAllKeys(): void {
  storeChoices({ changed: NO_CHOICES.changed });
}

/** Turns keys without Ctrl, Cmd or Alt on or off. */
export function setSingleKeys(singleKeys: boolean): void {
  storeChoices({ singleKeys });
}

/** Changes the choices, and stores them unless all are defaults. */
function storeChoices(change: Partial<KeyChoices>): void {
  useKeyChoices.setState(change);
  const { changed, singleKeys } = useKeyChoices.getState();
  if (singleKeys && Object.keys(changed).length === 0) removeStored(KEYS.shortcuts);
  else writeJson(KEYS.shortcuts, { changed, singleKeys });
}

/** More than there are commands: stored data may be of any size. */
const MAX_CHANGED = 300;
const COMMAND_ID = /^[a-z0-9.-]{1,60}$/;

/** Reads stored choices as untrusted data. Keys that a page must not take, such as Enter alone for Run, are left out. */
function readChoices(raw: unknown): KeyChoices {
  if (!isRecord(raw)) return NO_CHOICES;
  const entries = isRecord(raw.changed) ? Object.entries(raw.changed).slice(0, MAX_CHANGED) : [];
  const changed: Record<string, string> = {};
  for (const [stored, keys] of entries) {
    if (!COMMAND_ID.test(stored) || typeof keys !== "string" || (keys !== "" && keyProblem(keys) !== undefined))
      continue;
    const id = currentId(stored);
    if (id === stored || !Object.hasOwn(changed, id)) changed[id] = keys;
  }
  return { changed, singleKeys: raw.singleKeys !== false };
}

/**
 * The present id for each id of older versions, in which an act was another command in each place. Keys that a person chose for
 * one of them now count everywhere.
 */
const OLD_IDS: Readonly<Record<string, string>> = {
  "create.models": "model.choose",
  "prices.model": "model.choose",
  "playground.model": "model.choose",
  "viewer.as-input": "result.input",
  "selection.as-input": "result.input",
  "viewer.reuse-all": "result.edit-again",
  "selection.reuse-all": "result.edit-again",
  "viewer.remix": "result.new-seed",
  "selection.remix": "result.new-seed",
  "sheet.reject": "result.reject",
  "sheet.job": "result.open",
  "sheet.next-result": "result.next",
  "compare.models": "result.compare-models",
  "compare.settings": "result.details",
  "compare.star-b": "result.star",
  "selection.zip": "result.download",
  "sheet.zip": "result.download",
  "answer.compare": "playground.metrics",
};
const OF_PLAYERS = /^(?:viewer|compare|result)\.(play|skip-back|skip-on|frame-back|frame-on|mute|loop|save-frame|pip)$/;
const OF_RESULTS =
  /^(?:viewer|compare|selection|sheet)\.(star|compare|compare-models|delete|download|reuse-prompt|reuse-seed|details|full-screen|previous|next|first|last|zoom-in|zoom-out|actual-size|fit)$/;

function currentId(stored: string): string {
  // This id is still in use, for the next step of a batch.
  if (stored === "sheet.next") return stored;
  const player = OF_PLAYERS.exec(stored)?.[1];
  const result = OF_RESULTS.exec(stored)?.[1];
  return OLD_IDS[stored] ?? (player && `player.${player}`) ?? (result && `result.${result}`) ?? stored;
}

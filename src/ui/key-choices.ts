import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { onStoredChange, readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { CommandInfo } from "./commands.ts";
import { keyProblem } from "./key-press.ts";

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
export function isKeyOf(choices: KeyChoices, command: Keyed & Pick<CommandInfo, "alsoKeys">, press: string): boolean {
  if (keysNow(choices, command) === press) return true;
  const isOwn = !Object.hasOwn(choices.changed, command.id);
  return isOwn && command.alsoKeys === press && (choices.singleKeys || !isSingleKey(press));
}

/** The same for a component, which follows the person's changes. */
export function useKeys(command: Keyed | undefined): string | undefined {
  return useKeyChoices((choices) => (command ? keysNow(choices, command) : undefined));
}

/** Fills the choices from what this browser has stored, and follows other tabs. Returns the way to stop. */
export function followKeyChoices(): () => void {
  const read = () => useKeyChoices.setState(readChoices(readJson(KEYS.shortcuts)));
  read();
  return onStoredChange(KEYS.shortcuts, read);
}

/** Gives keys to commands, by id: `""` takes them away, `undefined` goes back to the keys they came with. */
export function changeKeys(change: Readonly<Record<string, string | undefined>>): void {
  const { changed } = useKeyChoices.getState();
  const next = { ...changed, ...change };
  store({
    changed: Object.fromEntries(Object.entries(next).flatMap(([id, keys]) => (keys === undefined ? [] : [[id, keys]]))),
  });
}

/** Every command has the keys that it came with. Single keys stay as they are. */
export function resetAllKeys(): void {
  store({ changed: NO_CHOICES.changed });
}

/** Whether keys without Ctrl, Cmd or Alt act. */
export function setSingleKeys(singleKeys: boolean): void {
  store({ singleKeys });
}

function store(change: Partial<KeyChoices>): void {
  useKeyChoices.setState(change);
  const { changed, singleKeys } = useKeyChoices.getState();
  if (singleKeys && Object.keys(changed).length === 0) removeStored(KEYS.shortcuts);
  else writeJson(KEYS.shortcuts, { changed, singleKeys });
}

const MAX_CHANGED = 300;
const ID = /^[a-z0-9.-]{1,60}$/;

/** Untrusted: a key that a page must not take, such as Enter alone for Run, is left out. */
function readChoices(raw: unknown): KeyChoices {
  if (!isRecord(raw)) return NO_CHOICES;
  const entries = isRecord(raw.changed) ? Object.entries(raw.changed).slice(0, MAX_CHANGED) : [];
  const changed: Record<string, string> = {};
  for (const [stored, keys] of entries) {
    if (!ID.test(stored) || typeof keys !== "string" || (keys !== "" && keyProblem(keys) !== undefined)) continue;
    const id = idNow(stored);
    if (id === stored || !Object.hasOwn(changed, id)) changed[id] = keys;
  }
  return { changed, singleKeys: raw.singleKeys !== false };
}

/**
 * Ids of older versions, where the same act was another command in each place. Its keys in one of them are now its keys
 * everywhere.
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
};
const OF_PLAYERS = /^(?:viewer|compare|result)\.(play|skip-back|skip-on|frame-back|frame-on|mute|loop|save-frame|pip)$/;
const OF_RESULTS =
  /^(?:viewer|compare|selection|sheet)\.(star|compare|compare-models|delete|download|reuse-prompt|reuse-seed|details|full-screen|previous|next|first|last|zoom-in|zoom-out|actual-size|fit)$/;

function idNow(stored: string): string {
  // The next step of a batch has that id.
  if (stored === "sheet.next") return stored;
  const player = OF_PLAYERS.exec(stored)?.[1];
  const result = OF_RESULTS.exec(stored)?.[1];
  return OLD_IDS[stored] ?? (player && `player.${player}`) ?? (result && `result.${result}`) ?? stored;
}

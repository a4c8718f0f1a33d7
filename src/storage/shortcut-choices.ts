import { isRecord } from "#lib/read.ts";
import { NO_CHOICES, useKeyChoices } from "#ui/key-choices.ts";
import { keyProblem } from "#ui/key-press.ts";
import { onStoredChange, readJson, removeStored, writeJson } from "./browser-store.ts";
import { KEYS } from "./keys.ts";

const MOST_CHANGED = 300;
const ID = /^[a-z0-9.-]{1,60}$/;

/** Fills the choices from what this browser has stored, and follows other tabs. Returns the way to stop. */
export function followShortcutChoices(): () => void {
  const read = () => useKeyChoices.setState(readChoices(readJson(KEYS.shortcuts)));
  read();
  return onStoredChange(KEYS.shortcuts, read);
}

/**
 * Gives keys to commands, by id: `""` takes them away, `undefined` goes back to the keys they came with. Stored on this
 * device where storage allows. Never throws.
 */
export function changeKeys(change: Readonly<Record<string, string | undefined>>): void {
  const { changed } = useKeyChoices.getState();
  const next = { ...changed, ...change };
  keep({
    changed: Object.fromEntries(Object.entries(next).flatMap(([id, keys]) => (keys === undefined ? [] : [[id, keys]]))),
  });
}

/** Every command has the keys that it came with. Single keys stay as they are. Never throws. */
export function resetAllKeys(): void {
  keep({ changed: NO_CHOICES.changed });
}

/** Whether keys without Ctrl, Cmd or Alt act. Never throws. */
export function setSingleKeys(singleKeys: boolean): void {
  keep({ singleKeys });
}

function keep(change: Partial<ReturnType<typeof useKeyChoices.getState>>): void {
  useKeyChoices.setState(change);
  const { changed, singleKeys } = useKeyChoices.getState();
  if (singleKeys && Object.keys(changed).length === 0) removeStored(KEYS.shortcuts);
  else writeJson(KEYS.shortcuts, { changed, singleKeys });
}

/** Untrusted: a key that a page must not take, such as Enter alone for Run, is left out. */
function readChoices(raw: unknown): typeof NO_CHOICES {
  if (!isRecord(raw)) return NO_CHOICES;
  const entries = isRecord(raw.changed) ? Object.entries(raw.changed).slice(0, MOST_CHANGED) : [];
  const changed: Record<string, string> = {};
  for (const [id, keys] of entries) {
    if (ID.test(id) && typeof keys === "string" && (keys === "" || keyProblem(keys) === undefined)) changed[id] = keys;
  }
  return { changed, singleKeys: raw.singleKeys !== false };
}

import { create } from "zustand";

interface KeyChoices {
  /** The keys that the person gave to a command, by its id; empty where they took them away. */
  changed: Readonly<Record<string, string>>;
  /** Whether one letter, digit or sign without Ctrl, Cmd or Alt acts at all (WCAG 2.1.4). */
  singleKeys: boolean;
}

export const NO_CHOICES: KeyChoices = { changed: {}, singleKeys: true };

/** What the person changed about the keys. `storage/shortcut-choices.ts` fills it and stores it. */
export const useKeyChoices = create<KeyChoices>(() => NO_CHOICES);

/** Whether keys begin with a character that is typed without Ctrl, Cmd or Alt: `d`, `?`, `g c`, `shift+d`. */
export function isSingleKey(keys: string): boolean {
  const first = keys.split(" ")[0] ?? "";
  return /^(shift\+)?(.|plus|space)$/u.test(first);
}

/** The keys of a command as the person has them now; undefined where it has none, or single keys are off. */
export function keysNow(
  { changed, singleKeys }: KeyChoices,
  id: string | undefined,
  keys: string | undefined,
): string | undefined {
  const chosen = (id !== undefined && Object.hasOwn(changed, id) ? changed[id] : keys) || undefined;
  return chosen !== undefined && !singleKeys && isSingleKey(chosen) ? undefined : chosen;
}

/** The same for a component, which follows the person's changes. */
export function useKeys(id: string | undefined, keys: string | undefined): string | undefined {
  return useKeyChoices((choices) => keysNow(choices, id, keys));
}

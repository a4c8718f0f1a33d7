import { oneLine } from "./visible-text.ts";

/** Something that a person saved under a name. */
export interface Named {
  name: string;
}

/** The longest name that is saved, in characters. An earlier version saved longer ones: they stay as they are. */
export const MAX_NAME_LENGTH = 80;

/**
 * A list of named items with its actions. Names are unique, whatever white space they have. An action rejects when the change
 * was not stored.
 */
export interface NamedList<T extends Named> {
  items: readonly T[];
  /** False until the stored list was read. Before that, nobody knows what a save would replace. */
  isRead: boolean;
  /** The stored list could not be read, so `items` is empty whatever is stored. */
  hasFailed: boolean;
  /** Stores an item and replaces one of the same name. Resolves to what was stored. */
  save(item: T): Promise<T>;
  /** Puts back a removed item. Where another one has its name by now, it gets a number. */
  restore(item: T): Promise<T>;
  /**
   * Renames an item and removes another one that has the new name. Does nothing where `from` is not in the list any
   * more. Resolves to the name as it was stored.
   */
  rename(from: string, to: string): Promise<string>;
  remove(name: string): Promise<void>;
}

/** Whether two names differ in nothing but white space. */
export const isSameName = (a: string, b: string) => oneLine(a) === oneLine(b);

/** Puts an item first and removes one of the same name. */
export function withSaved<T extends Named>(items: readonly T[], item: T): T[] {
  return [item, ...items.filter(({ name }) => !isSameName(name, item.name))];
}

/** Puts a removed item first again. Where its name is taken by now it gets a number, so nothing is replaced. */
export function withRestored<T extends Named>(items: readonly T[], item: T): T[] {
  const isTaken = (name: string) => items.some((one) => isSameName(one.name, name));
  let name = item.name;
  for (let number = 2; isTaken(name); number += 1) name = `${item.name} (${number})`;
  return [{ ...item, name }, ...items];
}

/** Renames an item and removes another one that has the new name. Returns the same array where nothing changes. */
export function withRenamed<T extends Named>(items: readonly T[], from: string, to: string): readonly T[] {
  const renamed = items.find(({ name }) => name === from);
  if (!renamed || from === to) return items;
  return items
    .filter((item) => item === renamed || !isSameName(item.name, to))
    .map((item) => (item === renamed ? { ...item, name: to } : item));
}

/** The items without the one of exactly this name. */
export function withoutNamed<T extends Named>(items: readonly T[], name: string): T[] {
  return items.filter((item) => item.name !== name);
}

import { oneLine } from "./visible-text.ts";

/** Something that a person saved under a name. */
export interface Named {
  name: string;
}

/** The longest name that is saved, in characters. An earlier version saved longer ones: they stay as they are. */
export const MAX_NAME_LENGTH = 80;

/**
 * Such things, and what can be done with them. Names that differ in nothing but space are one name, and each is there once.
 * The acts reject where nothing was stored.
 */
export interface NamedList<T extends Named> {
  items: readonly T[];
  /** False as long as it is not known what was saved. */
  isRead: boolean;
  /** One of the same name is replaced. Resolves to what was stored. */
  save(item: T): Promise<T>;
  /** Puts back what was removed. Where another one has its name by now, it gets a number. */
  restore(item: T): Promise<T>;
  /** In the place of one that had the name. Does nothing where `from` is not there any more. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Whether two names are one for a person who reads them. */
export const isSameName = (a: string, b: string) => oneLine(a) === oneLine(b);

/** The items with this one, which comes first. */
export function withSaved<T extends Named>(items: readonly T[], item: T): T[] {
  return [item, ...withoutNamed(items, item.name)];
}

/** The items with one that was removed, under its name or under that name with a number: nothing is replaced. */
export function withRestored<T extends Named>(items: readonly T[], item: T): T[] {
  const isTaken = (name: string) => items.some((one) => isSameName(one.name, name));
  let name = item.name;
  for (let number = 2; isTaken(name); number += 1) name = `${item.name} (${number})`;
  return [{ ...item, name }, ...items];
}

/** The items with one renamed; the same ones where it is not among them, or has that name. */
export function withRenamed<T extends Named>(items: readonly T[], from: string, to: string): readonly T[] {
  const renamed = items.find(({ name }) => name === from);
  if (!renamed || isSameName(from, to)) return items;
  return items
    .filter((item) => item === renamed || !isSameName(item.name, to))
    .map((item) => (item === renamed ? { ...item, name: to } : item));
}

/** The items without the one of a name. */
export function withoutNamed<T extends Named>(items: readonly T[], name: string): T[] {
  return items.filter((item) => !isSameName(item.name, name));
}

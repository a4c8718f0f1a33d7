import { formatNumber } from "#lib/numbers.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";

/** The most entries that one object or list may have, and the whole listing. Real ones have hundreds. */
const MAX_ENTRIES = 10_000;
const MAX_VALUES = 150_000;
/** Levels of nesting. A deeper object or list becomes empty, which stands for any value. */
const DEEPEST = 80;
/** Lists up to this long are copied without a closer look. */
const SHORT_LIST = 100;
/** The most fields that are made for required names that no property describes. */
const MAX_UNDESCRIBED = 50;

interface Bounded {
  raw: unknown;
  /** What was left out, in sentences. */
  notes: string[];
  /** Nothing can be read of a listing of this size in the time that a page has. */
  isTooLarge: boolean;
}

interface Walk {
  /** How many values may still be copied. Negative: the listing is too large. */
  left: number;
  notes: string[];
}

/**
 * A listing of a size that every later step can afford (H9 in `test/README.md`): long lists of plain values are left
 * out, `required` names only what there is, and what is nested too deeply may be any value. The listing itself is not
 * changed.
 */
export function boundListing(raw: unknown): Bounded {
  const walk: Walk = { left: MAX_VALUES, notes: [] };
  const bounded = copy(walk, raw, 0);
  return { raw: bounded, notes: walk.notes, isTooLarge: walk.left < 0 };
}

function copy(walk: Walk, value: unknown, depth: number): unknown {
  walk.left -= 1;
  if (walk.left < 0) return undefined;
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) walk.left = -1;
    return depth > DEEPEST ? [] : copyList(walk, value, depth);
  }
  if (!isRecord(value)) return value;
  if (depth > DEEPEST) return {};
  const entries = Object.entries(value);
  if (entries.length > MAX_ENTRIES) walk.left = -1;
  let isSame = true;
  const bounded: [string, unknown][] = [];
  for (const [key, inner] of entries) {
    if (walk.left < 0) break;
    const next = copyEntry(walk, value, key, inner, depth);
    isSame &&= next === inner;
    if (next !== undefined) bounded.push([key, next]);
  }
  return isSame ? value : Object.fromEntries(bounded);
}

function copyEntry(walk: Walk, parent: JsonRecord, key: string, value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || value.length <= SHORT_LIST) return copy(walk, value, depth + 1);
  if (key === "required" || key === "dependentRequired") return knownNames(walk, parent, value);
  if (value.length <= MAX_ENTRIES || value.some((item) => typeof item === "object" && item !== null)) {
    return copy(walk, value, depth + 1);
  }
  walk.notes.push(`A list of ${formatNumber(value.length)} values is too long for this form.`);
  return undefined;
}

function copyList(walk: Walk, list: readonly unknown[], depth: number): unknown {
  let isSame = true;
  const items: unknown[] = [];
  for (const item of list) {
    if (walk.left < 0) break;
    const next = copy(walk, item, depth + 1);
    isSame &&= next === item;
    items.push(next);
  }
  return isSame ? list : items;
}

/** `required` without repetitions: all names with a property, and a few of the others. */
function knownNames(walk: Walk, parent: JsonRecord, names: readonly unknown[]): string[] {
  const properties = isRecord(parent.properties) ? parent.properties : {};
  const unique = new Set(names.filter((name) => typeof name === "string"));
  const known = [...unique].filter((name) => Object.hasOwn(properties, name));
  const others = [...unique].filter((name) => !Object.hasOwn(properties, name));
  if (others.length > MAX_UNDESCRIBED) {
    walk.notes.push(
      `The model requires ${formatNumber(others.length)} parameters without describing them. ` +
        `${MAX_UNDESCRIBED} of them are shown.`,
    );
  }
  return [...known, ...others.slice(0, MAX_UNDESCRIBED)];
}

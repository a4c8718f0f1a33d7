import { isRecord, type JsonRecord } from "./read.ts";

/*
 * Finds fields by their name in any spelling, at the top of a response or inside its envelopes: servers write `created_at`,
 * `createdAt`, `CreatedAt` and `created-at`, and put what they say into `data`, `result` or `attributes`.
 */

/** A field that was found: its value, and the keys and positions that lead to it. */
interface FoundValue {
  value: unknown;
  path: readonly (string | number)[];
}

interface FindOptions {
  /** How many levels of envelopes are searched; 0 is the record itself. 3 unless given. */
  depth?: number;
  /**
   * Which keys lead to a record that is searched as well: names in any spelling, or a test of a key as `plainName` writes
   * it. All of them unless given.
   */
  into?: readonly string[] | ((plain: string) => boolean);
  /** Whether a value counts as found. Unless given, every value but null and undefined does. */
  accept?: (value: unknown) => boolean;
}

/** The most records and lists that one search visits. */
const MAX_VISITS = 500;
/** The first items of a list stand for all of them. */
const MAX_LIST_ITEMS = 3;
/** At this size the cache of plain names is emptied. */
const MAX_NAMES = 5000;
/** A cache of a pure function, emptied when it is full. */
const plainNames = new Map<string, string>();

/** A name without its spelling: small letters and digits only, so that `createdAt` and `Created-At` are `createdat`. */
export function plainName(key: string): string {
  const known = plainNames.get(key);
  if (known !== undefined) return known;
  const plain = key
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  if (plainNames.size >= MAX_NAMES) plainNames.clear();
  plainNames.set(key, plain);
  return plain;
}

/** Whether two names differ in nothing but their spelling: camel, snake, kebab or Pascal case. */
export function sameName(a: string, b: string): boolean {
  return a === b || plainName(a) === plainName(b);
}

/** The value of a record's own key of this name, in any spelling. Null counts as a value. */
export function ownNamed(source: JsonRecord, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name];
  const plain = plainName(name);
  const key = Object.keys(source).find((other) => plainName(other) === plain);
  return key === undefined ? undefined : source[key];
}

/**
 * The first field under one of `names`, in any spelling: nearer the top first, and on one level in the order of `names`.
 * Records are looked into, and the first items of lists. Bounded by depth and by 500 records and lists.
 */
export function findNamed(
  source: unknown,
  names: readonly string[],
  options: FindOptions = {},
): FoundValue | undefined {
  const { depth = 3, accept = (value) => value !== null && value !== undefined } = options;
  const wanted = names.map(plainName);
  const leads = leadsInto(options.into);
  let level: FoundValue[] = [{ value: source, path: [] }];
  let visitsLeft = MAX_VISITS;
  for (let levelDepth = 0; levelDepth <= depth && level.length > 0; levelDepth++) {
    const next: FoundValue[] = [];
    let best: FoundValue | undefined;
    let bestRank = wanted.length;
    for (const { value: container, path } of level) {
      if (visitsLeft-- <= 0) break;
      if (Array.isArray(container)) {
        for (const [position, value] of container.slice(0, MAX_LIST_ITEMS).entries())
          if (typeof value === "object") next.push({ value, path: [...path, position] });
      }
      if (!isRecord(container)) continue;
      for (const key of Object.keys(container)) {
        const value = container[key];
        const plain = plainName(key);
        const rank = wanted.indexOf(plain);
        if (rank >= 0 && rank < bestRank && accept(value)) {
          best = { value, path: [...path, key] };
          bestRank = rank;
        }
        if (typeof value === "object" && value !== null && leads(plain)) next.push({ value, path: [...path, key] });
      }
    }
    if (best) return best;
    level = next;
  }
  return undefined;
}

/** The first text of these fields that is not blank: see `findNamed`. */
export function findText(source: unknown, names: readonly string[], options?: FindOptions): string | undefined {
  const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
  const found = findNamed(source, names, { ...options, accept: isText })?.value;
  return typeof found === "string" ? found : undefined;
}

function leadsInto(into: FindOptions["into"]): (plain: string) => boolean {
  if (typeof into === "function") return into;
  if (into === undefined) return () => true;
  const names = new Set(into.map(plainName));
  return (plain) => names.has(plain);
}

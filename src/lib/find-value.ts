import { isRecord, type JsonRecord } from "./read.ts";

/*
 * Fields by their name in any spelling, at the top of an answer or inside its envelopes: servers write `created_at`,
 * `createdAt`, `CreatedAt` and `created-at`, and put what they say into `data`, `result` or `attributes`.
 */

/** A field that was found: its value, and the keys and positions that lead to it. */
interface FoundValue {
  value: unknown;
  path: readonly (string | number)[];
}

interface FindOptions {
  /** Levels of envelopes that are looked into; 0 is the record itself. 3 unless given. */
  depth?: number;
  /**
   * Whether a record under this key is looked into. The key comes as `plainName` writes it. Any is, unless given; a list
   * of names in any spelling is taken too.
   */
  into?: readonly string[] | ((plain: string) => boolean);
  /** Whether a value is of the kind that is looked for. Any but null is, unless given. */
  accept?: (value: unknown) => boolean;
}

/** The most records that are looked at; a list counts each of its first few. */
const MAX_RECORDS = 500;
const MAX_OF_A_LIST = 3;
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
 * Records are looked into, and the first items of lists. Bounded by depth and by 500 records.
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
  let left = MAX_RECORDS;
  for (let at = 0; at <= depth && level.length > 0; at++) {
    const next: FoundValue[] = [];
    let best: FoundValue | undefined;
    let rank = wanted.length;
    for (const { value: here, path } of level) {
      if (left-- <= 0) break;
      if (Array.isArray(here)) {
        for (const [position, value] of here.slice(0, MAX_OF_A_LIST).entries())
          if (typeof value === "object") next.push({ value, path: [...path, position] });
      }
      if (!isRecord(here)) continue;
      for (const key of Object.keys(here)) {
        const value = here[key];
        const plain = plainName(key);
        const place = wanted.indexOf(plain);
        if (place >= 0 && place < rank && accept(value)) {
          best = { value, path: [...path, key] };
          rank = place;
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

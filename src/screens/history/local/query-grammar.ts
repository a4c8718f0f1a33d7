/** One condition of a search: a word of the text, or a named fact. */
export interface Term {
  isNot: boolean;
  /** `text`, or the name before the colon. */
  field: Field;
  /** Lower case. */
  value: string;
  compare: "is" | ">" | "<";
}

export const FIELDS = [
  "text",
  "model",
  "status",
  "type",
  "seed",
  "tag",
  "is",
  "cost",
  "before",
  "after",
  "id",
] as const;
export type Field = (typeof FIELDS)[number];

// A term: an optional minus, an optional name with a sign, then a quoted or a plain value.
const TERM = /(-)?(?:([a-z]+)(:|>=?|<=?))?(?:"([^"]*)"?|(\S+))/giu;

/**
 * The terms of a search, all of which must hold: words, "quoted phrases", `model:` `status:` `type:` `seed:` `tag:` `id:`
 * `is:starred` `is:expiring` `is:saved` `cost>0.5` `before:2026-11-01` `after:2026-11-01`, each with `-` for its
 * opposite. A name that is not known is taken as text, colon and all.
 */
export function readQuery(query: string): Term[] {
  return Array.from(query.matchAll(TERM), ([whole, minus, name, sign, quoted, plain]) => {
    const field = FIELDS.find((known) => known === name?.toLowerCase() && known !== "text");
    const value = (quoted ?? plain ?? "").toLowerCase();
    const isNot = minus === "-";
    if (!field || !sign)
      return { isNot, field: "text", value: name ? textOf(whole, isNot) : value, compare: "is" } as const;
    const compare = sign.startsWith(">") ? ">" : sign.startsWith("<") ? "<" : "is";
    return { isNot, field, value, compare } as const;
  }).filter((term) => term.value !== "");
}

function textOf(whole: string, isNot: boolean): string {
  return (isNot ? whole.slice(1) : whole).replaceAll('"', "").toLowerCase();
}

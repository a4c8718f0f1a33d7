const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  times: "×",
  divide: "÷",
  deg: "°",
  plusmn: "±",
  middot: "·",
  bull: "•",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  le: "≤",
  ge: "≥",
  ne: "≠",
  euro: "€",
  pound: "£",
  yen: "¥",
  sect: "§",
  para: "¶",
  infin: "∞",
  micro: "µ",
};
const entities = new Map(Object.entries(ENTITIES));
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,6}));/g;

/** Resolves the character references of a text. An unknown one stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? stripHidden(String.fromCodePoint(code)) : "\ufffd";
  });
}

/**
 * Removes characters that nobody sees: those that reorder text, which can make one address look like another; control
 * characters; and tag characters, which can carry a whole hidden text.
 */
export function stripHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f\u{e0000}-\u{e0fff}]|[^\P{Cc}\t\n\r]/gu;

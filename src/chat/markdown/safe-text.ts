interface SafeAddress {
  href: string;
  /** Where the address really leads: a host as the browser sends it (punycode), or an e-mail address. */
  target: string;
  /** The path and query of an address on the web, for showing. */
  path: string;
}

/** Reads an address of a link or picture. Undefined unless it is an absolute http, https or mailto address. */
export function safeAddress(raw: string): SafeAddress | undefined {
  const text = stripBidi(decodeEntities(raw)).trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "mailto:") return { href: url.href, target: url.pathname, path: "" };
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return { href: url.href, target: url.host, path: url.pathname + url.search };
}

/** True if a link's text already shows where it leads. */
export function showsTarget(text: string, { target }: SafeAddress): boolean {
  const shown = stripBidi(text).trim().toLowerCase();
  const bare = shown.replace(/^(?:https?:\/\/|mailto:)/, "");
  const wanted = target.toLowerCase();
  return bare === wanted || ["/", "?", "#"].some((mark) => bare.startsWith(wanted + mark));
}

const NAMED: Record<string, string> = {
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
const names = new Map(Object.entries(NAMED));
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,6}));/g;

/** Text with its character references resolved; one that is not known stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return names.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? stripBidi(String.fromCodePoint(code)) : "\ufffd";
  });
}

/** Without the controls that reorder text, which can make one address or line of code look like another. */
export function stripBidi(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f]/g, "");
}

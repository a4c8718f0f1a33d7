/** Characters that are invisible in code, or change the direction of its text: control, format, line separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/u;

const hex = (value: number, width: number) => value.toString(16).padStart(width, "0");

/**
 * A text as a word of bash. Plain text stays readable in single quotes; hidden characters become bytes in `$'…'`.
 */
export function quoteBash(text: string): string {
  if (!HIDDEN.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [...text].map((character) => {
    if (character === "'" || character === "\\") return `\\${character}`;
    if (!HIDDEN.test(character)) return character;
    return [...new TextEncoder().encode(character)].map((byte) => `\\x${hex(byte, 2)}`).join("");
  });
  return `$'${parts.join("")}'`;
}

function quote(text: string, hide: (codePoint: number) => string): string {
  const parts = [...text].map((character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return HIDDEN.test(character) ? hide(character.codePointAt(0) ?? 0) : character;
  });
  return `"${parts.join("")}"`;
}

/** A text as a TypeScript string. */
export const quoteTypeScript = (text: string): string => quote(text, (code) => `\\u{${code.toString(16)}}`);

/** A text as a Python string. */
export const quotePython = (text: string): string =>
  quote(text, (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`));

/** The first word of a text with the white space before it: what is taken of a continuation at once. */
export function firstWord(text: string): string {
  return /^\s*\S+/.exec(text)?.[0] ?? text;
}

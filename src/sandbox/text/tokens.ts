/**
 * Words of up to eight letters with the space before them, short numbers, single signs, and space. A run of space leaves its
 * last one to the token after it.
 */
const TOKEN = /[ ]?\p{L}{1,8}|[ ]?\p{N}{1,3}|[ ]?[^\s\p{L}\p{N}]\p{M}*|\s+?(?=\s?\S|$)|\s+/gu;

/** Cuts a text into the sandbox's tokens; joined they are the text again, character for character. */
export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** How many tokens a text counts for. */
export function countTokens(text: string): number {
  return splitTokens(text).length;
}

/** The part in which a text differs from the others of its group. */
export interface VaryingText {
  before: string;
  varies: string;
  after: string;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * What all texts begin and end with, in whole words, so that the rest can be shown in bold. No part varies where there is one
 * text only, or nothing in common.
 */
export function commonEnds(texts: readonly string[]): { start: number; end: number } {
  const [first = "", ...others] = new Set(texts);
  if (others.length === 0) return { start: first.length, end: 0 };
  let start = Math.min(...[first, ...others].map(({ length }) => length));
  let end = start;
  for (const text of others) {
    let at = 0;
    while (at < start && text[at] === first[at]) at += 1;
    start = at;
    let back = 0;
    while (back < end && text[text.length - 1 - back] === first[first.length - 1 - back]) back += 1;
    end = back;
  }
  // Words are not cut.
  while (start > 0 && LETTER.test(first[start - 1] ?? "")) start -= 1;
  while (end > 0 && LETTER.test(first[first.length - end] ?? "")) end -= 1;
  const shortest = Math.min(...[first, ...others].map(({ length }) => length));
  return { start, end: Math.min(end, shortest - start) };
}

/** A text of the group in its three parts. */
export function varyingText(text: string, { start, end }: { start: number; end: number }): VaryingText {
  const stop = Math.max(start, text.length - end);
  return { before: text.slice(0, start), varies: text.slice(start, stop), after: text.slice(stop) };
}

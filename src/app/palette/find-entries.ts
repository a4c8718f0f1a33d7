import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { StatusTone } from "#ui/indicators.tsx";

/** The groups of the palette, in their order. */
export const GROUPS = ["On this screen", "Jobs", "Go to", "Models", "Settings", "By ID"] as const;
export type PaletteGroup = (typeof GROUPS)[number];

/** One line of the palette. */
export interface PaletteEntry {
  /** Unique in the list; part of an element's id. */
  id: string;
  group: PaletteGroup;
  label: string;
  icon?: LucideIcon | undefined;
  /** A small image in place of the icon. */
  picture?: ReactNode;
  /** Quiet words: beside the label, or below it where there is an image. */
  detail?: string | undefined;
  /** Other words that it is found by. */
  words?: string | undefined;
  /** A price, or how something is set now. */
  value?: string | undefined;
  /** The status of a job. */
  status?: { word: string; tone: StatusTone } | undefined;
  keys?: string | undefined;
  /** Why it cannot act now. */
  unavailable?: string | undefined;
  /** It is chosen and the palette stays open. */
  staysOpen?: boolean | undefined;
  run: () => void;
}

/** How well a text fits what was typed: 0 is best. Undefined stands for a text that does not fit. */
type Rank = number;

const EXACT = 0;
const PREFIX = 1;
const WORD_START = 2;
const WITHIN = 3;
const INITIALS = 4;
const TYPO = 5;
const SHORTEST_WITH_TYPO = 4;
/** The most entries among which initials and typing errors are found: more would take too long while one types. */
const MAX_LOOSE = 1000;

/** A text in lower case, without accents; of the same length wherever that is possible, so that places in it fit. */
export function fold(text: string): string {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.length === text.length ? folded : text.toLowerCase();
}

/** The words of a search, folded. */
export function getSearchWords(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/** Whether a folded text has a letter or digit there. Most are ASCII, and a pattern is slow for thousands of them. */
function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code > 127 && /[\p{L}\p{N}]/u.test(text.charAt(at)))
  );
}

/** How a word stands in a folded text, letter for letter. */
function getWordRank(text: string, word: string): Rank | undefined {
  const at = text.indexOf(word);
  if (at === -1) return undefined;
  if (at === 0) return text.length === word.length ? EXACT : PREFIX;
  for (let place = at; place !== -1; place = text.indexOf(word, place + 1)) {
    if (!isWordCharacter(text, place - 1)) return WORD_START;
  }
  return WITHIN;
}

/** How a word stands in a folded text as its initials ("cm" for "choose model"), or with one letter wrong. */
function looseRankOf(text: string, word: string): Rank | undefined {
  const starts = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ index }) => index);
  const initials = starts.map((at) => text.charAt(at)).join("");
  if (word.length > 1 && initials.includes(word)) return INITIALS;
  if (word.length < SHORTEST_WITH_TYPO) return undefined;
  return starts.some((at) => isNear(text.slice(at, at + word.length + 1), word)) ? TYPO : undefined;
}

/** Whether a word begins as another, but for one letter that is wrong, missing, too many, or swapped with its neighbour. */
export function isNear(whole: string, typed: string): boolean {
  let at = 0;
  while (at < typed.length && whole[at] === typed[at]) at++;
  if (at === typed.length) return true;
  const rest = typed.slice(at + 1);
  return (
    whole.startsWith(rest, at + 1) ||
    whole.startsWith(typed.slice(at), at + 1) ||
    whole.startsWith(rest, at) ||
    (typed[at] === whole[at + 1] && typed[at + 1] === whole[at] && whole.startsWith(typed.slice(at + 2), at + 2))
  );
}

interface Searchable {
  label: string;
  detail?: string | undefined;
  /** Other words that it is found by. */
  words?: string | undefined;
}

/**
 * The entries in which every word stands, best first and else in their order. Initials and typing errors count only where
 * nothing fits letter for letter.
 */
export function findEntries<T extends Searchable>(entries: readonly T[], words: readonly string[]): T[] {
  if (words.length === 0) return [...entries];
  const found = ranked(entries, words, getWordRank);
  return found.length > 0 || entries.length > MAX_LOOSE
    ? found
    : ranked(entries, words, (text, word) => getWordRank(text, word) ?? looseRankOf(text, word));
}

function ranked<T extends Searchable>(
  entries: readonly T[],
  words: readonly string[],
  rank: (text: string, word: string) => Rank | undefined,
): T[] {
  const whole = words.join(" ");
  const found: { entry: T; score: number }[] = [];
  for (const entry of entries) {
    const { label, rest } = foldedEntry(entry);
    const isBegun = label.startsWith(whole);
    let score = isBegun && label.length > whole.length ? PREFIX : EXACT;
    for (const word of isBegun ? [] : words) {
      // A word of the label counts more than the same place in the words beside it.
      const wordRank = rank(label, word) ?? weakened(rank(rest, word), WITHIN + 0.5);
      if (wordRank === undefined) {
        score = Number.NaN;
        break;
      }
      score = Math.max(score, wordRank);
    }
    if (!Number.isNaN(score)) found.push({ entry, score });
  }
  return found.sort((a, b) => a.score - b.score).map(({ entry }) => entry);
}

const foldedEntries = new WeakMap<Searchable, { label: string; rest: string }>();

/** The texts of an entry, folded once: for ten thousand models this takes longer than all the rest of a search. */
function foldedEntry(entry: Searchable): { label: string; rest: string } {
  const cached = foldedEntries.get(entry);
  if (cached) return cached;
  const folded = { label: fold(entry.label), rest: fold(`${entry.detail ?? ""} ${entry.words ?? ""}`) };
  foldedEntries.set(entry, folded);
  return folded;
}

/** The rank of a hit beside the label: above `more`, and among such hits by how well it fits. */
const weakened = (rank: Rank | undefined, more: number) => (rank === undefined ? undefined : rank / 10 + more);

/** The parts of a text, each with whether it was typed. */
export function markedParts(text: string, words: readonly string[]): { text: string; isMarked: boolean }[] {
  const folded = fold(text);
  if (words.length === 0 || folded.length !== text.length) return [{ text, isMarked: false }];
  const isMarked = new Array<boolean>(text.length).fill(false);
  for (const word of words) {
    const at = bestPlace(folded, word);
    if (at !== -1) isMarked.fill(true, at, at + word.length);
  }
  const parts: { text: string; isMarked: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = parts.at(-1);
    if (last && last.isMarked === isMarked[at]) last.text += text.charAt(at);
    else parts.push({ text: text.charAt(at), isMarked: isMarked[at] ?? false });
  }
  return parts;
}

/** The place where a word begins a word of the text, else where it is found first. */
function bestPlace(text: string, word: string): number {
  const first = text.indexOf(word);
  for (let place = first; place !== -1; place = text.indexOf(word, place + 1)) {
    if (place === 0 || !isWordCharacter(text, place - 1)) return place;
  }
  return first;
}

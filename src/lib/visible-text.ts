import { counted } from "./numbers.ts";

// Characters that nobody sees, or that put others in another place: with them one text looks like another.

/** Scripts whose letters are written differently around a joiner or a non-joiner. */
const JOINING = [
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer",
  "Myanmar Tibetan",
]
  .join(" ")
  .split(" ")
  .map((script) => `\\p{Script=${script}}`)
  .join("");

const HIDDEN = [
  // Controls except tab and line ends; soft hyphen, fillers, and halves of a surrogate pair.
  "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0",
  // Bidirectional controls, zero-width characters, line and paragraph separators, annotations, interlinear marks.
  "\\u061c\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\p{Cs}",
  // Variation selectors and tags, which can carry a whole hidden text.
  "\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}",
].join("");

const HIDDEN_ANY = new RegExp(`[${HIDDEN}]`, "u");
/** Hidden characters. The first three match those that a visible text needs: in emoji, and in scripts with joiners. */
const PIECES = new RegExp(
  [
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
    "(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f](?![\\ufe00-\\ufe0f])",
    `(?<=[${JOINING}\\p{M}])[\\u200c\\u200d](?=[${JOINING}])`,
    `([${HIDDEN}]+?)(?=[^${HIDDEN}]|$)`,
  ].join("|"),
  "gu",
);
/** Up to so many hidden characters in a row are named one by one; more are counted. */
const MAX_NAMED = 4;

/**
 * A text from elsewhere as it is to be shown: hidden and reordering characters are named, such as `⟨U+202E⟩`, or counted
 * where there are many in a row. Tabs and line ends stay, as does what emoji and some scripts need.
 */
export function visibleText(text: string): string {
  if (!HIDDEN_ANY.test(text)) return text;
  return text.replace(PIECES, (whole, hidden?: string) => (hidden === undefined ? whole : named(hidden)));
}

function named(hidden: string): string {
  const characters = [...hidden];
  if (characters.length > MAX_NAMED) return `⟨${counted(characters.length, "hidden character")}⟩`;
  return characters.map((character) => `⟨U+${codeOf(character)}⟩`).join("");
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** `visibleText` on one line and of at most `longest` characters: for names, labels and titles. */
export function visibleLine(text: string, longest = 200): string {
  // Cut before as well: a name of megabytes is not read to its end for its first words.
  const line = visibleText(text.slice(0, longest * 4))
    .replace(/\s+/gu, " ")
    .trim();
  if (line.length <= longest && text.length <= longest * 4) return line;
  return `${[...line.slice(0, longest)].slice(0, -1).join("")}…`;
}

/** A name as a person typed it: one line without space around it, at most `longest` characters; may be empty. */
export const oneLine = (text: string, longest = text.length) =>
  text.replace(/\s+/g, " ").trim().slice(0, longest).trim();

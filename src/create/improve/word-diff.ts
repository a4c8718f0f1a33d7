import { diffArrays } from "diff";

interface DiffPart {
  kind: "same" | "gone" | "new";
  text: string;
}

/** Texts that differ in more pieces are not compared word by word: the time grows with the square of these. */
const MAX_EDITS = 1500;

/** What changed, word by word. Joined, `same` and `gone` give the old text, `same` and `new` the new one. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const changes = diffArrays(splitWords(before), splitWords(after), { maxEditLength: MAX_EDITS }) ?? [
    { value: [before], removed: true, added: false },
    { value: [after], removed: false, added: true },
  ];
  return changes
    .map(({ value, removed, added }) => ({
      kind: removed ? ("gone" as const) : added ? ("new" as const) : ("same" as const),
      text: value.join(""),
    }))
    .filter(({ text }) => text !== "");
}

/** Words and the white space between them, each a piece of its own. */
function splitWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}'’]+|[^\s\p{L}\p{N}'’]+/gu) ?? [];
}

import type { Conversation } from "./conversation.ts";

/** A place in a conversation where what was looked for stands: the text before, the first word found, the text after. */
export interface FoundPlace {
  before: string;
  hit: string;
  after: string;
}

const AROUND = 48;

/** The first message, system prompt or document that holds every word. `words` are in lower case; none find nothing. */
export function findInMessages({ columns }: Conversation, words: readonly string[]): FoundPlace | undefined {
  const first = words[0];
  if (first === undefined) return undefined;
  for (const { system, document, thread } of columns) {
    for (const text of [system, document, ...thread.turns.map((turn) => turn.text)]) {
      const lower = text.toLowerCase();
      if (!words.every((word) => lower.includes(word))) continue;
      // A few letters grow when they are made small; the place is then near enough.
      const at = lower.indexOf(first);
      const start = Math.max(0, at - AROUND);
      const end = at + first.length;
      return {
        before: `${start > 0 ? "…" : ""}${oneLine(text.slice(start, at))}`,
        hit: text.slice(at, end),
        after: `${oneLine(text.slice(end, end + AROUND * 2))}${text.length > end + AROUND * 2 ? "…" : ""}`,
      };
    }
  }
  return undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

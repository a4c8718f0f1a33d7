import { useEffect, useState } from "react";
import { useChat } from "#text/chat.ts";
import type { Conversation } from "#text/conversations/conversation.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";

/** The pause in typing after which the search begins. */
const AFTER_TYPING_MS = 150;
/** Characters. A shorter search would find nearly everything. */
const MIN_SEARCH_LENGTH = 2;

interface FoundMessages {
  /** The first place in each conversation, by conversation id. */
  places: ReadonlyMap<string, FoundPlace>;
  isSearching: boolean;
}

const NOTHING: FoundMessages = { places: new Map(), isSearching: false };

/**
 * Searches the messages of all conversations for the words. The conversations are read one after the other, in the
 * order of `summaries`, and each result is returned as soon as it is found.
 */
export function useFoundMessages(search: string, summaries: readonly ConversationSummary[]): FoundMessages {
  const { conversations } = useChat();
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    if (search.trim().length < MIN_SEARCH_LENGTH) {
      setFound(NOTHING);
      return;
    }
    let isOver = false;
    setFound({ places: new Map(), isSearching: true });
    const read = async () => {
      const places = new Map<string, FoundPlace>();
      for (const { id } of summaries) {
        const conversation = await conversations.load(id);
        if (isOver) return;
        const place = conversation && findInMessages(conversation, words);
        if (place === undefined) continue;
        places.set(id, place);
        setFound({ places: new Map(places), isSearching: true });
      }
      setFound({ places, isSearching: false });
    };
    const timer = setTimeout(() => void read(), AFTER_TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [search, summaries, conversations]);
  return found;
}

/** The place in a conversation where the search was found: the text before, the first word found, the text after. */
export interface FoundPlace {
  before: string;
  hit: string;
  after: string;
}

/** Characters that are shown before the hit; twice as many after it. */
const SHOWN_BEFORE = 48;

/**
 * The place in the first system prompt, document or message with every word. `words` are in lower case, at least one.
 */
export function findInMessages({ columns }: Conversation, words: readonly string[]): FoundPlace | undefined {
  const first = words[0];
  if (first === undefined) return undefined;
  for (const { system, document, thread } of columns) {
    for (const text of [system, document, ...thread.turns.map((turn) => turn.text)]) {
      const lower = text.toLowerCase();
      if (!words.every((word) => lower.includes(word))) continue;
      // A few letters become two in lower case. The index is then off by a little, which is good enough here.
      const at = lower.indexOf(first);
      const start = Math.max(0, at - SHOWN_BEFORE);
      const end = at + first.length;
      return {
        before: `${start > 0 ? "…" : ""}${oneLine(text.slice(start, at))}`,
        hit: text.slice(at, end),
        after: `${oneLine(text.slice(end, end + SHOWN_BEFORE * 2))}${text.length > end + SHOWN_BEFORE * 2 ? "…" : ""}`,
      };
    }
  }
  return undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

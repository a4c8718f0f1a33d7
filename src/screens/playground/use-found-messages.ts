import { useEffect, useState } from "react";
import type { ConversationHead } from "#chat/conversation-rows.ts";
import { type FoundPlace, findInMessages } from "#chat/find-in-messages.ts";
import { useDesk } from "./chat-context.ts";

const AFTER_TYPING_MS = 150;
const SHORTEST = 2;

export interface FoundMessages {
  places: ReadonlyMap<string, FoundPlace>;
  isSearching: boolean;
}

const NOTHING: FoundMessages = { places: new Map(), isSearching: false };

/**
 * Where the words stand in the messages of each conversation. They are read one conversation after the other, the last
 * used first, and what is found shows as it is found.
 */
export function useFoundMessages(search: string, heads: readonly ConversationHead[]): FoundMessages {
  const { shelf } = useDesk();
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    if (search.trim().length < SHORTEST) {
      setFound(NOTHING);
      return;
    }
    let isOver = false;
    setFound({ places: new Map(), isSearching: true });
    const look = async () => {
      const places = new Map<string, FoundPlace>();
      for (const { id } of heads) {
        const conversation = await shelf.peek(id);
        if (isOver) return;
        const place = conversation && findInMessages(conversation, words);
        if (place === undefined) continue;
        places.set(id, place);
        setFound({ places: new Map(places), isSearching: true });
      }
      setFound({ places, isSearching: false });
    };
    const timer = setTimeout(() => void look(), AFTER_TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [search, heads, shelf]);
  return found;
}

import { useRef, useState } from "react";
import type { StoredError } from "#text/answer.ts";
import { useChat } from "#text/chat.ts";
import type { Picture } from "#text/conversations/pictures.ts";

interface Message {
  columnIds: readonly string[];
  text: string;
  pictures: readonly Picture[];
}

/**
 * Sends a message unless a spending limit objects. The limits are asked once for each press; a message that waits for an
 * answer goes into the queue at once, and its answers ask them when their turn comes.
 */
export function useSend(conversationId: string, mustWait: boolean) {
  const { answers } = useChat();
  const [objection, setObjection] = useState<StoredError>();
  /** The message that the limits are being asked about: another press must not send it twice. */
  const asked = useRef<Message>(undefined);
  const ask = ({ columnIds, text, pictures }: Message) => answers.ask(conversationId, columnIds, text, pictures);
  return {
    objection,
    /** Forgets the objection, and a message that was not sent yet. */
    clear() {
      asked.current = undefined;
      setObjection(undefined);
    },
    send(message: Message, onSent: () => void) {
      if (mustWait) {
        ask(message);
        onSent();
        return;
      }
      if (asked.current !== undefined) return;
      asked.current = message;
      const { columnIds, text, pictures } = message;
      void answers.objection(conversationId, columnIds, text, pictures).then((found) => {
        if (asked.current !== message) return;
        asked.current = undefined;
        setObjection(found);
        if (found !== undefined) return;
        ask(message);
        onSent();
      });
    },
  };
}

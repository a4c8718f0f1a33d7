import { createContext, useContext } from "react";
import type { ChatDesk } from "#chat/chat-desk.ts";

export const ChatContext = createContext<ChatDesk | null>(null);

/** The desk of the playground that is open. */
export function useDesk(): ChatDesk {
  const desk = useContext(ChatContext);
  if (desk === null) throw new Error("The playground's parts need the playground around them.");
  return desk;
}

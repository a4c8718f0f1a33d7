import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useChat } from "#chat/chat-desk.ts";
import { isBlank } from "#chat/conversation.ts";
import { useDesk } from "./chat-context.ts";
import { rememberAsked } from "./last-asked.ts";

/**
 * Takes a text model that was chosen on another screen (`?model=`) out of the address: into the conversation that is open
 * while nothing was said in it, else into a new one.
 */
export function useWantedModel(): void {
  const desk = useDesk();
  const { model } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isReady = useChat(desk, ({ current, heads }) => current !== undefined && heads !== undefined);
  useEffect(() => {
    const { current } = desk.shelf.store.getState();
    const first = current?.columns[0];
    if (model === undefined || !isReady || current === undefined || first === undefined) return;
    const { endpoint } = first;
    rememberAsked({ endpoint, model });
    if (isBlank(current)) {
      desk.shelf.act(current.id, { kind: "column-changed", columnId: first.id, patch: { model } });
    } else desk.shelf.start({ endpoint, model });
    void navigate({ to: "/playground", search: {}, replace: true });
  }, [desk, model, isReady, navigate]);
}

import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { TEXT_ENDPOINTS } from "#api/text/text-types.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { useStartingModel } from "./starting-model.ts";

/**
 * Keeps the address and the open conversation the same. An address that changed opens its conversation; one that was
 * opened or started on the screen gets its address. A temporary conversation, and one without a message, have none: the
 * entry of the browser's history names them, so that back and forward find them while the page lives.
 */
export function useConversationAddress(): { isMissing: boolean } {
  const { conversations } = useChat();
  const navigate = useNavigate();
  // All of it from one place: the matched route follows the location only a moment later.
  const place = useLocation({ select: ({ pathname }) => placeOf(pathname) });
  /** On the way to another screen, its address is not touched. */
  const isLeaving = useLocation({ select: ({ pathname }) => !/^\/playground(\/|$)/.test(pathname) });
  const isAsked = useLocation({ select: ({ search }) => search.model !== undefined || search.ask !== undefined });
  const entryId = useLocation({ select: ({ state }) => state.conversationId });
  const endpoint = TEXT_ENDPOINTS.find((name) => name === place);
  const addressId = endpoint === undefined ? place : undefined;
  const wantedId = addressId ?? entryId;
  const currentId = useChatState(({ current }) => current?.id);
  const isListed = useChatState(({ current, summaries }) =>
    Boolean(current && !current.isTemporary && summaries?.some(({ id }) => id === current.id)),
  );
  const start = useStartingModel();
  const [missingId, setMissingId] = useState<string>();
  const seenId = useRef<string>(undefined);
  /** The conversation that the address was last sent to from here, until the address has come there. */
  const sentToId = useRef<string>(undefined);

  useEffect(() => {
    // What another screen asks for is taken first: it may start a conversation of its own.
    if (start === undefined || isLeaving) return;
    const asked = () => ({ ...start, ...(endpoint ? { endpoint } : {}) });
    const isNew = wantedId !== undefined && seenId.current !== wantedId;
    seenId.current = wantedId;
    // Navigation takes a moment: what was opened meanwhile (a deletion that is undone at once) is newer than its end.
    const isOwn = isNew && wantedId === sentToId.current;
    if (isNew) sentToId.current = undefined;
    if (isNew && !isOwn && wantedId !== currentId) {
      void conversations.restore(asked, wantedId).then((isFound) => {
        if (seenId.current !== wantedId || isFound) return;
        if (addressId === undefined) void conversations.restore(asked);
        else setMissingId(addressId);
      });
      return;
    }
    if (isNew) setMissingId(undefined);
    if (currentId === undefined) {
      if (wantedId === undefined) void conversations.restore(asked);
      return;
    }
    if (isAsked) return;
    const isHere = isListed ? addressId === currentId : addressId === undefined && entryId === currentId;
    if (isHere) return;
    const replace = wantedId === undefined || wantedId === currentId;
    if (isListed) {
      sentToId.current = currentId;
      void navigate({ to: "/playground/$place", params: { place: currentId }, replace });
    } else if (endpoint === undefined || entryId !== undefined) {
      sentToId.current = currentId;
      const to = endpoint === undefined ? "/playground" : `/playground/${endpoint}`;
      void navigate({ to, state: { conversationId: currentId }, replace });
    }
  }, [conversations, start, endpoint, addressId, entryId, wantedId, currentId, isListed, isAsked, isLeaving, navigate]);
  return { isMissing: missingId !== undefined && missingId === addressId && missingId !== currentId };
}

/** What stands behind `/playground/`; undefined where nothing does. */
function placeOf(pathname: string): string | undefined {
  const [, place] = /^\/playground\/([^/]+)/.exec(pathname) ?? [];
  try {
    return place && decodeURIComponent(place);
  } catch {
    return place;
  }
}

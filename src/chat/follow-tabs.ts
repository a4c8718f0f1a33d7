import { onChange } from "#storage/changes.ts";
import type { Conversation } from "./conversation.ts";
import { type ConversationHead, loadConversation, loadHeads } from "./conversation-rows.ts";

/**
 * Calls back with what another tab wrote: the list, and those of the conversations `open` here that are newer there.
 * What this tab writes itself, between `begin` and `end`, is no news. Returns the way to stop.
 */
export function followTabs({
  accountId,
  isWriting,
  openIds,
  onNews,
}: {
  accountId: string;
  isWriting: () => boolean;
  openIds: () => readonly { id: string; updatedAtMs: number }[];
  onNews: (heads: ConversationHead[], newer: Conversation[]) => void;
}): () => void {
  return onChange("chats", () => {
    if (isWriting()) return;
    void read();
  });

  async function read() {
    const heads = await loadHeads(accountId);
    const isNewer = ({ id, updatedAtMs }: { id: string; updatedAtMs: number }) =>
      heads.some((head) => head.id === id && head.updatedAtMs > updatedAtMs);
    const loaded = await Promise.all(
      openIds()
        .filter(isNewer)
        .map(({ id }) => loadConversation(accountId, id)),
    );
    onNews(
      heads,
      loaded.filter((conversation) => conversation !== undefined),
    );
  }
}

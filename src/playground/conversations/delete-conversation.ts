import type { Chat } from "#text/chat.ts";
import { pictureIds } from "#text/conversations/conversation.ts";
import { holdPicture, loadPictures, storePictures } from "#text/conversations/pictures.ts";
import { addRequestLog, loadRequestLog, saveRequestLog } from "#text/request-log.ts";

/**
 * Deletes a conversation at once, with everything that belongs to it, and gives the way to have it back while the page
 * lives: with its messages, its pictures and its request logs. Undefined where there is none of this id. Never rejects.
 */
export async function deleteConversation(chat: Chat, id: string): Promise<(() => void) | undefined> {
  const { conversations, answers, accountId } = chat;
  answers.stop(id);
  const conversation = await conversations.load(id);
  if (conversation === undefined) {
    await conversations.remove(id);
    return undefined;
  }
  const pictures = await loadPictures(accountId, id, pictureIds(conversation)).catch(() => new Map<string, string>());
  const turnIds = conversation.columns.flatMap((column) => [column.id, ...column.thread.turns.map((turn) => turn.id)]);
  const logs = await Promise.all(
    turnIds.map(async (turnId) => ({
      turnId,
      log: await loadRequestLog(accountId, turnId).catch(() => undefined),
    })),
  );
  // After the stop the answer has its end.
  const last = conversations.get(id) ?? conversation;
  await conversations.remove(id);
  return () => {
    for (const [pictureId, base64] of pictures) holdPicture(pictureId, base64);
    conversations.putBack(last);
    if (last.isTemporary) return;
    void storePictures(accountId, id, [...pictures.keys()]);
    for (const { turnId, log } of logs) {
      if (log === undefined) continue;
      addRequestLog(turnId, log);
      void saveRequestLog(accountId, id, turnId, log);
    }
  };
}

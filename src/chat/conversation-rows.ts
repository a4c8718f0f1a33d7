import { isRecord } from "#lib/json.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import type { Conversation } from "./conversation.ts";
import { mergeConversation } from "./merge-conversation.ts";
import { readConversation } from "./stored-conversation.ts";
import { removeWires } from "./wire-rows.ts";

/** What the list shows of a conversation. The whole of it is read when it is opened. */
export type ConversationHead = Pick<
  Conversation,
  "id" | "title" | "isPinned" | "isTemporary" | "createdAtMs" | "updatedAtMs"
>;

export function headOf({ id, title, isPinned, isTemporary, createdAtMs, updatedAtMs }: Conversation): ConversationHead {
  return { id, title, isPinned, isTemporary, createdAtMs, updatedAtMs };
}

const headRows: RowKind<ConversationHead> = {
  store: "chats",
  version: 1,
  read: (body) => {
    if (!isRecord(body) || typeof body.id !== "string" || typeof body.title !== "string") return undefined;
    const moment = (value: unknown) => (typeof value === "number" ? value : 0);
    return {
      id: body.id,
      title: body.title,
      isPinned: body.isPinned === true,
      isTemporary: false,
      createdAtMs: moment(body.createdAtMs),
      updatedAtMs: moment(body.updatedAtMs),
    };
  },
};

const wholeRows: RowKind<Conversation> = { store: "chats", version: 1, read: readConversation };

// Heads and wholes stand in scopes of their own, so that the list never reads a message.
const headScope = (accountId: string) => `${accountId}|heads`;
const wholeScope = (accountId: string) => `${accountId}|wholes`;
const headKey = (accountId: string, id: string) => `${headScope(accountId)}|${id}`;
const wholeKey = (accountId: string, id: string) => `${wholeScope(accountId)}|${id}`;

/** The conversations of one connection (`accountId`: its key fingerprint), the last used first. */
export async function loadHeads(accountId: string): Promise<ConversationHead[]> {
  const heads = await readAll(await openRows(), headRows, headScope(accountId));
  return heads.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
}

export async function loadConversation(accountId: string, id: string): Promise<Conversation | undefined> {
  return readOne(await openRows(), wholeRows, wholeKey(accountId, id));
}

/**
 * Writes a conversation down, with what another tab wrote of it meanwhile; gives it as it is then. `removed`: the messages
 * that were taken away here. A temporary one is never written. One that cannot be written lives as long as the page.
 */
export async function saveConversation(
  accountId: string,
  conversation: Conversation,
  removed: ReadonlySet<string> = new Set(),
): Promise<Conversation> {
  if (conversation.isTemporary) return conversation;
  const { id } = conversation;
  const rows = await openRows();
  const reads = [{ store: wholeRows.store, key: wholeKey(accountId, id) }];
  return rows
    .edit<Conversation>({ store: "chats", key: headKey(accountId, id), reads }, (_head, [row]) => {
      const theirs = row && wholeRows.read(row.body, row);
      const whole = theirs ? mergeConversation(conversation, theirs, removed) : conversation;
      const changes = [
        putChange(headRows, headScope(accountId), headKey(accountId, id), headOf(whole)),
        putChange(wholeRows, wholeScope(accountId), wholeKey(accountId, id), whole),
      ];
      return { changes, result: whole };
    })
    .catch(() => conversation);
}

/** Forgets a conversation and what went over the wire for it. */
export async function removeConversation(accountId: string, id: string): Promise<void> {
  const rows = await openRows();
  await removeWires(accountId, id);
  await rows.edit({ store: "chats", key: headKey(accountId, id) }, () => ({
    changes: [
      { kind: "remove", store: "chats", key: headKey(accountId, id) },
      { kind: "remove", store: "chats", key: wholeKey(accountId, id) },
    ],
    result: undefined,
  }));
}

import { isRecord } from "#lib/json.ts";
import { randomId } from "#lib/random-id.ts";
import type { Conversation } from "./conversation.ts";
import { readConversation } from "./stored-conversation.ts";
import { visiblePath } from "./thread.ts";

const FORMAT = "safelight-conversation";
/** A file larger than this is no conversation of ours. In bytes. */
export const LARGEST_FILE = 50_000_000;

/** Everything of a conversation, all branches included, to be brought in again. */
export function exportJson(conversation: Conversation): string {
  return JSON.stringify({ format: FORMAT, version: 1, conversation }, null, 2);
}

/** What is shown of a conversation, for reading: the chosen versions, column by column. */
export function exportMarkdown(conversation: Conversation): string {
  const parts = [`# ${conversation.title}`];
  for (const { endpoint, model, system, thread, isDocument, document } of conversation.columns) {
    parts.push(`## ${model} (${endpoint})`);
    if (system !== "") parts.push(`### System\n\n${system}`);
    if (isDocument && document !== "") parts.push(document);
    for (const { turn } of visiblePath(thread)) {
      parts.push(`### ${turn.role === "user" ? "User" : "Assistant"}\n\n${turn.text}`);
    }
  }
  return `${parts.join("\n\n")}\n`;
}

/** Reads an exported file as untrusted data. It comes in beside what is there, under an id of its own. */
export function importJson(text: string, nowMs = Date.now()): Conversation | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(raw) || raw.format !== FORMAT) return undefined;
  const conversation = readConversation(raw.conversation);
  return conversation && { ...conversation, id: randomId(), isTemporary: false, updatedAtMs: nowMs };
}

/** A name for a file that every system takes. */
export function exportName({ title }: Conversation, extension: "json" | "md"): string {
  const plain = title.replace(/[^\p{L}\p{N} _-]/gu, "").trim();
  return `${plain.slice(0, 60) || "conversation"}.${extension}`;
}

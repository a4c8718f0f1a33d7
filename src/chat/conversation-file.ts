import { isRecord } from "#lib/json.ts";
import { randomId } from "#lib/random-id.ts";
import type { Conversation } from "./conversation.ts";
import { importMarkdown } from "./markdown-file.ts";
import { readConversation } from "./stored-conversation.ts";

const FORMAT = "safelight-conversation";
/** A file larger than this is no conversation of ours. In bytes. */
export const LARGEST_FILE = 50_000_000;

/** Everything of a conversation, all branches included, to be brought in again. */
export function exportJson(conversation: Conversation): string {
  return JSON.stringify({ format: FORMAT, version: 1, conversation }, null, 2);
}

/**
 * Reads an exported file, JSON or Markdown, as untrusted data. It comes in beside what is there, under an id of its own.
 */
export function importConversation(text: string, nowMs = Date.now()): Conversation | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return importMarkdown(text, nowMs);
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

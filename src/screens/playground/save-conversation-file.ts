import type { Conversation } from "#chat/conversation.ts";
import { exportJson, exportName } from "#chat/conversation-file.ts";
import { exportMarkdown } from "#chat/markdown-file.ts";
import { saveBlob } from "#media/save-blob.ts";

/** Saves a conversation as the browser's own download: all of it as JSON, or what is shown as Markdown. */
export function saveConversationFile(conversation: Conversation, kind: "json" | "md"): void {
  const text = kind === "json" ? exportJson(conversation) : exportMarkdown(conversation);
  const type = kind === "json" ? "application/json" : "text/markdown";
  saveBlob(new Blob([text], { type }), exportName(conversation, kind));
}

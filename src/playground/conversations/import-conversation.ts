import type { Chat } from "#text/chat.ts";
import { toast } from "#ui/toast-store.ts";
import { importConversation, LARGEST_FILE, storeImported } from "./conversation-export.ts";

/** Lets the person choose a file that was exported here, and opens its conversation. */
export function importFromFile(chat: Chat): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "application/json,text/markdown,.json,.md";
  input.hidden = true;
  input.ariaLabel = "Conversation file";
  input.onchange = () => {
    input.remove();
    const [file] = input.files ?? [];
    if (file) void importFile(chat, file);
  };
  input.oncancel = () => input.remove();
  // Some browsers send no events of an input that is not in the document.
  document.body.append(input);
  input.click();
}

/** Opens the conversation of a file, or says that it holds none. Never rejects. */
export async function importFile({ conversations, accountId }: Chat, file: File): Promise<void> {
  const text = file.size > LARGEST_FILE ? "" : await file.text().catch(() => "");
  const imported = importConversation(text);
  if (imported === undefined) {
    toast({
      title: "This file is not a conversation",
      body: "Choose a JSON or Markdown file that was exported from Playground.",
      tone: "error",
    });
    return;
  }
  conversations.add(imported);
  void storeImported(accountId, imported);
}

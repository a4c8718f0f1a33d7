import { MessagesSquare } from "lucide-react";
import { useRef, useState } from "react";
import { useChat } from "#chat/chat-desk.ts";
import { importConversation, LARGEST_FILE } from "#chat/conversation-file.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { toast } from "#ui/toast-store.ts";
import { useDesk } from "./chat-context.ts";
import { ConversationRow } from "./conversation-row.tsx";
import type { DialogBodyProps } from "./playground-dialogs.tsx";
import { useFoundMessages } from "./use-found-messages.ts";

/** Every conversation of this connection: found by its title or its messages, opened, named, pinned, deleted, brought in. */
export function ConversationList({ conversation, onClose }: DialogBodyProps<"conversations">) {
  const desk = useDesk();
  const heads = useChat(desk, (state) => state.heads) ?? [];
  const [text, setText] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { places, isSearching } = useFoundMessages(text, heads);
  const fitting = heads.filter(
    ({ id, title }) => words.every((word) => title.toLowerCase().includes(word)) || places.has(id),
  );
  const sorted = [...fitting.filter(({ isPinned }) => isPinned), ...fitting.filter(({ isPinned }) => !isPinned)];

  const bringIn = async (chosen: File | undefined) => {
    const brought =
      chosen === undefined || chosen.size > LARGEST_FILE
        ? undefined
        : importConversation(await chosen.text().catch(() => ""));
    if (brought === undefined) {
      toast({
        title: "This file is no conversation",
        body: "Choose a JSON or Markdown file that was exported from the playground.",
        tone: "error",
      });
      return;
    }
    desk.shelf.bringIn(brought);
    onClose();
  };
  const startNew = (isTemporary: boolean) => {
    const first = conversation.columns[0];
    if (first) desk.shelf.start({ endpoint: first.endpoint, model: first.model }, { isTemporary });
    onClose();
  };
  return (
    <div className="flex flex-col gap-3 pt-0.5">
      <TextInput
        type="search"
        aria-label="Search conversations"
        placeholder="Search titles and messages"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => startNew(false)}>New conversation</Button>
        <Button onClick={() => startNew(true)}>New temporary one</Button>
        <Button onClick={() => file.current?.click()}>Import</Button>
        <input
          ref={file}
          type="file"
          accept="application/json,text/markdown,.json,.md"
          aria-label="Conversation file"
          className="hidden"
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = "";
            if (chosen) void bringIn(chosen);
          }}
        />
      </div>
      {sorted.length === 0 ? (
        <EmptyState icon={MessagesSquare} title={heads.length === 0 ? "No conversations yet" : "Nothing found"}>
          {heads.length === 0
            ? "What you ask here is kept in this browser."
            : isSearching
              ? "Reading the messages."
              : "No title and no message holds these words."}
        </EmptyState>
      ) : (
        <ul aria-label="Conversations" className="m-0 flex list-none flex-col gap-0.5 p-0">
          {sorted.map((head) => (
            <ConversationRow
              key={head.id}
              head={head}
              place={places.get(head.id)}
              isCurrent={head.id === conversation.id}
              onClose={onClose}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {words.length === 0 || isSearching ? "" : `${sorted.length} found`}
      </p>
    </div>
  );
}

import { clsx } from "clsx";
import { MessagesSquare, Pencil, Pin, Trash2 } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useChat, useChatState } from "#chat/chat.ts";
import { importConversation, LARGEST_FILE, storeImported } from "#chat/conversation-export.ts";
import type { ConversationSummary } from "#chat/stored-conversations.ts";
import { formatMoment } from "#lib/time.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { type FoundPlace, useFoundMessages } from "./message-search.ts";
import type { DialogBodyProps } from "./use-dialog.ts";

/** Every conversation of this connection: search, open, rename, pin, delete, import. */
export function ConversationList({ conversation, onClose }: DialogBodyProps<"conversations">) {
  const chat = useChat();
  const summaries = useChatState((state) => state.summaries) ?? [];
  const [text, setText] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { places, isSearching } = useFoundMessages(text, summaries);
  const fitting = summaries.filter(
    ({ id, title }) => words.every((word) => title.toLowerCase().includes(word)) || places.has(id),
  );
  const sorted = [...fitting.filter(({ isPinned }) => isPinned), ...fitting.filter(({ isPinned }) => !isPinned)];

  const importFile = async (chosen: File | undefined) => {
    const imported =
      chosen === undefined || chosen.size > LARGEST_FILE
        ? undefined
        : importConversation(await chosen.text().catch(() => ""));
    if (imported === undefined) {
      toast({
        title: "This file is not a conversation",
        body: "Choose a JSON or Markdown file that was exported from Playground.",
        tone: "error",
      });
      return;
    }
    chat.conversations.add(imported);
    void storeImported(chat.accountId, imported);
    onClose();
  };
  const startNew = (isTemporary: boolean) => {
    const first = conversation.columns[0];
    if (first) chat.conversations.start({ endpoint: first.endpoint, model: first.model }, { isTemporary });
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
        <Button onClick={() => startNew(true)}>New temporary chat</Button>
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
            if (chosen) void importFile(chosen);
          }}
        />
      </div>
      {sorted.length === 0 ? (
        <EmptyState
          icon={MessagesSquare}
          title={summaries.length === 0 ? "No conversations yet" : "No matching conversations"}
        >
          {summaries.length === 0
            ? "Conversations are saved in this browser and appear here."
            : isSearching
              ? "Searching messages."
              : "No title or message contains these words."}
        </EmptyState>
      ) : (
        <ul aria-label="Conversations" className="m-0 flex list-none flex-col gap-0.5 p-0">
          {sorted.map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              place={places.get(summary.id)}
              isCurrent={summary.id === conversation.id}
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

/** One conversation of the list. */
function ConversationRow({
  summary,
  place,
  isCurrent,
  onClose,
}: {
  summary: ConversationSummary;
  /** Where the search was found in its messages. */
  place: FoundPlace | undefined;
  isCurrent: boolean;
  onClose: () => void;
}) {
  const { conversations, answers } = useChat();
  const [mode, setMode] = useState<"rest" | "rename" | "delete">("rest");
  const { id, title, isPinned } = summary;
  /** The list holds only a summary, so the conversation is read before it is changed. */
  const change = async (act: Parameters<typeof conversations.loadAndDispatch>[1]) => {
    await conversations.loadAndDispatch(id, act);
    setMode("rest");
  };
  if (mode === "rename") {
    const rename = (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const named = new FormData(event.currentTarget).get("title");
      if (typeof named === "string" && named.trim() !== "") void change({ kind: "renamed", title: named });
    };
    return (
      <li>
        <form className="flex gap-2 py-1" onSubmit={rename}>
          <TextInput name="title" aria-label="Title" defaultValue={title} className="flex-1" ref={focusOnce} />
          <Button type="submit">Rename</Button>
          <Button onClick={() => setMode("rest")}>Cancel</Button>
        </form>
      </li>
    );
  }
  if (mode === "delete") {
    return (
      <li className="flex flex-wrap items-center gap-2 py-1 pl-2.5">
        <span className="min-w-0 flex-1 truncate">Delete “{title}”?</span>
        <Button
          variant="danger"
          onClick={() => {
            answers.stop(id);
            void conversations.remove(id);
          }}
        >
          Delete
        </Button>
        <Button onClick={() => setMode("rest")}>Keep</Button>
      </li>
    );
  }
  return (
    <li className={clsx("flex items-center rounded-md pr-1 hover:bg-hover", isCurrent && "bg-accent-soft")}>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={() => {
          void conversations.open(id);
          onClose();
        }}
        className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-left"
      >
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {title}
          </span>{" "}
          {place ? (
            <span dir="auto" className="block truncate text-[12px] text-ink-3">
              {place.before}
              <mark className="rounded-[3px] bg-accent-soft text-ink forced-colors:bg-[Mark] forced-colors:text-[MarkText]">
                {place.hit}
              </mark>
              {place.after}
            </span>
          ) : (
            <span className="block text-[12px] text-ink-3 tabular-nums">
              <Time seconds={summary.updatedAtMs / 1000} format={(seconds) => formatMoment(seconds, Date.now())} />
            </span>
          )}
        </span>
        {summary.isTemporary && <Pill>Temporary</Pill>}
      </button>
      <IconButton
        label={isPinned ? `Unpin ${title}` : `Pin ${title}`}
        size="sm"
        aria-pressed={isPinned}
        onClick={() => void change({ kind: "pinned", isPinned: !isPinned })}
      >
        <Pin aria-hidden className={clsx("size-3.5", isPinned && "fill-current text-ink")} />
      </IconButton>
      <IconButton label={`Rename ${title}`} size="sm" onClick={() => setMode("rename")}>
        <Pencil aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton label={`Delete ${title}`} size="sm" onClick={() => setMode("delete")}>
        <Trash2 aria-hidden className="size-3.5" />
      </IconButton>
    </li>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.select();
}

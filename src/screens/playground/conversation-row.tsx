import { clsx } from "clsx";
import { Pencil, Pin, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ConversationHead } from "#chat/conversation-rows.ts";
import type { FoundPlace } from "#chat/find-in-messages.ts";
import { formatDateTime } from "#lib/time.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { Pill } from "#ui/pill.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { useDesk } from "./chat-context.ts";

/** One conversation of the list. */
export function ConversationRow({
  head,
  place,
  isCurrent,
  onClose,
}: {
  head: ConversationHead;
  /** Where the search was found in its messages. */
  place: FoundPlace | undefined;
  isCurrent: boolean;
  onClose: () => void;
}) {
  const { shelf, answers } = useDesk();
  const [mode, setMode] = useState<"rest" | "rename" | "delete">("rest");
  const { id, title, isPinned } = head;
  /** A conversation is read before it is changed: the list holds only its head. */
  const change = async (act: Parameters<typeof shelf.change>[1]) => {
    await shelf.change(id, act);
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
            void shelf.remove(id);
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
          void shelf.open(id);
          onClose();
        }}
        className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-left"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{title}</span>{" "}
          {place ? (
            <span className="block truncate text-[12px] text-ink-3">
              {place.before}
              <mark className="rounded-[3px] bg-accent-soft text-ink">{place.hit}</mark>
              {place.after}
            </span>
          ) : (
            <span className="block text-[12px] text-ink-3 tabular-nums">{formatDateTime(head.updatedAtMs / 1000)}</span>
          )}
        </span>
        {head.isTemporary && <Pill>Temporary</Pill>}
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

import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Copy, Ellipsis, Pencil, Pin, RefreshCw } from "lucide-react";
import { useRef } from "react";
import { copyText } from "#ui/copy-text.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { Menu } from "#ui/menu.tsx";
import { useDesk } from "./chat-context.ts";
import { deleteTurn } from "./delete-with-undo.ts";
import type { MessageItemProps } from "./message-item.tsx";
import { useDialog } from "./use-dialog.ts";

/** What can be done with a message. Seen while the pointer or the focus is on it; always where there is no pointer. */
export function MessageActions(props: MessageItemProps & { onEdit: () => void }) {
  const { conversationId, columnId, turn, versionIds, isLast } = props;
  const { shelf, answers } = useDesk();
  const openDialog = useDialog();
  const bar = useRef<HTMLDivElement>(null);
  const versions = versionIds.split(" ");
  const at = versions.indexOf(turn.id);
  const isAnswer = turn.role === "assistant";
  const choose = (turnId: string | undefined) => {
    if (turnId) shelf.act(conversationId, { kind: "turn-chosen", columnId, turnId });
  };
  const items = [
    ...(isAnswer
      ? [
          ...(isLast && turn.text !== ""
            ? [{ label: "Continue", onSelect: () => answers.continue(conversationId, columnId, turn.id) }]
            : []),
          { label: "Wire", onSelect: () => openDialog({ kind: "wire", turnId: turn.id, tab: "wire" }) },
          {
            label: "Run several times and compare",
            onSelect: () => openDialog({ kind: "compare" }),
          },
        ]
      : []),
    ...(turn.text === ""
      ? []
      : [
          {
            label: "Open in Create as a prompt",
            onSelect: () => openDialog({ kind: "prompt", text: selectedIn(bar.current?.closest("li")) ?? turn.text }),
          },
        ]),
    {
      label: versions.length > 1 ? "Delete this version" : "Delete from here on",
      danger: true,
      onSelect: () => deleteTurn({ shelf, conversationId, columnId }, turn.id),
    },
  ];
  return (
    <div
      ref={bar}
      className={clsx("flex items-center gap-0.5 leading-none", isAnswer && "max-sm:pointer-coarse:-ml-3")}
    >
      {versions.length > 1 && (
        <span className="flex items-center text-[12px] text-ink-3 tabular-nums">
          <IconButton label="Version before" size="sm" aria-disabled={at <= 0} onClick={() => choose(versions[at - 1])}>
            <ChevronLeft aria-hidden className="size-4" />
          </IconButton>
          {at + 1} / {versions.length}
          <IconButton
            label="Version after"
            size="sm"
            aria-disabled={at >= versions.length - 1}
            onClick={() => choose(versions[at + 1])}
          >
            <ChevronRight aria-hidden className="size-4" />
          </IconButton>
        </span>
      )}
      <span className="flex items-center gap-0.5 opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
        {turn.text !== "" && (
          <>
            <IconButton label="Copy" size="sm" onClick={() => void copyText(turn.text)}>
              <Copy aria-hidden className="size-3.5" />
            </IconButton>
            <IconButton label="Edit" size="sm" onClick={props.onEdit}>
              <Pencil aria-hidden className="size-3.5" />
            </IconButton>
          </>
        )}
        {isAnswer && (
          <IconButton
            label="Regenerate"
            size="sm"
            onClick={() => void answers.regenerate(conversationId, columnId, turn.id)}
          >
            <RefreshCw aria-hidden className="size-3.5" />
          </IconButton>
        )}
        {props.canPin && (
          <IconButton
            label="Keep the prompt up to here in the cache"
            size="sm"
            aria-pressed={turn.isPinned === true}
            onClick={() =>
              shelf.act(conversationId, {
                kind: "turn-changed",
                columnId,
                turnId: turn.id,
                patch: { isPinned: turn.isPinned !== true },
              })
            }
          >
            <Pin aria-hidden className={turn.isPinned ? "size-3.5 fill-current text-accent-text" : "size-3.5"} />
          </IconButton>
        )}
        <Menu label="More about this message" icon={Ellipsis} size="sm" items={items} />
      </span>
    </div>
  );
}

/** What is selected inside a message; undefined where nothing is. */
function selectedIn(message: Element | null | undefined): string | undefined {
  const selection = document.getSelection();
  if (!message || !selection?.anchorNode || !message.contains(selection.anchorNode)) return undefined;
  return selection.toString().trim() || undefined;
}

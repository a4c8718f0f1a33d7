import { useEffect, useRef, useState } from "react";
import type { Turn } from "#chat/thread.ts";
import { Button } from "#ui/button.tsx";
import { matchesShortcut } from "#ui/match-shortcut.ts";
import { TextArea } from "#ui/text-area.tsx";
import { useDesk } from "./chat-context.ts";

/** Writes another version of a message. The old one stays, one press away. */
export function MessageEditor({
  conversationId,
  columnId,
  turn,
  onClose,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  onClose: () => void;
}) {
  const { answers } = useDesk();
  const [text, setText] = useState(turn.text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const isUser = turn.role === "user";
  const canSave = text.trim() !== "" && text !== turn.text;
  const save = () => {
    if (!canSave) return;
    answers.edit(conversationId, columnId, turn.id, text);
    onClose();
  };
  return (
    <div className="flex max-w-[66ch] flex-col gap-2">
      <TextArea
        aria-label={isUser ? "Edit your message" : "Edit the answer"}
        ref={area}
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          } else if (matchesShortcut("mod+enter", event)) save();
        }}
      />
      <div className="flex gap-2">
        <Button size="sm" variant="primary" aria-disabled={!canSave} onClick={save}>
          {isUser ? "Ask again" : "Keep as a version"}
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

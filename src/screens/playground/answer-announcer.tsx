import { useEffect, useState } from "react";
import { MOST_COLUMNS } from "#chat/conversation.ts";
import { findTurn } from "#chat/thread.ts";
import { useDesk } from "./chat-context.ts";

const MOST_CHARACTERS = 400;

/** Says each answer once, when it is over: a reader that followed every token would never get to the end. */
export function AnswerAnnouncer() {
  const desk = useDesk();
  const [said, setSaid] = useState<readonly { id: string; text: string }[]>([]);
  useEffect(
    () =>
      desk.shelf.store.subscribe((state, before) => {
        for (const [turnId, { conversationId, columnId }] of Object.entries(before.runs)) {
          if (turnId in state.runs) continue;
          const column = desk.shelf.get(conversationId)?.columns.find(({ id }) => id === columnId);
          const turn = column && findTurn(column.thread, turnId);
          if (!turn) continue;
          const how = HOW[turn.outcome?.how ?? "early"];
          const text = `${column.model} ${how} ${turn.text.slice(0, MOST_CHARACTERS)}`;
          setSaid((before) => [...before.filter(({ id }) => id !== turnId), { id: turnId, text }].slice(-MOST_COLUMNS));
        }
      }),
    [desk],
  );
  return (
    // Columns may end in the same moment: each answer is a line of its own, and only a new line is said.
    <div role="status" aria-label="Answers" aria-atomic={false} className="sr-only">
      {said.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

const HOW = {
  complete: "answered:",
  early: "ended early:",
  stopped: "was stopped:",
  failed: "failed.",
  lost: "was lost:",
};

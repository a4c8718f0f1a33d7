import { type RefObject, useEffect, useRef, useState } from "react";
import { type AnswerFacts, type AnswerOutcome, type AnswerRun, runAnswer } from "#text/answer.ts";
import { documentBody } from "#text/answer-request.ts";
import { useChat } from "#text/chat.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { addRequestLog, type RequestLog, recordEvent, saveRequestLog } from "#text/request-log.ts";

interface Ghost {
  /** Where in the document it stands. */
  at: number;
  text: string;
}

const MAX_UNDO = 100;
/** Letters typed without a longer pause than this are undone together. */
const PAUSE_MS = 800;
const NO_GHOST: Ghost = { at: 0, text: "" };

/** A document with the model's continuation at the caret (the ghost), which can be accepted, dismissed or undone. */
export function useDocument(conversationId: string, column: Column, area: RefObject<HTMLTextAreaElement | null>) {
  const { conversations, clientFor, accountId } = useChat();
  const { id: columnId, document: text } = column;
  const [ghost, setGhost] = useState(NO_GHOST);
  const [run, setRun] = useState<AnswerRun>();
  const [outcome, setOutcome] = useState<AnswerOutcome>();
  const [facts, setFacts] = useState<AnswerFacts>();
  const [undone, setUndone] = useState<readonly { text: string; caret: number }[]>([]);
  // A document that is opened again is continued at its end: a text area would begin before it.
  const caret = useRef<number | undefined>(text.length);
  /** When the last letter was typed; any other change ends the run of letters. */
  const typedAt = useRef(-PAUSE_MS);
  const running = useRef<AnswerRun>(undefined);
  /** The one whose text is the ghost; none after it was dismissed or typed over. */
  const shown = useRef<AnswerRun>(undefined);
  useEffect(() => () => running.current?.stop(), []);
  // At first, and after a part of the ghost was accepted, when the caret stands behind it.
  useEffect(() => {
    if (caret.current === undefined || !area.current) return;
    area.current.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const write = (next: string) =>
    conversations.dispatch(conversationId, { kind: "column-changed", columnId, patch: { document: next } });
  const remember = () => {
    typedAt.current = -PAUSE_MS;
    setUndone([...undone.slice(1 - MAX_UNDO), { text, caret: area.current?.selectionStart ?? 0 }]);
  };
  const stop = () => running.current?.stop();
  const removeGhost = () => {
    stop();
    shown.current = undefined;
    setGhost(NO_GHOST);
  };
  const dismiss = () => {
    removeGhost();
    setOutcome(undefined);
    area.current?.focus();
  };
  const accept = (part: string) => {
    if (part === "") return;
    remember();
    write(text.slice(0, ghost.at) + part + text.slice(ghost.at));
    caret.current = ghost.at + part.length;
    taken.current += part.length;
    setGhost({ at: ghost.at + part.length, text: ghost.text.slice(part.length) });
    area.current?.focus();
  };
  /** How much of the continuation was taken while it still came. */
  const taken = useRef(0);
  const start = () => {
    if (text.trim() === "" || column.model === "" || running.current !== undefined) return;
    const at = area.current?.selectionStart ?? text.length;
    taken.current = 0;
    setOutcome(undefined);
    setFacts(undefined);
    setGhost({ at, text: "" });
    const log: RequestLog = { endpoint: "completions", exchanges: [] };
    addRequestLog(columnId, log);
    const body = documentBody(column, text.slice(0, at));
    const answer: AnswerRun = runAnswer({
      open: (signal) => clientFor(conversations.get(conversationId)?.projectId).stream("completions", body, { signal }),
      onEvent: (event) => recordEvent(log, event),
      commit: (patch) => {
        if (running.current !== answer || patch.outcome === undefined) return;
        setFacts(patch.facts);
        setOutcome(patch.outcome);
        if (!conversations.get(conversationId)?.isTemporary)
          void saveRequestLog(accountId, conversationId, columnId, log);
        running.current = undefined;
        setRun(undefined);
      },
    });
    running.current = answer;
    shown.current = answer;
    setRun(answer);
    let frame = 0;
    answer.text.subscribe(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (shown.current !== answer) return;
        setGhost((current) => ({ at: current.at, text: answer.text.text().slice(taken.current) }));
        setFacts(answer.live.getState().facts);
      });
    });
  };
  return {
    text,
    ghost,
    facts,
    outcome,
    run,
    canUndo: undone.length > 0,
    start,
    stop,
    dismiss,
    acceptAll: () => accept(ghost.text),
    acceptWord: () => accept(firstWord(ghost.text)),
    type(next: string) {
      const isOverGhost = ghost.text !== "" || run !== undefined;
      // What is typed over a ghost is no longer what it continued.
      if (isOverGhost) removeGhost();
      const now = performance.now();
      if (isOverGhost || now - typedAt.current > PAUSE_MS) remember();
      typedAt.current = now;
      write(next);
    },
    undo() {
      const last = undone.at(-1);
      if (last === undefined) return;
      setUndone(undone.slice(0, -1));
      typedAt.current = -PAUSE_MS;
      removeGhost();
      write(last.text);
      caret.current = last.caret;
      area.current?.focus();
    },
  };
}

/** The first word of a text, with the white space before it. */
function firstWord(text: string): string {
  return /^\s*\S+/.exec(text)?.[0] ?? text;
}

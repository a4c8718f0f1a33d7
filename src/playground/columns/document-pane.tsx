import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { KeyNotice } from "#connection/error-notice.tsx";
import { findKey } from "#connection/find-key.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { type ResponseFacts, type ResponseOutcome, type ResponseRun, runResponse } from "#text/answer.ts";
import { documentBody } from "#text/answer-request.ts";
import { useChat } from "#text/chat.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { QueuedNote } from "#text/queued-note.tsx";
import { addRequestLog, type RequestLog, recordEvent, saveRequestLog } from "#text/request-log.ts";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { matchesShortcut } from "#ui/keys.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { documentCommands } from "../commands.ts";
import { OutcomeNotice, StatsLine } from "../messages/answer.tsx";

/**
 * A document of the completions endpoint, with the model's continuation as gray text (the ghost) at the cursor. The
 * ghost is accepted by word (Ctrl or Cmd with the right arrow) or all at once (Tab). Esc stops it, and a second Esc
 * dismisses it.
 */
export function DocumentPane({ conversationId, column }: { conversationId: string; column: Column }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, ghost, run, canUndo, outcome, facts, ...acts } = useDocument(conversationId, column, area);
  const isRunning = run !== undefined;
  const hasGhost = ghost.text !== "" || isRunning;
  const [finding, setFinding] = useState<SecretFinding>();
  const start = () => {
    const keyInText = findKey(text);
    setFinding(keyInText);
    if (!keyInText) acts.start();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event.nativeEvent);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const keyAction = (event: globalThis.KeyboardEvent): (() => void) | undefined => {
    if (matchesShortcut("mod+z", event) && canUndo) return acts.undo;
    if (!hasGhost) return undefined;
    if (event.key === "Escape") return isRunning ? acts.stop : acts.dismiss;
    if (event.key === "Tab" && !event.shiftKey) return acts.acceptAll;
    if (matchesShortcut("mod+arrowright", event)) return acts.acceptWord;
    return undefined;
  };
  const cannotStart = text.trim() === "" || column.model === "";
  const continueCommand = {
    ...documentCommands.continue,
    ...(cannotStart || isRunning
      ? {
          unavailable: isRunning
            ? "The model is writing…"
            : column.model === ""
              ? "Choose a model first"
              : "Write the beginning first",
        }
      : {}),
    run: start,
  };
  const stop = { ...documentCommands.stop, run: acts.stop };
  useCommands([
    continueCommand,
    ...(isRunning ? [stop] : []),
    ...(ghost.text === ""
      ? []
      : [
          { ...documentCommands.takeAll, run: acts.acceptAll },
          { ...documentCommands.takeWord, run: acts.acceptWord },
          { ...documentCommands.dismiss, run: acts.dismiss },
        ]),
    {
      ...documentCommands.undo,
      ...(canUndo ? {} : { unavailable: "Nothing to undo" }),
      run: acts.undo,
    },
  ]);
  const continueProps = useCommandProps(documentCommands.continue);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto short:flex-none short:overflow-visible px-4.5 pt-1 pb-5 max-sm:px-4">
        <div className="mx-auto grid min-h-full max-w-180 text-base leading-relaxed">
          <textarea
            dir="auto"
            ref={area}
            aria-label="Document"
            placeholder="Write the beginning. The model continues at the cursor."
            value={text}
            onChange={(event) => {
              setFinding(undefined);
              acts.type(event.target.value);
            }}
            onKeyDown={onKeyDown}
            className={`wrap-anywhere col-start-1 row-start-1 resize-none overflow-hidden border-0 bg-transparent p-0 font-[inherit] caret-accent outline-none placeholder:text-ink-3 ${hasGhost ? "text-transparent" : "text-ink"}`}
          />
          {/* A copy of the text with the ghost in it, under the text area. It also gives the text area its height. */}
          <div
            aria-hidden
            className={`wrap-anywhere pointer-events-none col-start-1 row-start-1 whitespace-pre-wrap pb-6 ${hasGhost ? "" : "invisible"}`}
          >
            {text.slice(0, ghost.at)}
            <span className="text-ink-3">{ghost.text}</span>
            {text.slice(ghost.at)}
          </div>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-4.5 py-3 max-sm:px-3">
        {finding && <KeyNotice finding={finding} what="document" onSendAnyway={start} className="w-full" />}
        {outcome && outcome.how !== "stopped" && outcome.how !== "complete" && (
          <div className="-mt-2 w-full">
            <OutcomeNotice outcome={outcome} columnId={column.id} model={column.model} retry={continueCommand} />
          </div>
        )}
        {facts && hasGhost && (
          <div className="w-full">
            <StatsLine facts={facts} model={isRunning ? undefined : column.model} />
          </div>
        )}
        {run && <QueuedNote run={run} />}
        {isRunning ? (
          <Button variant="primary" data-command={stop.id} aria-keyshortcuts="Escape" onClick={acts.stop}>
            Stop <Kbd>Esc</Kbd>
          </Button>
        ) : (
          <Button
            variant={hasGhost ? "outline" : "primary"}
            {...continueProps}
            aria-disabled={cannotStart}
            onClick={start}
          >
            {hasGhost ? "Try another" : "Continue"} <Kbd command={documentCommands.continue} />
          </Button>
        )}
        {ghost.text !== "" && (
          <>
            <Button data-command={documentCommands.takeAll.id} onClick={acts.acceptAll}>
              Accept all <Kbd>Tab</Kbd>
            </Button>
            <Button data-command={documentCommands.takeWord.id} onClick={acts.acceptWord}>
              Accept word <Kbd keys="mod+arrowright" />
            </Button>
            {!isRunning && (
              <Button variant="ghost" data-command={documentCommands.dismiss.id} onClick={acts.dismiss}>
                Discard <Kbd>Esc</Kbd>
              </Button>
            )}
          </>
        )}
        <Button
          variant="ghost"
          className="ml-auto"
          data-command={documentCommands.undo.id}
          aria-disabled={!canUndo}
          onClick={acts.undo}
        >
          Undo <Kbd keys="mod+z" />
        </Button>
      </div>
      <p role="status" className="sr-only">
        {!isRunning && ghost.text !== "" ? `Continuation: ${ghost.text.slice(0, 400)}` : ""}
      </p>
    </div>
  );
}

interface Ghost {
  /** The index in the document at which it begins. */
  at: number;
  text: string;
}

/** Steps that can be undone. */
const MAX_UNDO = 100;
/** Letters that are typed without a longer pause are undone together. */
const PAUSE_MS = 800;
const NO_GHOST: Ghost = { at: 0, text: "" };

/** The text of a document and its ghost, with the actions on them. The run stops when the pane is closed. */
function useDocument(conversationId: string, column: Column, area: RefObject<HTMLTextAreaElement | null>) {
  const { conversations, clientFor, accountId } = useChat();
  const { id: columnId, document: text } = column;
  const [ghost, setGhost] = useState(NO_GHOST);
  const [run, setRun] = useState<ResponseRun>();
  const [outcome, setOutcome] = useState<ResponseOutcome>();
  const [facts, setFacts] = useState<ResponseFacts>();
  const [undoSteps, setUndoSteps] = useState<readonly { text: string; caret: number }[]>([]);
  // The caret to set after the next render. At first the end of the document: a text area begins at its start.
  const caret = useRef<number | undefined>(text.length);
  /** When the last letter was typed. Reset by any other change, so that the next letter begins an undo step. */
  const typedAt = useRef(-PAUSE_MS);
  const running = useRef<ResponseRun>(undefined);
  /** The run whose text is the ghost; undefined after the ghost was dismissed or typed over. */
  const shown = useRef<ResponseRun>(undefined);
  useEffect(() => () => running.current?.stop(), []);
  // Sets the caret: at first, after an accepted part of the ghost, and after an undo.
  useEffect(() => {
    if (caret.current === undefined || !area.current) return;
    area.current.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const write = (next: string) =>
    conversations.dispatch(conversationId, { kind: "column-changed", columnId, patch: { document: next } });
  const remember = () => {
    typedAt.current = -PAUSE_MS;
    setUndoSteps([...undoSteps.slice(1 - MAX_UNDO), { text, caret: area.current?.selectionStart ?? 0 }]);
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
    acceptedLength.current += part.length;
    setGhost({ at: ghost.at + part.length, text: ghost.text.slice(part.length) });
    area.current?.focus();
  };
  /** Characters of the continuation that were accepted while more was coming. */
  const acceptedLength = useRef(0);
  const start = () => {
    if (text.trim() === "" || column.model === "" || running.current !== undefined) return;
    const at = area.current?.selectionStart ?? text.length;
    acceptedLength.current = 0;
    setOutcome(undefined);
    setFacts(undefined);
    setGhost({ at, text: "" });
    const log: RequestLog = { endpoint: "completions", exchanges: [] };
    addRequestLog(columnId, log);
    const body = documentBody(column, text.slice(0, at));
    const response: ResponseRun = runResponse({
      open: (signal) => clientFor(conversations.get(conversationId)?.projectId).stream("completions", body, { signal }),
      onEvent: (event) => recordEvent(log, event),
      commit: (patch) => {
        if (running.current !== response || patch.outcome === undefined) return;
        setFacts(patch.facts);
        setOutcome(patch.outcome);
        if (!conversations.get(conversationId)?.isTemporary)
          void saveRequestLog(accountId, conversationId, columnId, log);
        running.current = undefined;
        setRun(undefined);
      },
    });
    running.current = response;
    shown.current = response;
    setRun(response);
    let frame = 0;
    response.text.subscribe(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (shown.current !== response) return;
        setGhost((current) => ({ at: current.at, text: response.text.text().slice(acceptedLength.current) }));
        setFacts(response.live.getState().facts);
      });
    });
  };
  return {
    text,
    ghost,
    facts,
    outcome,
    run,
    canUndo: undoSteps.length > 0,
    start,
    stop,
    dismiss,
    acceptAll: () => accept(ghost.text),
    acceptWord: () => accept(firstWord(ghost.text)),
    type(next: string) {
      const isOverGhost = ghost.text !== "" || run !== undefined;
      // The ghost does not continue the text that is typed over it.
      if (isOverGhost) removeGhost();
      const now = performance.now();
      if (isOverGhost || now - typedAt.current > PAUSE_MS) remember();
      typedAt.current = now;
      write(next);
    },
    undo() {
      const last = undoSteps.at(-1);
      if (last === undefined) return;
      setUndoSteps(undoSteps.slice(0, -1));
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

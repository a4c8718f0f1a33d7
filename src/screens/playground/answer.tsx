import { clsx } from "clsx";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import type { AnswerRun } from "#chat/answer-runner.ts";
import { useChat } from "#chat/chat.ts";
import { MarkdownView, StreamedMarkdown } from "#chat/markdown/markdown-view.tsx";
import type { Turn } from "#chat/thread.ts";
import { AnswerParts } from "./answer-parts.tsx";
import { OutcomeNotice, StatsLine } from "./answer-status.tsx";

/** A finished answer: reasoning folded, text, and how it ended unless it is complete. */
export function AnswerBody({
  conversationId,
  columnId,
  turn,
  isLast,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  isLast: boolean;
}) {
  const { answers } = useChat();
  const { outcome, reasoning, text, asked, parts = [], facts } = turn;
  const retry = () => void answers.regenerate(conversationId, columnId, turn.id);
  const proceed = () => answers.continue(conversationId, columnId, turn.id);
  return (
    <>
      {reasoning && (
        <Reasoning title="Reasoned">
          <MarkdownView text={reasoning} />
        </Reasoning>
      )}
      {text !== "" && (
        <div className="max-w-[72ch]">
          <MarkdownView text={text} />
        </div>
      )}
      {parts.length > 0 && <AnswerParts conversationId={conversationId} parts={parts} />}
      {text === "" && parts.length === 0 && outcome?.how === "complete" && (
        <p className="m-0 text-ink-3">{withoutText(facts?.stopReason, reasoning !== undefined)}</p>
      )}
      {outcome && (
        <OutcomeNotice
          outcome={outcome}
          columnId={columnId}
          model={asked?.model}
          onRetry={isLast ? retry : undefined}
          onContinue={isLast && text !== "" ? proceed : undefined}
        />
      )}
    </>
  );
}

/** An answer of which there is nothing to show. */
function withoutText(stopReason: string | undefined, hasReasoning: boolean): string {
  if (stopReason === "refusal") return "The model refused to answer and gave no reason.";
  if (stopReason === "content_filter") return "The service’s content filter blocked the answer.";
  const isCut = stopReason === "max_tokens" || stopReason === "length" || stopReason === "max_output_tokens";
  if (hasReasoning && isCut) return "The reasoning used all tokens. Raise Max tokens in the settings.";
  return hasReasoning ? "The answer ended after the reasoning." : "The answer was empty.";
}

/** What is said before the first token. */
const BEFORE_TEXT = {
  queued: "Waiting for a free connection. Not sent yet.",
  waiting: "Waiting for the first token",
  retrying: "Refused. Sending again.",
};

function isBefore(phase: string): phase is keyof typeof BEFORE_TEXT {
  return Object.hasOwn(BEFORE_TEXT, phase);
}

/** An answer that is coming: its reasoning folded, its text as it grows. */
export function LiveAnswer({ conversationId, run }: { conversationId: string; run: AnswerRun }) {
  const subscribe = useCallback((listener: () => void) => run.subscribe(listener), [run]);
  const phase = useSyncExternalStore(subscribe, run.phase);
  const parts = useSyncExternalStore(subscribe, run.parts);
  return (
    <div aria-busy={phase !== "over"}>
      {isBefore(phase) && run.text.text() === "" && <p className="m-0 text-ink-3">{BEFORE_TEXT[phase]}</p>}
      {run.reasoning.text() !== "" && (
        <Reasoning title={phase === "reasoning" ? "Reasoning" : "Reasoned"}>
          <StreamedMarkdown source={run.reasoning} />
        </Reasoning>
      )}
      <div className={clsx("max-w-[72ch]", phase === "answering" && "md-caret")}>
        <StreamedMarkdown source={run.text} />
      </div>
      {parts.length > 0 && <AnswerParts conversationId={conversationId} parts={parts} />}
      {/* The room of the line that comes when it is over. */}
      <div className="min-h-7" />
    </div>
  );
}

/** What is measured so far. It stands above the answer: under it, it would move with every line. */
export function LiveStats({ run }: { run: AnswerRun }) {
  const subscribe = useCallback((listener: () => void) => run.subscribe(listener), [run]);
  return <StatsLine facts={useSyncExternalStore(subscribe, run.facts)} isLive />;
}

/** Folded away: what a model wrote before its answer. */
function Reasoning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mb-3 max-w-[66ch] rounded-md border border-line px-3 py-2 text-ink-2">
      <summary className="cursor-pointer text-[12.5px]">{title}</summary>
      <div className="mt-2 text-[13px]">{children}</div>
    </details>
  );
}

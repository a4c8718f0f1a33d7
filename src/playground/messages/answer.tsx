import { clsx } from "clsx";
import type { ReactNode } from "react";
import { createStore, useStore } from "zustand";
import type { AnswerPart } from "#api/text/text-types.ts";
import { type AnswerRun, type LiveAnswer, NO_FACTS } from "#text/answer.ts";
import type { Turn } from "#text/conversations/conversation.ts";
import { MarkdownView } from "#text/markdown/markdown-view.tsx";
import { mentionsRuns } from "#text/proposal.ts";
import { AnswerParts } from "./answer-parts.tsx";
import { OutcomeNotice, StatsLine } from "./answer-status.tsx";
import type { MessageActs } from "./message-acts.ts";
import { ProposedRuns } from "./proposed-runs.tsx";

/**
 * An answer, coming or finished: its reasoning folded, its text, and how it ended unless it is complete. Each part stays at
 * its place when the answer ends, so that nothing is written again and what the reader opened stays open.
 */
export function Answer({
  conversationId,
  columnId,
  turn,
  run,
  acts,
  isCommanded,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** While it is coming. */
  run: AnswerRun | undefined;
  /** Of the newest answer: what can be done about its end. */
  acts: Pick<MessageActs, "regenerate" | "continue"> | undefined;
  /** The commands of the palette are for this answer. */
  isCommanded: boolean;
}) {
  const live = run?.live ?? OVER;
  const phase = useStore(live, (state) => state.phase);
  const parts = useStore(live, (state) => (run ? state.parts : (turn.parts ?? NO_PARTS)));
  const hasRuns = useStore(live, () => mentionsRuns(run?.text.text() ?? turn.text));
  const { outcome, asked, facts } = turn;
  const hasText = (run?.text.text() ?? turn.text) !== "";
  // An answer that is continued keeps its reasoning until it has another.
  const reasoning = run && run.reasoning.text() !== "" ? run.reasoning : turn.reasoning;
  const proposal = { conversationId, isComing: run !== undefined, isCommanded };
  return (
    <div aria-busy={phase !== "over"}>
      {isBefore(phase) && !hasText && <p className="m-0 text-ink-3">{BEFORE_TEXT[phase]}</p>}
      {reasoning && (
        <Reasoning title={phase === "reasoning" ? "Reasoning" : "Reasoned"}>
          <MarkdownView text={reasoning} />
        </Reasoning>
      )}
      {(run || hasText) && (
        <div className={clsx(phase === "answering" && "md-caret")}>
          <MarkdownView text={run?.text ?? turn.text} />
        </div>
      )}
      {hasRuns && <ProposedRuns {...proposal} text={turn.text} />}
      {parts.length > 0 && <AnswerParts {...proposal} parts={parts} />}
      {!run && !hasText && parts.length === 0 && outcome?.how === "complete" && (
        <p className="m-0 text-ink-3">{withoutText(facts?.stopReason, turn.reasoning !== undefined)}</p>
      )}
      {!run && outcome && (
        <OutcomeNotice
          outcome={outcome}
          columnId={columnId}
          model={asked?.model}
          retry={acts?.regenerate}
          proceed={acts?.continue}
        />
      )}
    </div>
  );
}

const NO_PARTS: readonly AnswerPart[] = [];
const OVER = createStore<LiveAnswer>(() => ({ phase: "over", facts: NO_FACTS, parts: NO_PARTS }));

/** An answer of which there is nothing to show. */
function withoutText(stopReason: string | undefined, hasReasoning: boolean): string {
  if (stopReason === "refusal") return "The model refused to answer and gave no reason.";
  if (stopReason === "content_filter") return "The service’s content filter blocked the answer.";
  const isCut = stopReason === "max_tokens" || stopReason === "length" || stopReason === "max_output_tokens";
  if (hasReasoning && isCut) return "The reasoning used all tokens. Raise Max tokens in the parameters.";
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

/** What is measured so far. It stands above the answer: under it, it would move with every line. */
export function LiveStats({ run }: { run: AnswerRun }) {
  return <StatsLine facts={useStore(run.live, (live) => live.facts)} isLive />;
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

import type { Turn } from "#chat/thread.ts";
import { AnswerText } from "./answer-text.tsx";
import { useDesk } from "./chat-context.ts";
import { OutcomeNotice } from "./outcome-notice.tsx";

/** A finished answer: reasoning folded, text, and how it ended where that was not as it should. */
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
  const { answers } = useDesk();
  const { outcome, reasoning, text, asked } = turn;
  const retry = () => void answers.regenerate(conversationId, columnId, turn.id);
  const goOn = () => answers.continue(conversationId, columnId, turn.id);
  return (
    <>
      {reasoning && (
        <details className="mb-3 max-w-[66ch] rounded-md border border-line px-3 py-2 text-ink-2">
          <summary className="cursor-pointer text-[12.5px]">Reasoned</summary>
          <div className="mt-2 text-[13px]">
            <AnswerText text={reasoning} />
          </div>
        </details>
      )}
      {text !== "" && <AnswerText text={text} />}
      {text === "" && outcome?.how === "complete" && <p className="m-0 text-ink-3">The answer was empty.</p>}
      {outcome && (
        <OutcomeNotice
          outcome={outcome}
          columnId={columnId}
          model={asked?.model}
          onRetry={isLast ? retry : undefined}
          onContinue={isLast && text !== "" ? goOn : undefined}
        />
      )}
    </>
  );
}

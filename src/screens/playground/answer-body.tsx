import { Link } from "@tanstack/react-router";
import type { AnswerOutcome } from "#chat/answer-outcome.ts";
import type { Turn } from "#chat/thread.ts";
import { Button } from "#ui/button.tsx";
import { buttonClass } from "#ui/button-class.ts";
import { Notice } from "#ui/notice.tsx";
import { AnswerText } from "./answer-text.tsx";
import { useDesk } from "./chat-context.ts";

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
  return (
    <>
      {reasoning && (
        <details className="mb-2 max-w-[66ch] rounded-md border border-line px-3 py-2 text-ink-2">
          <summary className="cursor-pointer text-[12.5px]">Reasoned</summary>
          <div className="mt-2 text-[13px]">
            <AnswerText text={reasoning} />
          </div>
        </details>
      )}
      {text !== "" && <AnswerText text={text} />}
      {text === "" && outcome?.how === "complete" && <p className="m-0 text-ink-3">The answer was empty.</p>}
      {outcome && outcome.how !== "complete" && (
        <Notice
          tone={outcome.how === "failed" ? "error" : "info"}
          title={titleOf(outcome)}
          className="mt-2 max-w-[66ch] text-[13.5px] leading-5"
          actions={
            isLast && (
              <>
                <Button size="sm" onClick={retry}>
                  Try again
                </Button>
                {outcome.error?.isOtherCatalogue && asked && (
                  <Link to="/create/$modelId" params={{ modelId: asked.model }} className={buttonClass({ size: "sm" })}>
                    Open {asked.model} in Create
                  </Link>
                )}
              </>
            )
          }
        >
          {bodyOf(outcome)}
        </Notice>
      )}
    </>
  );
}

function titleOf({ how, error }: AnswerOutcome): string {
  if (how === "stopped") return "Stopped";
  if (how === "lost") return "The page was closed in the middle";
  if (how === "early") return "The answer ended early";
  return error?.title ?? "There is no answer";
}

function bodyOf({ how, error }: AnswerOutcome): string {
  if (how === "stopped") return "What arrived is kept; it may still be billed.";
  if (how === "lost") return "What had arrived is kept; the rest may have been billed.";
  if (how === "early") {
    const why = error ? "The connection broke, or nothing came any more." : "The stream stopped before its own end.";
    return `${why} What arrived is kept; all of it may have been billed, and so will another try.`;
  }
  if (error === undefined) return "";
  return `${error.body} ${error.chargedText} ${error.nextStep}`;
}

import { Link } from "@tanstack/react-router";
import type { AnswerOutcome } from "#chat/answer-outcome.ts";
import { Button } from "#ui/button.tsx";
import { buttonClass } from "#ui/button-class.ts";
import { Notice } from "#ui/notice.tsx";

/**
 * How an answer ended, where that was not as it should: what happened, what it may have cost, and the next act. A model of
 * the other catalogue has a way to its own screen (spec 7).
 */
export function OutcomeNotice({
  outcome,
  model,
  onRetry,
}: {
  outcome: AnswerOutcome;
  model: string | undefined;
  /** Absent where other messages follow, which another try would not answer. */
  onRetry?: (() => void) | undefined;
}) {
  const { how, error } = outcome;
  if (how === "complete") return null;
  return (
    <Notice
      tone={how === "failed" ? "error" : "info"}
      title={titleOf(outcome)}
      className="mt-2 max-w-[66ch] text-[13.5px] leading-5"
      actions={
        onRetry && (
          <>
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
            {error?.isOtherCatalogue && model && (
              <Link to="/create/$modelId" params={{ modelId: model }} className={buttonClass({ size: "sm" })}>
                Open {model} in Create
              </Link>
            )}
          </>
        )
      }
    >
      {bodyOf(outcome)}
    </Notice>
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
  return error ? `${error.body} ${error.chargedText} ${error.nextStep}` : "";
}

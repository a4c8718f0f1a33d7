import { Link } from "@tanstack/react-router";
import type { AnswerOutcome } from "#chat/answer-outcome.ts";
import { Button } from "#ui/button.tsx";
import { buttonClass } from "#ui/button-class.ts";
import { Notice } from "#ui/notice.tsx";
import { useDialog } from "./use-dialog.ts";

/**
 * How an answer ended, where that was not as it should: what happened, what it may have cost, and the next act here or where it
 * is done: a refused key on Connect, a model of the other catalogue in Create (spec 7).
 */
export function OutcomeNotice({
  outcome,
  columnId,
  model,
  onRetry,
  onContinue,
}: {
  outcome: AnswerOutcome;
  columnId: string;
  model: string | undefined;
  /** Absent where other messages follow, which another try would not answer. */
  onRetry?: (() => void) | undefined;
  /** Goes on behind what arrived. Absent where nothing did. */
  onContinue?: (() => void) | undefined;
}) {
  const openDialog = useDialog();
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
            {error?.place === "connect" && (
              <Link to="/connect" search={{ back: "/playground" }} className={buttonClass({ size: "sm" })}>
                Check the key
              </Link>
            )}
            {error?.place === "create" && model && (
              <Link to="/create/$modelId" params={{ modelId: model }} className={buttonClass({ size: "sm" })}>
                Open {model} in Create
              </Link>
            )}
            {error?.place === "models" && (
              <Button size="sm" onClick={() => openDialog({ kind: "model", columnId })}>
                Choose another model
              </Button>
            )}
            {onContinue && (
              <Button size="sm" onClick={onContinue}>
                Continue
              </Button>
            )}
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
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

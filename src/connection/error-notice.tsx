import { type Doing, explainError } from "#api/explain-error.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";

export interface ErrorNoticeProps {
  error: unknown;
  doing: Doing;
  onRetry?: (() => void) | undefined;
  onDismiss?: (() => void) | undefined;
  className?: string | undefined;
}

/**
 * An error at its place: what happened, whether anything was charged, what to do, and the next act as a button.
 * `onRetry` shows "Try again" where the same request may succeed.
 */
export function ErrorNotice({ error, doing, onRetry, onDismiss, className }: ErrorNoticeProps) {
  const { title, body, chargedText, nextStep } = explainError(error, doing);
  return (
    <Notice
      tone="error"
      title={title}
      className={className}
      onDismiss={onDismiss}
      actions={
        onRetry && (
          <Button size="sm" variant="outline" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p>{body}</p>
      <p>
        {chargedText} {nextStep}
      </p>
    </Notice>
  );
}

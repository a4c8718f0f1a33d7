import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { explainError, type Operation } from "#api/explain-error.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { allowKey, keyFindingWords } from "./find-key.ts";

interface ErrorNoticeProps {
  error: unknown;
  operation: Operation;
  /** What this screen knows beyond the error, as a sentence. */
  note?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Further next acts, as buttons. */
  actions?: ReactNode;
  onDismiss?: (() => void) | undefined;
  className?: string | undefined;
}

/**
 * An error where it happened: what went wrong, for a run whether it was charged, what to do, and the next act as a
 * button. `onRetry` shows "Try again"; give it only where the same request may succeed.
 */
export function ErrorNotice({ error, operation, note, onRetry, actions, onDismiss, className }: ErrorNoticeProps) {
  const { title, body, chargedText, nextStep } = explainError(error, operation);
  const textModel = textModelOf(error);
  const isKeyRefused = operation !== "connect" && error instanceof RefusedError && error.status === 401;
  return (
    <Notice
      tone="error"
      title={title}
      className={className}
      onDismiss={onDismiss}
      actions={
        (onRetry || textModel || isKeyRefused || actions) && (
          <>
            {isKeyRefused && (
              <Link to="/connect" search={{ back: location.pathname }} className={buttonClass({ size: "sm" })}>
                Check key
              </Link>
            )}
            {onRetry && (
              <Button size="sm" variant="outline" onClick={onRetry}>
                Try again
              </Button>
            )}
            {actions}
            {textModel && (
              <Link to="/playground" search={{ model: textModel }} className={buttonClass({ size: "sm" })}>
                Open {textModel} in Playground
              </Link>
            )}
          </>
        )
      }
    >
      <p>{body}</p>
      <p>{[chargedText, nextStep, note].filter(Boolean).join(" ")}</p>
    </Notice>
  );
}

/** The model of a refusal that says the queue has no endpoint for it: it is a text model (spec 7). Else undefined. */
function textModelOf(error: unknown): string | undefined {
  if (!(error instanceof RefusedError) || error.status !== 404) return undefined;
  return /no endpoint for model\s+["'`]?([^\s"'`]+?)["'`.]*(\s|$)/i.exec(error.message)?.[1];
}

interface KeyNoticeProps {
  finding: SecretFinding;
  /** What contains the key, for the title: "text", "prompt". */
  what?: string | undefined;
  /** Called when the person says that it is no key. Not offered for the connection's own key. */
  onSendAnyway: () => void;
  className?: string | undefined;
}

/** Says that something was not sent because a key is in it. */
export function KeyNotice({ finding, what, onSendAnyway, className }: KeyNoticeProps) {
  const { title, body } = keyFindingWords(finding, what);
  return (
    <Notice
      tone="warning"
      title={title}
      className={className}
      actions={
        finding.kind === "similar" && (
          <Button
            size="sm"
            onClick={() => {
              allowKey(finding);
              onSendAnyway();
            }}
          >
            Send anyway
          </Button>
        )
      }
    >
      {body}
    </Notice>
  );
}

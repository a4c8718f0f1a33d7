import type { ReactNode } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import type { Submission } from "#jobs/use-submit.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { Button } from "#ui/button.tsx";
import { Notice, type NoticeTone } from "#ui/notice.tsx";
import { NotSentNotice } from "./not-sent-notice.tsx";

/** What became of the last press of Run, where it is not simply a job: whether anything was charged, and what to do. */
export function SubmitNotice({ submission, onRun }: { submission: Submission; onRun: () => void }) {
  const { state, dismiss, cancel, confirm, sendAgain } = submission;
  switch (state.phase) {
    case "idle":
    case "sending":
      return null;
    case "rejected":
      return state.error ? (
        <ErrorNotice error={state.error} doing="submit" onDismiss={dismiss} />
      ) : (
        <Told tone="error" title={`The service refused this with ${state.refusal.status}`} onDismiss={dismiss}>
          {state.refusal.message} Nothing was charged.
        </Told>
      );
    case "retrying":
      return (
        <Told
          tone="info"
          title="The service is busy"
          actions={
            <Button size="sm" onClick={cancel}>
              Stop trying
            </Button>
          }
        >
          It answered {state.refusal.status} and took nothing, so nothing was charged. Try {state.attempt + 1} follows
          in a moment.
        </Told>
      );
    case "not-sent":
      return <NotSentNotice state={state} onRun={onRun} onConfirm={() => void confirm()} onDismiss={dismiss} />;
    case "unconfirmed":
      return state.canSendAgain ? (
        <Told
          tone="warning"
          title="The service has no job for this"
          onDismiss={dismiss}
          actions={
            <Button size="sm" onClick={() => void sendAgain()}>
              Send again for {formatMicroUsd(state.priceMicroUsd)}
            </Button>
          }
        >
          The answer to Run was lost, and {state.goodLooks} looks at the job list found nothing. As far as can be seen,
          you were not charged.
        </Told>
      ) : (
        <Told tone="warning" title="Unconfirmed, looking">
          {state.surelyCharged
            ? "The service took the job, and its answer could not be read. It was most likely charged."
            : "The answer to Run was lost. The service may have taken the job and charged it."}{" "}
          The job list is read until it is found. Nothing is sent again by itself.
          {state.lookFailed && " The last look at the list failed; another follows."}
        </Told>
      );
    case "accepted":
      // A job that appeared beside it is told on every screen (`use-duplicate-alerts.ts`).
      return state.how === "probable" || state.unsaved ? (
        <Told
          tone="warning"
          title={state.how === "probable" ? "Found again, most likely" : "Accepted, not noted here"}
          onDismiss={dismiss}
        >
          {state.how === "probable" && "Other jobs of this key appeared meanwhile, so this one is the likely match. "}
          {state.unsaved && "The job could not be noted in this browser. Find it again in History."}
        </Told>
      ) : null;
  }
}

function Told({
  tone,
  title,
  children,
  actions,
  onDismiss,
}: {
  tone: NoticeTone;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
}) {
  return (
    <Notice tone={tone} title={title} actions={actions} onDismiss={onDismiss}>
      <p>{children}</p>
    </Notice>
  );
}

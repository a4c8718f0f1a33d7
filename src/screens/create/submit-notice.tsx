import type { ReactNode } from "react";
import { explainError } from "#api/explain-error.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import type { NotSentReason, SubmitState } from "#jobs/submit/submit-state.ts";
import type { Submission } from "#jobs/submit/use-submit.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { acceptMemoryMode } from "#storage/storage-state.ts";
import { Button } from "#ui/button.tsx";
import { Notice, type NoticeTone } from "#ui/notice.tsx";

/** The outcome of the last press of Run, where it is not simply a job: whether anything was charged, and what to do. */
export function SubmitNotice({ submission, onRun }: { submission: Submission; onRun: () => void }) {
  const { state, dismiss, cancel, confirm, sendAgain } = submission;
  switch (state.phase) {
    case "idle":
    case "sending":
      return null;
    case "rejected":
      return state.error ? (
        <ErrorNotice
          error={state.error}
          operation="submit"
          note={state.isAudited ? AUDITED : undefined}
          onDismiss={dismiss}
        />
      ) : (
        <Message tone="error" title={`The service refused this with ${state.refusal.status}`} onDismiss={dismiss}>
          {asSentence(state.refusal.message)} Nothing was charged. {state.isAudited && AUDITED}
        </Message>
      );
    case "retrying":
      return (
        <Message
          tone="info"
          title={state.refusal.isOfHost ? "The connection to this studio's host broke" : "The service is busy"}
          actions={
            <Button size="sm" onClick={cancel}>
              Stop trying
            </Button>
          }
        >
          {state.refusal.isOfHost
            ? "The host has not passed the request on, so nothing was charged."
            : `It answered ${state.refusal.status} and took nothing, so nothing was charged.`}{" "}
          Try {state.attempt + 1} follows in a moment.
        </Message>
      );
    case "not-sent":
      return <NotSentNotice state={state} onRun={onRun} onConfirm={() => void confirm()} onDismiss={dismiss} />;
    case "unconfirmed":
      return state.canSendAgain ? (
        <Message
          tone="warning"
          title="No job was found"
          onDismiss={dismiss}
          actions={
            <Button size="sm" onClick={() => void sendAgain()}>
              Send again for {formatMicroUsd(state.priceMicroUsd)}
            </Button>
          }
        >
          {whatCame(state)} The job was not found in {state.goodPolls} looks at the job list. Most likely the service
          never took it, so nothing would be charged, but only its bill is certain.
        </Message>
      ) : (
        <Message tone="warning" title="Unconfirmed, looking">
          {whatCame(state)}{" "}
          {state.surelyCharged
            ? "It was most likely charged."
            : "The service may have taken the job and charged it, or not: that is not known yet."}{" "}
          The job list is read until the job is found{state.waitLeftMs > 0 && `, for ${roughly(state.waitLeftMs)} more`}
          . Nothing is sent again by itself.
          {state.pollFailed && " The last look at the list failed; another follows."}
        </Message>
      );
    case "accepted":
      // A job that appeared beside it is reported on every screen (`use-duplicate-alerts.ts`).
      return state.how === "probable" || state.unsaved ? (
        <Message
          tone="warning"
          title={state.how === "probable" ? "Found again, most likely" : "Accepted, not noted here"}
          onDismiss={dismiss}
        >
          {state.how === "probable" && "Other jobs of this key appeared meanwhile, so this one is the likely match. "}
          {state.unsaved && "The job could not be noted in this browser. Find it again in History."}
        </Message>
      ) : null;
  }
}

/** Without a host between, the answer may be to the second of two deliveries. */
const AUDITED =
  "A browser may send a request twice when a connection breaks, so the job list is checked once more in two minutes.";

type Unconfirmed = Extract<SubmitState, { phase: "unconfirmed" }>;

/** What came instead of a job, with the words of the answer where it had some. */
function whatCame({ surelyCharged, refusal }: Unconfirmed): string {
  if (surelyCharged) return "The service took the job, and its answer could not be read.";
  if (refusal === undefined) return "The answer to Run was lost.";
  if (refusal.isOfHost) return `This studio's host answered: ${asSentence(refusal.message)}`;
  return `The answer to Run was ${refusal.status}: ${asSentence(refusal.message)} It may come from a gateway before the service.`;
}

function asSentence(words: string): string {
  const trimmed = words.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A wait as a person would say it. */
export function roughly(ms: number): string {
  const seconds = Math.ceil(ms / 10_000) * 10;
  return seconds <= 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}

function Message({
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

type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

/** Why nothing left this page. In all of these cases nothing was charged. */
const REASONS: Record<NotSentReason, { title: string; body: string }> = {
  offline: { title: "You are offline", body: "Run again when the connection is back." },
  "price-unknown": {
    title: "The price could not be read",
    body: "Nothing is sent without an exact price. Try again in a moment.",
  },
  "price-rose": { title: "The price has risen", body: "Send it only if the new price is fine." },
  "over-cap": { title: "This is over your limit", body: "Raise the limit on the Spend page or choose a cheaper run." },
  "needs-confirmation": { title: "This run costs more than your mark", body: "Send it only if the price is fine." },
  "list-unread": {
    title: "The job list could not be read",
    body: "It is read before each run, so that a lost answer can be found again. Try again in a moment.",
  },
  "other-tab": {
    title: "Another tab is sending for this model",
    body: "One run of a model is sent at a time. Wait for the other tab, then run again.",
  },
  "already-sent": { title: "This run was already sent", body: "Look for it among the recent jobs." },
  unsettled: {
    title: "An earlier run of this model is still unconfirmed",
    body: "Wait until it is found or settled, then run again.",
  },
  storage: {
    title: "This browser could not write the record",
    body: "Nothing is sent before it is noted on this device. Free some space or reload the page.",
  },
  "storage-memory": {
    title: "Nothing can be kept on this device",
    body: "In this window a run would be forgotten with the page. The service would still keep the job and its charge.",
  },
  "never-left": {
    title: "The connection to this studio's host broke",
    body: "The host has not passed the request on, and never will. Run again.",
  },
  "host-unavailable": {
    title: "This studio's host cannot record the run",
    body: "The host writes each run down before it sends it. Now it does not answer or cannot write. Try again in a moment, or ask whoever runs it.",
  },
  "newer-version": {
    title: "A newer version of Safelight has an open run of this model",
    body: "This page cannot read its record and does not touch it. Reload the page to get the newer version.",
  },
  stale: {
    title: "This page was asleep after you pressed Run",
    body: "So much time had passed that it sent nothing. Press Run again if you still want it.",
  },
};

const CAP_WORDS = { run: "one run", session: "one session", day: "one day" } as const;

/** Shows that nothing was sent, why, and the next act. */
function NotSentNotice({
  state,
  onRun,
  onConfirm,
  onDismiss,
}: {
  state: NotSent;
  onRun: () => void;
  /** Agrees to the price that the notice names. */
  onConfirm: () => void;
  onDismiss: () => void;
}) {
  const { title, body } = REASONS[state.reason];
  const isPrivate = state.reason === "storage-memory";
  const asked =
    state.reason === "needs-confirmation" || state.reason === "price-rose" ? state.priceMicroUsd : undefined;
  return (
    <Notice
      tone="warning"
      title={title}
      onDismiss={onDismiss}
      actions={
        asked !== undefined ? (
          <Button size="sm" onClick={onConfirm}>
            Run for {formatMicroUsd(asked)}
          </Button>
        ) : (
          isPrivate && (
            <Button
              size="sm"
              onClick={() => {
                acceptMemoryMode();
                onRun();
              }}
            >
              Run all the same
            </Button>
          )
        )
      }
    >
      <p>
        Nothing was sent and nothing was charged.{" "}
        {state.priceMicroUsd !== undefined && `It costs ${formatMicroUsd(state.priceMicroUsd)} now. `}
        {state.overByMicroUsd !== undefined &&
          `It is ${formatMicroUsd(state.overByMicroUsd)} over what you allow for ${CAP_WORDS[state.cap ?? "run"]}. `}
        {cureOf(state) ?? body}
      </p>
    </Notice>
  );
}

/** What to do where waiting does not help: the key was refused, say. Undefined where the reason's own words do. */
function cureOf({ reason, error }: NotSent): string | undefined {
  if (error === undefined) return undefined;
  const { title, nextStep, retryable } = explainError(error, reason === "price-unknown" ? "estimate" : "read");
  return retryable ? undefined : `${title}. ${nextStep}`;
}

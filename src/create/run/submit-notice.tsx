import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { NO_JOB_SO_FAR, REQUEST_CHARGE, RUN_AGAIN_TWICE } from "#api/charge-words.ts";
import { asSentence } from "#api/explain-error.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
import { saysInactive } from "#runs/rules/answers.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { runWords } from "#runs/status-words.ts";
import type { Submission } from "#runs/submit/submissions.ts";
import {
  AUDITED,
  CHECKING,
  notSentWords,
  refusalChargeText,
  refusedTitle,
  retryWords,
  roughly,
  whatCame,
} from "#runs/submit/submit-words.ts";
import { acceptMemoryMode } from "#storage/storage-state.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { Notice, type NoticeTone } from "#ui/notice.tsx";

interface SubmitNoticeProps {
  submission: Submission;
  /** The price of a run now, in words; undefined while it is not known. */
  price?: string | undefined;
  onRun: () => void;
  /** Leads to the first field that can be changed. */
  onEdit?: (() => void) | undefined;
  /** Opens the list of models. */
  onPick?: (() => void) | undefined;
}

/** The outcome of the last press of Run, where it is not simply a job: whether anything was charged, and what to do. */
export function SubmitNotice({ submission, price, onRun, onEdit, onPick }: SubmitNoticeProps) {
  const { state, dismiss, cancel, check, sendAgain } = submission;
  switch (state.phase) {
    case "idle":
    case "sending":
      return null;
    case "rejected": {
      const acts = <RejectedActs state={state} price={price} onRun={onRun} onEdit={onEdit} onPick={onPick} />;
      return state.error ? (
        <ErrorNotice
          error={state.error}
          operation="submit"
          note={state.isAudited ? AUDITED : undefined}
          actions={acts}
          onDismiss={dismiss}
        />
      ) : (
        <Message tone="error" title={refusedTitle(state.refusal)} actions={acts} onDismiss={dismiss}>
          {asSentence(state.refusal.message)} {refusalChargeText(state.refusal)} {state.isAudited && AUDITED}
        </Message>
      );
    }
    case "retrying": {
      const { title, body } = retryWords(state.refusal);
      return (
        <Message
          tone="info"
          title={title}
          actions={
            <Button size="sm" onClick={cancel}>
              Stop retrying
            </Button>
          }
        >
          {body} Trying again shortly (attempt {formatNumber(state.attempt + 1)}).
        </Message>
      );
    }
    case "not-sent":
      return <NotSentNotice state={state} submission={submission} price={price} onRun={onRun} />;
    case "unconfirmed":
      return state.canSendAgain ? (
        <Message
          tone="warning"
          title={runWords({ kind: "absent" }).word}
          onDismiss={dismiss}
          actions={
            <Button size="sm" onClick={() => void sendAgain()}>
              Run again for {formatMicroUsd(state.priceMicroUsd)}
            </Button>
          }
        >
          {whatCame(state)} {NO_JOB_SO_FAR} {RUN_AGAIN_TWICE} Check the service’s bill to be sure.
        </Message>
      ) : (
        <Message
          tone="warning"
          title={CHECKING}
          actions={
            <Button size="sm" onClick={check}>
              Check again
            </Button>
          }
        >
          {whatCame(state)} {REQUEST_CHARGE.unknown} Safelight checks the job list until the job appears
          {state.waitLeftMs > 0 && `, for ${roughly(state.waitLeftMs)} more`}. Nothing is submitted again.
          {state.pollFailed && " The last check failed. Checking again…"}
        </Message>
      );
    case "accepted":
      // A job that appeared beside it is reported on every screen (`use-alerts.ts`).
      return state.how === "probable" || state.unsaved ? (
        <Message
          tone="warning"
          title={state.how === "probable" ? "This is probably your job" : "Accepted, but not saved in this browser"}
          onDismiss={dismiss}
        >
          {state.how === "probable" && "Other jobs of this key appeared at the same time. "}
          {state.unsaved && "This browser couldn’t save the job. You can find it in History."}
        </Message>
      ) : null;
  }
}

interface MessageProps {
  tone: NoticeTone;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  onDismiss?: (() => void) | undefined;
}

function Message({ children, ...notice }: MessageProps) {
  return (
    <Notice {...notice}>
      <p dir="auto">{children}</p>
    </Notice>
  );
}

function RunAgain({ price, onRun }: Pick<SubmitNoticeProps, "price" | "onRun">) {
  return (
    <Button size="sm" onClick={onRun}>
      Run again{price !== undefined && ` for ${price}`}
    </Button>
  );
}

/** Whether a refusal is about the request itself. */
const isAboutRequest = (status: number) => status === 400 || status === 413 || status === 422;

/** The buttons after a refusal: edit the request, choose another model, or run again. */
function RejectedActs({
  state: { error, refusal },
  price,
  onRun,
  onEdit,
  onPick,
}: { state: Extract<SubmitState, { phase: "rejected" }> } & Omit<SubmitNoticeProps, "submission">) {
  const { status } = refusal;
  const isAboutModel =
    status === 403 || status === 404 || (error instanceof RefusedError && saysInactive(error)) || status === 502;
  return (
    <>
      {isAboutRequest(status) && onEdit && (
        <Button size="sm" onClick={onEdit}>
          Edit request
        </Button>
      )}
      {isAboutModel && onPick && (
        <Button size="sm" onClick={onPick}>
          Choose another model
        </Button>
      )}
      {!isAboutRequest(status) && status !== 401 && <RunAgain price={price} onRun={onRun} />}
    </>
  );
}

/** Says that nothing was submitted and why, with a button for what to do next. */
function NotSentNotice({
  state,
  submission: { confirm, check, dismiss },
  price,
  onRun,
}: { state: Extract<SubmitState, { phase: "not-sent" }> } & Omit<SubmitNoticeProps, "onEdit" | "onPick">) {
  const { title, body, act } = notSentWords(state);
  const acts: Record<typeof act, ReactNode> = {
    run: <RunAgain price={price} onRun={onRun} />,
    confirm: state.priceMicroUsd !== undefined && (
      <Button size="sm" onClick={() => void confirm()}>
        Run for {formatMicroUsd(state.priceMicroUsd)}
      </Button>
    ),
    limits: (
      <Link to="/spend" className={buttonClass({ size: "sm" })}>
        Change limits
      </Link>
    ),
    check: (
      <Button size="sm" onClick={check}>
        Check again
      </Button>
    ),
    reload: (
      <Button size="sm" onClick={() => location.reload()}>
        Reload
      </Button>
    ),
    history: (
      <Link to="/history" className={buttonClass({ size: "sm" })}>
        Go to History
      </Link>
    ),
    memory: (
      <Button
        size="sm"
        onClick={() => {
          acceptMemoryMode();
          onRun();
        }}
      >
        Run anyway{price !== undefined && ` for ${price}`}
      </Button>
    ),
  };
  return (
    <Message tone="warning" title={title} onDismiss={dismiss} actions={acts[act]}>
      {body}
    </Message>
  );
}

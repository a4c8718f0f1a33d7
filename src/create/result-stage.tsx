import { visibleLine } from "#lib/visible-text.ts";
import { WaitingBody } from "#results/result-waiting.tsx";
import { useUsualTimes } from "#results/waiting/past-times.ts";
import { jobPrompt } from "#runs/job-prompt.ts";
import { StatusBadge } from "#runs/job-status.tsx";
import type { SubmitState } from "#runs/rules/intent.ts";
import { runWords } from "#runs/status-words.ts";
import { type Run, useSubmit } from "#runs/submit/submissions.ts";
import { openKind } from "#runs/submit/submit-words.ts";
import { useIsOnePane } from "#ui/use-media-query.ts";
import { EndAnnouncer } from "./end-announcer.tsx";
import { ResultPanel, useIsOwnRun } from "./result-panel.tsx";
import { SubmitNotice } from "./run/submit-notice.tsx";

interface ResultStageProps {
  /** The run that was pressed just now: it is shown before any job. */
  pending: Run | undefined;
  requestId: string | undefined;
}

/**
 * The result of a run from the press of Run on: first as what was asked for, then as its job, then as its files, all in
 * one place. Shows nothing where there is neither.
 */
export function ResultStage({ pending, requestId }: ResultStageProps) {
  // Read before the first wait, so that the usual time is there with the frame.
  useUsualTimes();
  const shownId = pending ? undefined : requestId;
  const isOwnRun = useIsOwnRun(shownId);
  return (
    <>
      <EndAnnouncer requestId={shownId} isOwnRun={isOwnRun} />
      {pending && <PendingResult pending={pending} />}
      {shownId !== undefined && <ResultPanel key={shownId} requestId={shownId} />}
    </>
  );
}

/** The frame of a run while it is on its way to the service. What holds it up stands above Run, too, where that is in view. */
function PendingResult({ pending: { request, priceMicroUsd, state } }: { pending: Run }) {
  const kind = openKind(state);
  const submission = useSubmit(request.model);
  const hasNotice = useIsOnePane() && state.phase !== "sending";
  return (
    <>
      <header className="flex min-h-[52px] shrink-0 items-center gap-2.5 border-line border-b px-5 py-2 max-sm:px-3">
        <span role="status" className="font-medium">
          <StatusBadge {...runWords({ kind })} />
        </span>
        <p dir="auto" className="m-0 min-w-0 flex-1 truncate text-left text-ink-2">
          {visibleLine(jobPrompt(request.payload) ?? request.model)}
        </p>
      </header>
      <WaitingBody
        model={request.model}
        payload={request.payload}
        requestId={undefined}
        progress={kind}
        sinceMs={sinceMs(state)}
        priceMicroUsd={priceMicroUsd}
        isActive={state.phase !== "unconfirmed"}
        notice={
          hasNotice && (
            <SubmitNotice submission={submission} onRun={() => void submission.submit(request, priceMicroUsd)} />
          )
        }
      />
    </>
  );
}

function sinceMs(state: SubmitState): number | undefined {
  if (state.phase === "sending") return state.startedAtMs;
  return state.phase === "unconfirmed" ? state.sinceMs : undefined;
}

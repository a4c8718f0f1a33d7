import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, Columns2 } from "lucide-react";
import { type ComponentProps, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { isFinal, isJobRunning } from "#api/jobs.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useDeletedMedia, useIsMediaDeleted } from "#media/deleted-media.ts";
import { resultCommands } from "#results/commands.ts";
import { JobDownload } from "#results/job-download.tsx";
import { JobRequestLogButton } from "#results/request-log/job-request-log.tsx";
import { ResultBody } from "#results/result-body.tsx";
import { ResultFooter } from "#results/result-footer.tsx";
import { ResultWaiting, WaitingBody } from "#results/result-waiting.tsx";
import type { RunAgain } from "#results/run-again.ts";
import { QUIET_BUTTON } from "#results/settings/used-settings.tsx";
import { otherModels } from "#results/viewer/compare/same-prompt.ts";
import { useUsualTimes } from "#results/waiting/usual-time.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { JobStatus, StatusBadge } from "#runs/job-status.tsx";
import { useAreTrackedJobsRead, useJob, useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { runWords, statusWords } from "#runs/status-words.ts";
import { type Run, useSubmissions, useSubmit } from "#runs/submit/submissions.ts";
import { openKind } from "#runs/submit/submit-words.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { useIsOnePane } from "#ui/use-media-query.ts";
import { SubmitNotice } from "./run/submit-notice.tsx";

interface ResultStageProps {
  /** The run that was pressed just now: it is shown before any job. */
  pending: Run | undefined;
  requestId: string | undefined;
}

/**
 * The result of a run from the press of Run on, all in one place: first the request, then its job, then its files.
 * Renders nothing without a run and a job.
 */
export function ResultStage({ pending, requestId }: ResultStageProps) {
  // Starts reading before the first run, so that the usual time is known when a run starts.
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

/**
 * A run until it has a job. A notice about what it waits for is shown here only where one pane fills the screen; beside
 * the form it stands above the Run button.
 */
function PendingResult({ pending: { request, priceMicroUsd, state } }: { pending: Run }) {
  const kind = openKind(state);
  const submission = useSubmit(request.model);
  const hasNotice = useIsOnePane() && state.phase !== "sending";
  return (
    <>
      <header className="flex min-h-13 shrink-0 items-center gap-2.5 border-line border-b px-5 py-2 max-sm:px-3">
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

/** One job: its state, its files, what was used for it, what it cost, and what can be done next. */
function ResultPanel({ requestId }: { requestId: string }) {
  const { job: known, isAwaitingFiles, isFetching, error, refetch } = useJob(requestId);
  // The stored rows have the cost and the time. Nothing is shown before they are read, else the result would move.
  const job = useAreTrackedJobsRead() ? known : undefined;
  const navigate = useNavigate();
  const open = () => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  useCommands([{ ...resultCommands.open, icon: ArrowUpRight, run: open }]);
  // The row of a run of this page is written a moment after its job is known. Until then its own request is shown.
  const ownRun = useOwnRun(requestId);
  const isRowLoading = ownRun !== undefined && job?.origin === undefined;
  if (known === undefined && error) {
    return <ErrorNotice className="m-4.5" error={error} operation="read" onRetry={refetch} />;
  }
  const isShown = job !== undefined && !isRowLoading && (!isJobRunning(job) || job.media.length > 0);
  return (
    <>
      <ResultHeader job={job} />
      {isShown ? (
        <FinishedJob
          job={job}
          awaited={isAwaitingFiles ? { error: isFetching ? null : error, retry: refetch } : undefined}
        />
      ) : (
        <ResultWaiting job={job} sent={isRowLoading ? ownRun : undefined} />
      )}
    </>
  );
}

/** Whether a job belongs to a run of this page, whose row is or will be stored. */
const useIsOwnRun = (requestId: string | undefined) => useOwnRun(requestId) !== undefined;

/**
 * The run of this page that a job belongs to; undefined for any other job. Also undefined for a run whose row could not
 * be saved, because whoever waits for that row would wait forever.
 */
function useOwnRun(requestId: string | undefined): Run | undefined {
  return useStore(useSubmissions().runs, (runs) =>
    runs.find(
      ({ isShown, state }) => isShown && state.phase === "accepted" && state.requestId === requestId && !state.unsaved,
    ),
  );
}

function FinishedJob({ job, awaited }: Pick<ComponentProps<typeof ResultBody>, "job" | "awaited">) {
  const links = (
    <>
      <JobRequestLogButton job={job} variant="ghost" size="sm" />
      <Link
        data-command={resultCommands.open.id}
        to="/jobs/$requestId"
        params={{ requestId: job.requestId }}
        className={QUIET_BUTTON}
      >
        {resultCommands.open.label}
        <ArrowUpRight aria-hidden="true" className="size-4" />
      </Link>
    </>
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto short:flex-none short:overflow-visible">
      <div className="@container flex flex-1 flex-col gap-3.5 px-5 pt-4 pb-3.5 max-sm:px-3 md:short:min-h-112.5">
        <ResultBody job={job} awaited={awaited} links={links} />
      </div>
      <div className="sticky bottom-0 bg-canvas max-lg:static short:static">
        <ResultFooter job={job} outcome={(again) => <PhoneOutcome model={job.model ?? ""} again={again} />} />
      </div>
    </div>
  );
}

/**
 * The notice about a run that was started here. Only on a phone, because elsewhere it is in view above the Run button.
 */
function PhoneOutcome({ model, again }: { model: string; again: RunAgain }) {
  const submission = useSubmit(model);
  return (
    <div className="lg:hidden">
      <SubmitNotice submission={submission} onRun={again.run} />
    </div>
  );
}

interface EndAnnouncerProps {
  /** Undefined before the run has a job. The region is there already, because a new region would not be read out. */
  requestId: string | undefined;
  /** Whether the job was run on this page just now. Then its end is read out even if it was never seen running. */
  isOwnRun: boolean;
}

const LONGEST_PROMPT = 80;

/**
 * Reads out once how a job ended: "Done: A stone bridge". What changes until then, such as its seconds, is not read
 * out.
 */
function EndAnnouncer({ requestId, isOwnRun }: EndAnnouncerProps) {
  return (
    <div role="status" className="sr-only">
      {requestId !== undefined && <EndText key={requestId} requestId={requestId} isOwnRun={isOwnRun} />}
    </div>
  );
}

function EndText({ requestId, isOwnRun }: EndAnnouncerProps & { requestId: string }) {
  const { job } = useJob(requestId);
  const [isNews, setIsNews] = useState(isOwnRun);
  const [text, setText] = useState<string>();
  const isOver = job !== undefined && isFinal(job.status);
  if (!isNews && (isOwnRun || (job !== undefined && !isOver))) setIsNews(true);
  // For a run of this page, wait for the stored row, which holds the prompt. Never change a text that was read out.
  const hasPromptOrNone = job?.payload !== undefined || job?.origin !== undefined || !isOwnRun;
  if (text === undefined && isNews && isOver && hasPromptOrNone) {
    const prompt = visibleLine(jobPrompt(job.payload) ?? job.model ?? "", LONGEST_PROMPT);
    setText(`${statusWords(job.status).word}: ${prompt}`);
  }
  return text;
}

/** What the job is and what can be done with it. */
function ResultHeader({ job }: { job: JobRecord | undefined }) {
  const status = job?.status ?? "queued";
  const took = job && status === "success" ? tookMs(job) : undefined;
  return (
    <header className="@container flex min-h-13 shrink-0 items-center gap-2.5 border-line border-b px-5 py-2 max-sm:px-3">
      <span className="flex shrink-0 items-center font-medium tabular-nums">
        <JobStatus status={status} />
        {took !== undefined && <span className="whitespace-pre"> in {formatElapsed(took)}</span>}
      </span>
      <p dir="auto" className="m-0 min-w-0 flex-1 truncate text-left text-ink-2">
        {visibleLine(jobPrompt(job?.payload) ?? "")}
      </p>
      {job && <ResultActions job={job} />}
    </header>
  );
}

/** What can be done with the job; each act has its key and is listed in the command palette. */
function ResultActions({ job }: { job: JobRecord }) {
  const compareLink = useRef<HTMLAnchorElement>(null);
  const isDeleted = useIsMediaDeleted(job.requestId);
  const hasFiles = job.media.length > 0 && !isDeleted;
  const others = useOtherResults(job);
  const canCompare = hasFiles && others.length > 0;
  const compare = { ...resultCommands.compare, label: "Compare with another job", icon: Columns2 };
  useCommands(canCompare ? [{ ...compare, run: () => compareLink.current?.click() }] : []);
  const compareProps = useCommandProps(compare);
  if (!hasFiles) return null;
  return (
    <div className="flex shrink-0 items-center gap-2">
      {canCompare && (
        <Link
          {...compareProps}
          ref={compareLink}
          to="/history"
          search={{ compare: [job.requestId, ...others].join(",") }}
          preload={false}
          title={compare.label}
          className={buttonClass({ className: "max-sm:hidden" })}
        >
          <Columns2 aria-hidden="true" className="size-4" />
          {/* A narrow pane shows the icon alone, to leave room for the prompt. */}
          <span className="@max-[35rem]:sr-only">{resultCommands.compare.label}</span>
          <Kbd command={compare} className="@max-[35rem]:hidden" />
        </Link>
      )}
      <JobDownload job={job} />
    </div>
  );
}

/**
 * The results to compare with: those of other models from the same prompt, else the run before this one, or after it.
 */
function useOtherResults(job: JobRecord): string[] {
  const tracked = useTrackedJobs();
  const deleted = useDeletedMedia().jobs;
  return useMemo(() => {
    const { requestId } = job;
    const results = tracked.filter(
      (one) => one.requestId === requestId || (one.media.length > 0 && !deleted.has(one.requestId)),
    );
    const at = results.findIndex((one) => one.requestId === requestId);
    const [, ...models] = otherModels({ ...job, payload: job.payload ?? results[at]?.payload }, results, deleted);
    if (models.length > 0) return models.map((one) => one.requestId);
    const near = at < 0 ? undefined : (results[at + 1] ?? results[at - 1]);
    return near ? [near.requestId] : [];
  }, [job, tracked, deleted]);
}

import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { ComponentProps } from "react";
import { useStore } from "zustand";
import { isJobRunning } from "#api/final-status.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { resultCommands } from "#results/commands.ts";
import { JobRequestLogButton } from "#results/request-log/job-request-log-button.tsx";
import { ResultBody } from "#results/result-body.tsx";
import { ResultFooter } from "#results/result-footer.tsx";
import { ResultWaiting } from "#results/result-waiting.tsx";
import type { RunAgain } from "#results/run-again.ts";
import { QUIET_BUTTON } from "#results/settings/used-settings.tsx";
import { useJob } from "#runs/poll/use-job.ts";
import { type Run, useSubmissions, useSubmit } from "#runs/submit/submissions.ts";
import { useAreTrackedJobsRead } from "#runs/use-tracked-jobs.ts";
import { useCommands } from "#ui/command-store.ts";
import { ResultHeader } from "./result-header.tsx";
import { SubmitNotice } from "./run/submit-notice.tsx";

/** One job: its state, its files, what was used for it, what it cost, and what can be done next. */
export function ResultPanel({ requestId }: { requestId: string }) {
  const { job: known, isAwaitingFiles, isFetching, error, refetch } = useJob(requestId);
  // What it cost and how long it took stand in its row: what came after the result would move it.
  const job = useAreTrackedJobsRead() ? known : undefined;
  const navigate = useNavigate();
  const open = () => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  useCommands([{ ...resultCommands.open, icon: ArrowUpRight, run: open }]);
  // What a run was sent with and what it cost stand in its row, which is read a moment after its job is known.
  const sent = useOwnRun(requestId);
  const isRowLoading = sent !== undefined && job?.origin === undefined;
  if (known === undefined && error) {
    return <ErrorNotice className="m-[18px]" error={error} operation="read" onRetry={refetch} />;
  }
  const isShown = job !== undefined && !isRowLoading && (!isJobRunning(job) || job.media.length > 0);
  return (
    <>
      <ResultHeader job={job} />
      {isShown ? (
        <Shown job={job} awaited={isAwaitingFiles ? { error: isFetching ? null : error, retry: refetch } : undefined} />
      ) : (
        <ResultWaiting job={job} sent={isRowLoading ? sent : undefined} />
      )}
    </>
  );
}

/** Whether a job is that of a run of this page, and so has a row of its own. */
export const useIsOwnRun = (requestId: string | undefined) => useOwnRun(requestId) !== undefined;

/** The run of this page whose job it is; undefined for any other job. */
function useOwnRun(requestId: string | undefined): Run | undefined {
  return useStore(useSubmissions().runs, (runs) =>
    runs.find(
      ({ isShown, state }) => isShown && state.phase === "accepted" && state.requestId === requestId && !state.unsaved,
    ),
  );
}

function Shown({ job, awaited }: Pick<ComponentProps<typeof ResultBody>, "job" | "awaited">) {
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
      <div className="@container flex flex-1 flex-col gap-3.5 px-5 pt-4 pb-3.5 max-sm:px-3 md:short:min-h-[450px]">
        <ResultBody job={job} awaited={awaited} links={links} />
      </div>
      <div className="sticky bottom-0 bg-canvas max-lg:static short:static">
        <ResultFooter job={job} outcome={(again) => <PhoneOutcome model={job.model ?? ""} again={again} />} />
      </div>
    </div>
  );
}

/** Where the form is in another pane, what became of a run that was begun here; beside the form it stands there. */
function PhoneOutcome({ model, again }: { model: string; again: RunAgain }) {
  const submission = useSubmit(model);
  return (
    <div className="lg:hidden">
      <SubmitNotice submission={submission} onRun={again.run} />
    </div>
  );
}

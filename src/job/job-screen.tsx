import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import { FileQuestion, Import, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { RefusedError, UnusableIdError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { GONE, isFinal, isJobRunning } from "#api/jobs.ts";
import type { Job, JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatNumber } from "#lib/numbers.ts";
import { visibleText } from "#lib/visible-text.ts";
import { useDeletion } from "#media/deleted-media.ts";
import { jobCommands, resultCommands } from "#results/commands.ts";
import { DeleteMediaDialog } from "#results/deletion/delete-media-dialog.tsx";
import { EditAgainLink } from "#results/end-acts.tsx";
import { JobDownload } from "#results/job-download.tsx";
import { JobFactList, PayloadTable } from "#results/job-fact-list.tsx";
import { JobRequestLogButton } from "#results/request-log/job-request-log.tsx";
import { ResultBody } from "#results/result-body.tsx";
import { ResultFooter } from "#results/result-footer.tsx";
import { ResultWaiting } from "#results/result-waiting.tsx";
import { importJobs } from "#runs/import-jobs.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useIsTracked, useJob } from "#runs/poll/use-jobs.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { priceText } from "#runs/prices/job-price.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";

const route = getRouteApi("/studio/jobs/$requestId");

/** The first query of the screen, for the route's loader. */
export const firstQuery = (api: Api, requestId: string) => jobQueries(api).detail(requestId);

/**
 * One job by its id, watched until it is final (spec 4.1 rule 2): whoever submitted it, as long as the key may see it.
 */
export function JobScreen() {
  const { requestId } = route.useParams();
  const { job: read, isAwaitingFiles, error, refetch } = useJob(requestId);
  // The header waits for this, because an Import button that came later would move the other buttons.
  const isKnown = useIsTracked(requestId);
  const job = isKnown === undefined ? undefined : read;

  if (!job && isUnknown(error)) {
    return (
      <div className="grid h-full place-content-center">
        <h1 className="sr-only">Job</h1>
        <EmptyState
          icon={FileQuestion}
          title="Job not found"
          actions={
            <Link to="/history" className={buttonClass()}>
              Go to History
            </Link>
          }
        >
          <p className="wrap-anywhere m-0 font-mono text-sm">{requestId}</p>
          <p className="m-0 mt-2">
            No job has this ID, or it belongs to another user. An API key sees only its own jobs.
          </p>
        </EmptyState>
      </div>
    );
  }
  return (
    // On a wide screen the result fills the window beside its details; on a narrow or low one the page scrolls.
    <div className="flex h-full flex-col overflow-y-auto lg:not-short:overflow-hidden">
      {job && <JobHeader job={job} isKnown={isKnown === true} />}
      {/* That the service no longer has the job is said in place of its files. */}
      {error && job?.status !== GONE && (
        <ErrorNotice className="m-5 max-sm:m-3" error={error} operation="read" onRetry={refetch} />
      )}
      {job ? (
        <div className="flex shrink-0 flex-col lg:not-short:min-h-0 lg:not-short:shrink lg:not-short:flex-1 lg:flex-row">
          <JobResult job={job} isAwaitingFiles={isAwaitingFiles} />
          <JobDetails job={job} />
        </div>
      ) : (
        !error && <JobSkeleton />
      )}
    </div>
  );
}

function JobSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4 p-5">
      <h1 className="sr-only">Loading job</h1>
      <Skeleton className="h-8 w-1/2" />
      <Skeleton className="aspect-video w-full max-w-205 rounded-md" />
    </div>
  );
}

// Some services answer 400 to an id of a wrong format, before they look for it.
function isUnknown(error: Error | null): boolean {
  if (error instanceof UnusableIdError) return true;
  return error instanceof RefusedError && (error.status === 404 || error.status === 400);
}

/** What the job is, its status, and what can be done with it. */
function JobHeader({ job, isKnown }: { job: JobRecord; isKnown: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const deletion = useDeletion(job.requestId);
  const prompt = jobPrompt(job.payload);
  const hasMedia = job.media.length > 0;
  return (
    <header className="sticky top-0 z-10 flex min-h-13 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-canvas px-4.5 py-2 max-sm:px-3 short:static">
      <JobStatus status={job.status} />
      <h1 dir="auto" className="m-0 min-w-[8rem] flex-1 truncate text-left font-medium text-base" title={prompt}>
        {visibleText(prompt ?? job.model ?? "Job")}
      </h1>
      {/* Buttons that appear with the files stand first, so that the others do not move. */}
      <span className="flex flex-wrap gap-2 lg:contents">
        {!isKnown && <ImportJobButton job={job} />}
        {/* A job that is over has this link below its result. */}
        {isJobRunning(job) && !hasMedia && <EditAgainLink job={job} />}
        {hasMedia && !deletion && <JobDownload job={job} />}
        {hasMedia && !deletion?.isConfirmed && isFinal(job.status) && (
          <CommandButton
            variant="danger"
            command={{ ...resultCommands.delete, icon: Trash2, run: () => setIsAsking(true) }}
          />
        )}
        <JobRequestLogButton job={job} />
      </span>
      <DeleteMediaDialog open={isAsking} onOpenChange={setIsAsking} jobs={[job]} />
    </header>
  );
}

/** Imports a job that another client submitted. */
function ImportJobButton({ job }: { job: Job }) {
  const accountId = useConnection()?.accountId ?? "";
  const isOver = isFinal(job.status);
  async function importJob() {
    try {
      await importJobs(accountId, [job]);
      toast({
        title: isOver ? "Job imported" : "Tracking job",
        // A failed job was refunded in full, so Spend has no transaction of it.
        body: job.status === "failed" ? undefined : "Spend includes it. Its price is estimated in the background.",
      });
    } catch {
      toast({
        tone: "error",
        title: "This browser couldn’t save the job",
        body: "Free some disk space, then try again.",
      });
    }
  }
  return (
    <CommandButton
      command={{
        ...jobCommands.import,
        label: isOver ? "Import job" : "Track job",
        icon: Import,
        run: () => void importJob(),
      }}
    />
  );
}

interface JobResultProps {
  job: JobRecord;
  isAwaitingFiles: boolean;
}

// The files are still awaited. An error is shown above, for the whole page.
const ON_ITS_WAY = { error: null, retry: () => {} };

/** The files of a job, or what is shown in their place; below them what was used and what can be done next. */
function JobResult({ job, isAwaitingFiles }: JobResultProps) {
  const isShown = !isJobRunning(job) || job.media.length > 0;
  return (
    <section
      aria-label="Result"
      className="flex min-w-0 flex-1 flex-col lg:not-short:min-h-0 lg:not-short:overflow-y-auto"
    >
      {isShown ? (
        <div className="@container flex flex-1 flex-col gap-3.5 px-5 pt-4 pb-3.5 max-sm:px-3 md:max-lg:min-h-[70dvh] md:short:min-h-112.5">
          <ResultBody job={job} awaited={isAwaitingFiles ? ON_ITS_WAY : undefined} />
        </div>
      ) : (
        <ResultWaiting job={job} isJobPage />
      )}
      {isShown && (
        <div className="sticky bottom-0 bg-canvas max-lg:static short:static">
          <ResultFooter job={job} />
        </div>
      )}
    </section>
  );
}

interface JobDetailsProps {
  job: JobRecord;
}

/** The facts of a job: model, price, times, parameters, and its record as the service sent it. */
function JobDetails({ job }: JobDetailsProps) {
  const payload = job.payload;
  return (
    <aside
      aria-label="Details"
      className="grid min-w-0 shrink-0 content-start gap-5 border-line border-t bg-panel px-5 py-4 text-sm max-sm:px-3 lg:w-80 lg:not-short:overflow-y-auto lg:border-t-0 lg:border-l 2xl:w-100"
    >
      <JobFactList isJobPage job={job} priceIfUnknown={<PriceToday job={job} />} priceNote={SHARED_BALANCE} />
      {payload && <PayloadTable payload={payload} />}
      <RecordFromService raw={job.raw} />
    </aside>
  );
}

/** The raw response. It is open where the URL has the hash `#record`, as a link to it does. */
function RecordFromService({ raw }: { raw: Job["raw"] }) {
  const isAsked = useLocation({ select: ({ hash }) => hash === RECORD });
  const record = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isAsked || !record.current) return;
    record.current.open = true;
    record.current.scrollIntoView?.({ block: "start" });
  }, [isAsked]);
  return (
    <details ref={record} id={RECORD}>
      <summary className="cursor-pointer font-medium">Raw response</summary>
      <pre className="wrap-anywhere mt-2 whitespace-pre-wrap rounded-sm bg-well p-3 font-mono text-xs">
        {recordText(raw)}
      </pre>
    </details>
  );
}

const RECORD = "record";
/** Characters of one text in the raw response. */
const LONGEST_TEXT = 400;

/** The record as JSON. Long texts in it, such as inline files, are cut. */
function recordText(raw: unknown): string {
  const cut = (_key: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${formatNumber(value.length)} characters)`
      : value;
  return JSON.stringify(raw, cut, 2);
}

/**
 * The present price of a job whose charge is not known. The service reports no price of a job (spec 2), so its payload
 * is estimated again, which costs nothing and equals the charge unless prices have changed.
 */
function PriceToday({ job }: JobDetailsProps) {
  const request = asRequest(job);
  const estimate = useQuery({
    ...estimateQueries(useApi()).price(request ?? { model: "", payload: {} }),
    enabled: request !== undefined,
  });
  if (request && estimate.data) return priceText({ estimatedMicroUsd: estimate.data.priceMicroUsd });
  return request && estimate.isPending ? "…" : "Price unknown";
}

// The service echoes what is absent as null; a request leaves it out (spec 2: defaults apply).
function asRequest(job: Job): JobRequest | undefined {
  if (!job.model || !job.payload) return undefined;
  const given = Object.entries(job.payload).filter(([, value]) => value !== null);
  return { model: job.model, payload: Object.fromEntries(given) };
}

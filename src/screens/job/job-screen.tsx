import { getRouteApi, Link } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { RefusedError, UnusableIdError } from "#api/api-error.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useJob } from "#jobs/use-job.ts";
import { buttonClass } from "#ui/button-class.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { JobDetails } from "./job-details.tsx";
import { JobHead } from "./job-head.tsx";
import { JobStage } from "./job-stage.tsx";

const route = getRouteApi("/jobs/$requestId");

/** One job by its id, watched until it is final (spec 4.1 rule 2): whoever submitted it, as long as the key may see it. */
export function JobScreen() {
  const { requestId } = route.useParams();
  const { job, tracked, error, refetch } = useJob(requestId);

  if (!job && isUnknown(error)) {
    return (
      <div className="grid h-full place-content-center">
        <h1 className="sr-only">Job</h1>
        <EmptyState
          icon={FileQuestion}
          title="No such job"
          actions={
            <Link to="/history" className={buttonClass()}>
              Open History
            </Link>
          }
        >
          <p className="wrap-anywhere m-0 font-mono text-[12.5px]">{requestId}</p>
          <p className="m-0 mt-2">
            The service knows no job of this id, or it belongs to another user: a key sees only its own jobs. Nothing
            was charged.
          </p>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="h-full overflow-y-auto">
      {job && <JobHead job={job} payload={tracked?.payload} />}
      <div className="mx-auto grid max-w-[1240px] gap-5 px-[18px] py-5 max-sm:px-3">
        {error && <ErrorNotice error={error} doing="read" onRetry={refetch} />}
        {job ? (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
            <JobStage job={job} submittedAtMs={tracked?.submittedAtMs} />
            <JobDetails job={job} tracked={tracked} />
          </div>
        ) : (
          !error && <JobSkeleton />
        )}
      </div>
    </div>
  );
}

function JobSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <h1 className="sr-only">Loading the job</h1>
      <Skeleton className="h-8 w-1/2" />
      <Skeleton className="aspect-video w-full max-w-[820px] rounded-md" />
    </div>
  );
}

// 400 comes from services that check the form of an id before they look for it.
function isUnknown(error: Error | null): boolean {
  if (error instanceof UnusableIdError) return true;
  return error instanceof RefusedError && (error.status === 404 || error.status === 400);
}

import { ErrorNotice } from "#connection/error-notice.tsx";
import { useJob } from "#jobs/use-job.ts";
import { StageFooter } from "./stage-footer.tsx";
import { StageHeader } from "./stage-header.tsx";
import { StageOutcome } from "./stage-outcome.tsx";

/** One job on the stage: its state, its media, its facts. */
export function StagedJob({ requestId }: { requestId: string }) {
  const { job, tracked, error, refetch } = useJob(requestId);
  if (job === undefined && error) {
    return <ErrorNotice className="m-[18px]" error={error} doing="read" onRetry={refetch} />;
  }
  return (
    <>
      <StageHeader job={job} tracked={tracked} />
      <StageOutcome job={job} tracked={tracked} />
      <StageFooter requestId={requestId} job={job} tracked={tracked} />
    </>
  );
}

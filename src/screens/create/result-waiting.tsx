import { useQuery } from "@tanstack/react-query";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { statusWords } from "#jobs/job-status.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { WaitingTime } from "#jobs/waiting/waiting-time.tsx";
import { mediaAspect } from "#media/show/media-view.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { Spinner } from "#ui/indicators.tsx";

interface ResultWaitingProps {
  job: Job | undefined;
  tracked: TrackedJob | undefined;
  status: string;
}

/** A job that is still running, in the place of its result. */
export function ResultWaiting({ job, tracked, status }: ResultWaitingProps) {
  const model = job?.model ?? tracked?.model;
  const makes = useModelType(model);
  const kind = makes === "video" || makes === "audio" ? makes : "image";
  const aspect = mediaAspect({ kind }, job?.payload ?? tracked?.payload);
  const startedAtMs = tracked?.submittedAtMs ?? (job?.createdAtSeconds && job.createdAtSeconds * 1000);
  return (
    <div className="@container-size grid min-h-[320px] flex-1 place-items-center p-[22px]">
      <div
        className="grid min-h-[240px] place-items-center rounded-lg border border-line bg-panel"
        style={{ aspectRatio: aspect, width: `min(100cqw, 640px, calc(100cqh * ${aspect}))` }}
      >
        <div className="flex flex-col items-center gap-2 p-4">
          <Spinner />
          <p className="m-0 font-medium">{statusWords(status).word}</p>
          <WaitingTime requestId={job?.requestId ?? tracked?.requestId ?? ""} model={model} sinceMs={startedAtMs} />
        </div>
      </div>
    </div>
  );
}

/** What a model makes, where its detail has been read; nothing is asked for the shape of a box. */
function useModelType(model: string | undefined): string | undefined {
  const queries = modelQueries(useApi());
  return useQuery({ ...queries.detail(model ?? ""), enabled: false }).data?.type;
}

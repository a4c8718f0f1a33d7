import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { WaitingNote } from "#jobs/waiting-note.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { mediaAspect } from "#media/media-aspect.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Notice } from "#ui/notice.tsx";
import { Spinner } from "#ui/spinner.tsx";

/** A job without media on the stage: still running, failed, cancelled, or finished with nothing to show. */
export function StageMessage({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const status = job?.status ?? tracked?.status ?? "queued";
  if (!isFinal(status)) return <Waiting job={job} tracked={tracked} status={status} />;

  const price = tracked?.priceMicroUsd === undefined ? undefined : formatMicroUsd(tracked.priceMicroUsd);
  return (
    <div className="grid flex-1 place-items-center p-[22px]">
      <div className="w-full max-w-[520px]">
        {status === "failed" && (
          <Notice tone="error" title={price ? `Failed, refunded ${price}` : "Failed, refunded"}>
            <p>{job?.failureReason ?? "The service did not say why."}</p>
            {/* Spec 3: a failed job is refunded automatically and exactly. */}
            <p>The charge is refunded automatically and in full. Change the inputs and run again.</p>
          </Notice>
        )}
        {status === "cancelled" && (
          <Notice tone="info" title="Cancelled">
            <p>
              The service ended this job without a result. It does not say whether a cancelled job is refunded
              {price && `, so count ${price} as charged`}.
            </p>
          </Notice>
        )}
        {status === "success" && (
          <Notice tone="info" title="Finished without files">
            <p>
              The job succeeded and lists no media.{" "}
              {job && (
                <Link
                  to="/jobs/$requestId"
                  params={{ requestId: job.requestId }}
                  className="text-ink underline underline-offset-2"
                >
                  See the whole answer
                </Link>
              )}
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
}

function Waiting({ job, tracked, status }: { job: Job | undefined; tracked: TrackedJob | undefined; status: string }) {
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
          <p className="m-0 font-medium capitalize">{status}</p>
          <WaitingNote requestId={job?.requestId ?? tracked?.requestId ?? ""} model={model} sinceMs={startedAtMs} />
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

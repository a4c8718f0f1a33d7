import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { statusWords } from "#jobs/job-status.tsx";
import { NoResultReason, otherEndMoney } from "#jobs/no-result.tsx";
import { WaitingTime } from "#jobs/waiting/waiting-time.tsx";
import { formatDateTime } from "#lib/time.ts";
import { type Deletion, useDeletion } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { MediaView, mediaAspect } from "#media/show/media-view.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";

interface JobResultProps {
  job: Job;
  submittedAtMs: number | undefined;
}

/** The files of a job, or what is shown in their place. */
export function JobResult({ job, submittedAtMs }: JobResultProps) {
  const deletion = useDeletion(job.requestId);
  if (deletion) return <DeletedNotice deletion={deletion} />;
  const name = jobPrompt(job.payload) ?? job.model ?? "Result";
  if (job.media.length > 0) {
    return (
      <ul className="m-0 grid list-none gap-4 p-0">
        {job.media.map((item, index) => (
          // Never higher than the window, so that the whole picture is seen at once.
          <li
            key={item.url}
            className="grid gap-2"
            style={{ maxWidth: `calc(${mediaAspect(item, job.payload)} * (100dvh - 130px))` }}
          >
            <MediaView
              item={item}
              alt={job.media.length > 1 ? `${name}, ${index + 1} of ${job.media.length}` : name}
              payload={job.payload}
              createdAtSeconds={job.createdAtSeconds}
            />
            {job.media.length > 1 && (
              <div className="flex items-center justify-between text-[12.5px] text-ink-3 tabular-nums">
                {index + 1} of {job.media.length}
                <DownloadButton job={job} index={index} size="sm" />
              </div>
            )}
          </li>
        ))}
      </ul>
    );
  }
  if (job.status === "failed") {
    return (
      <Notice tone="error" title="The job failed">
        <NoResultReason reason={job.failureReason} requestId={job.requestId} />
        <p className="m-0 mt-1">Its charge was refunded automatically and exactly.</p>
      </Notice>
    );
  }
  if (job.status === "cancelled") {
    return (
      <Notice tone="info" title="The job was cancelled">
        {job.failureReason ?? "Whether it was refunded is not said by the service."}
      </Notice>
    );
  }
  const otherEnd = otherEndMoney(job.status, undefined);
  if (otherEnd !== undefined) {
    return (
      <Notice tone="error" title={statusWords(job.status).word}>
        <NoResultReason reason={job.failureReason} requestId={job.requestId} />
        <p className="m-0 mt-1">{otherEnd}</p>
      </Notice>
    );
  }
  if (!isFinal(job.status)) return <Running job={job} submittedAtMs={submittedAtMs} />;
  return (
    <Notice tone="info" title="Finished without a file">
      Some models answer with words or an id. What the service sent is in the record.
    </Notice>
  );
}

/** In the place of files that were deleted from this browser. */
function DeletedNotice({ deletion: { atMs, isConfirmed, isUnderWay } }: { deletion: Deletion }) {
  if (isUnderWay) return <Notice tone="info" title="The media are being deleted" />;
  const when = atMs === undefined ? "" : `, ${formatDateTime(atMs / 1000)}`;
  if (isConfirmed) {
    return (
      <Notice tone="info" title="Media deleted">
        Deleted on request{when}. The job record and the charge stay.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Deletion not confirmed">
      The service was asked to delete the media{when}, and did not confirm it. They may be gone, so they are not shown.
      Delete the media again to be sure. The job record and the charge stay.
    </Notice>
  );
}

function Running({ job, submittedAtMs }: JobResultProps) {
  const createdAtMs = job.createdAtSeconds === undefined ? undefined : job.createdAtSeconds * 1000;
  const since = submittedAtMs ?? createdAtMs;
  return (
    <div className="grid aspect-video w-full place-items-center rounded-md bg-well">
      <div className="flex flex-col items-center gap-2 text-ink-2">
        <Spinner />
        <p role="status" className="m-0">
          The job is running{job.status === "unknown" ? "" : `: ${statusWords(job.status).word.toLowerCase()}`}.
        </p>
        <WaitingTime requestId={job.requestId} model={job.model} sinceMs={since} />
      </div>
    </div>
  );
}

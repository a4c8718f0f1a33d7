import { clsx } from "clsx";
import { isFinal } from "#api/job-status.ts";
import type { MediaItem } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { MediaThumb } from "#media/media-thumb.tsx";
import type { RecentProps } from "./recent-strip.tsx";

/** Past jobs as small pictures; those without one say their status. */
export function RecentList({ jobs, selected, onSelect }: RecentProps & { jobs: readonly TrackedJob[] }) {
  return (
    <ul className="m-0 grid list-none grid-cols-3 gap-2.5 p-3 lg:grid-cols-1">
      {jobs.map((job) => (
        <li key={job.requestId}>
          <button
            type="button"
            aria-label={`${jobPrompt(job.payload) ?? job.model ?? job.requestId}, ${job.status}`}
            aria-current={job.requestId === selected || undefined}
            onClick={() => onSelect(job.requestId)}
            className={clsx(
              "relative grid aspect-[16/10] w-full place-items-center overflow-hidden rounded-[8px] border border-line bg-raised p-0",
              "aria-[current]:outline-2 aria-[current]:outline-accent aria-[current]:outline-offset-2",
            )}
          >
            <Thumb job={job} item={job.job?.media[0]} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Thumb({ job, item }: { job: TrackedJob; item: MediaItem | undefined }) {
  if (item !== undefined && (item.kind === "image" || item.kind === "video"))
    return <MediaThumb item={item} alt="" isSmall className="size-full" />;
  return (
    <span className="text-[11.5px] leading-snug">
      <JobStatus status={job.status} />
      {!isFinal(job.status) && job.model && (
        <span className="mt-0.5 block max-w-[110px] truncate text-ink-3">{job.model}</span>
      )}
    </span>
  );
}

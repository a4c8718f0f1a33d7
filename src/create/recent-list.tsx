import { clsx } from "clsx";
import type { MediaItem } from "#api/types.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { jobPrompt } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { statusWords } from "#runs/status-words.ts";
import { type TrackedJob, useTrackedJobs } from "#runs/use-tracked-jobs.ts";

const SHOWN = 24;

interface RecentProps {
  selected: string | undefined;
  onSelect: (requestId: string) => void;
}

/** The jobs of this browser, newest first, as small pictures to go back to; those without one show status and prompt. */
export function RecentList({ selected, onSelect }: RecentProps) {
  const jobs = useTrackedJobs().slice(0, SHOWN);
  if (jobs.length === 0) {
    return <p className="m-0 p-3 text-center text-[12.5px] text-ink-3">Your runs appear here.</p>;
  }
  return (
    <ul className="m-0 grid list-none grid-cols-3 gap-2.5 p-3 lg:grid-cols-1">
      {jobs.map((job) => (
        <li key={job.requestId}>
          <button
            type="button"
            aria-label={`${titleOf(job)}, ${statusWords(job.status).word}`}
            aria-current={job.requestId === selected || undefined}
            onClick={() => onSelect(job.requestId)}
            className={clsx(
              "relative grid aspect-[16/10] w-full place-items-center overflow-hidden rounded-[8px] border border-line bg-raised p-0",
              "aria-[current]:outline-2 aria-[current]:outline-accent aria-[current]:outline-offset-2",
            )}
          >
            <Thumb job={job} item={job.media[0]} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Thumb({ job, item }: { job: TrackedJob; item: MediaItem | undefined }) {
  const isDeleted = useIsMediaDeleted(job.requestId);
  if (item !== undefined && item.kind !== "audio") {
    return (
      <span className="absolute inset-0">
        <CachedThumb item={item} alt="" createdAtSeconds={job.createdAtSeconds} isDeleted={isDeleted} isSmall />
      </span>
    );
  }
  return (
    <span className="grid w-full justify-items-center px-2 text-[11.5px] leading-snug">
      <JobStatus status={job.status} />
      <span dir="auto" className="wrap-anywhere mt-0.5 line-clamp-2 text-balance text-center text-ink-3">
        {titleOf(job)}
      </span>
    </span>
  );
}

/** As in the queue: the prompt, else the model. */
const titleOf = ({ model, payload, requestId }: TrackedJob) =>
  visibleLine(jobPrompt(payload) ?? model ?? requestId, 120);

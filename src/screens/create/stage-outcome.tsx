import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { mediaAspect } from "#media/media-aspect.ts";
import { MediaView } from "#media/media-view.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { StageMessage } from "./stage-message.tsx";

/** The media of a job, one at a time, each in a box whose shape is known before it has loaded. */
export function StageOutcome({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const [index, setIndex] = useState(0);
  const item = job?.media[Math.min(index, job.media.length - 1)];
  if (job === undefined || item === undefined) return <StageMessage job={job} tracked={tracked} />;

  const payload = job.payload ?? tracked?.payload;
  const count = job.media.length;
  const aspect = mediaAspect(item, payload);
  const step = (by: number) => setIndex((old) => (Math.min(old, count - 1) + by + count) % count);
  return (
    <div className="@container-size grid min-h-[320px] flex-1 place-items-center p-[22px]">
      <figure className="relative m-0" style={{ width: `min(100cqw, 840px, calc(100cqh * ${aspect}))` }}>
        <MediaView
          item={item}
          payload={payload}
          alt={jobPrompt(payload) ?? `Result ${index + 1}`}
          createdAtSeconds={job.createdAtSeconds}
          className="rounded-lg shadow-float"
        />
        {count > 1 && (
          <figcaption className="absolute inset-x-0 -bottom-11 flex items-center justify-center gap-2 tabular-nums">
            <IconButton label="Previous result" onClick={() => step(-1)}>
              <ChevronLeft aria-hidden="true" className="size-4" />
            </IconButton>
            {Math.min(index, count - 1) + 1} / {count}
            <IconButton label="Next result" onClick={() => step(1)}>
              <ChevronRight aria-hidden="true" className="size-4" />
            </IconButton>
          </figcaption>
        )}
        {!isFinal(job.status) && <figcaption className="sr-only">More may follow</figcaption>}
      </figure>
    </div>
  );
}

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { mediaAspect } from "#media/media-aspect.ts";
import { MediaView } from "#media/media-view.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { StageInput } from "./stage-input.tsx";
import { StageMessage } from "./stage-message.tsx";

/** Room for the line under the media. */
const TOOLS_HEIGHT = 52;

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
      <figure className="m-0" style={{ width: `min(100cqw, 840px, calc((100cqh - ${TOOLS_HEIGHT}px) * ${aspect}))` }}>
        <MediaView
          item={item}
          payload={payload}
          alt={jobPrompt(payload) ?? `Result ${index + 1}`}
          createdAtSeconds={job.createdAtSeconds}
          className="rounded-lg shadow-float"
        />
        <figcaption className="flex items-center justify-between gap-2 pt-3 tabular-nums">
          <StageInput item={item} requestId={job.requestId} />
          {count > 1 && (
            <span className="ml-auto flex items-center gap-1">
              <IconButton size="sm" label="Previous result" onClick={() => step(-1)}>
                <ChevronLeft aria-hidden="true" className="size-4" />
              </IconButton>
              {Math.min(index, count - 1) + 1} / {count}
              <IconButton size="sm" label="Next result" onClick={() => step(1)}>
                <ChevronRight aria-hidden="true" className="size-4" />
              </IconButton>
            </span>
          )}
          {!isFinal(job.status) && <span className="sr-only">More may follow</span>}
        </figcaption>
      </figure>
    </div>
  );
}

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { DeleteMediaDialog } from "#jobs/delete-media-dialog.tsx";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import { KeepJobButton } from "#jobs/keep-job-button.tsx";
import { JobWireButton } from "#jobs/wire/job-wire-button.tsx";
import type { JsonRecord } from "#lib/json.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download-button.tsx";
import { Button } from "#ui/button.tsx";
import { ReuseLink } from "./reuse-link.tsx";

/** What the job is, how it stands, and what can be done with it. */
export function JobHead({ job, payload }: { job: Job; payload: JsonRecord | undefined }) {
  const [isAsking, setIsAsking] = useState(false);
  const isDeleted = useIsMediaDeleted(job.requestId);
  const prompt = jobPrompt(job.payload ?? payload);
  const hasMedia = job.media.length > 0 && !isDeleted;
  return (
    <header className="sticky top-0 z-10 flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-canvas px-[18px] py-2 max-sm:px-3">
      <JobStatus status={job.status} />
      <h1 className="m-0 min-w-[8rem] flex-1 truncate font-medium text-[13.5px]" title={prompt}>
        {prompt ?? job.model ?? "Job"}
      </h1>
      <span className="flex flex-wrap gap-2">
        <KeepJobButton job={job} />
        <ReuseLink job={job} payload={payload ?? job.payload} />
        <JobWireButton job={job} payload={payload} />
        {hasMedia && isFinal(job.status) && (
          <Button variant="danger" onClick={() => setIsAsking(true)}>
            <Trash2 aria-hidden className="size-4" />
            Delete media
          </Button>
        )}
        {hasMedia && <DownloadButton job={job} variant="primary" />}
      </span>
      <DeleteMediaDialog open={isAsking} onOpenChange={setIsAsking} jobs={[job]} />
    </header>
  );
}

import { GONE, hasNoResult } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { formatDateTime } from "#lib/time.ts";
import { type Deletion, useDeletion } from "#media/deleted-media.ts";
import { statusWords } from "#runs/status-words.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Notice, type NoticeTone } from "#ui/notice.tsx";
import { EndActs } from "./end-acts.tsx";
import { NoResult, WholeAnswerLink } from "./no-result.tsx";

interface EndNoticeProps {
  job: JobRecord;
}

/**
 * In the place of files: why a job that ended has none, what is known of its charge, and what can be done. For a job that
 * is final, that the service no longer has, or whose media were deleted.
 */
export function EndNotice({ job }: EndNoticeProps) {
  const deletion = useDeletion(job.requestId);
  const { tone, title, body } = deletion ? deletedWords(deletion) : endWords(job);
  return (
    <Notice
      tone={tone}
      title={title}
      className="w-full max-w-[560px]"
      actions={!deletion?.isUnderWay && <EndActs job={job} size="sm" />}
    >
      {!deletion && <NoResult job={job} />}
      {body && <p className="m-0 mt-1">{body}</p>}
      {!deletion && job.status === "success" && <WholeAnswerLink requestId={job.requestId} />}
    </Notice>
  );
}

interface EndWords {
  tone: NoticeTone;
  title: string;
  body?: string;
}

function endWords({ status }: Job): EndWords {
  if (status === "failed") return { tone: "error", title: "The job failed" };
  if (status === "cancelled") return { tone: "info", title: "The job was cancelled" };
  if (status === GONE) return { tone: "warning", title: statusWords(status).word };
  if (hasNoResult(status)) return { tone: "error", title: statusWords(status).word };
  return { tone: "info", title: "Finished without files", body: "The job succeeded, and its answer lists no files." };
}

function deletedWords({ atMs, isConfirmed, isUnderWay }: Deletion): EndWords {
  if (isUnderWay) return { tone: "info", title: "The files are being deleted" };
  const when = atMs === undefined ? "" : ` on ${formatDateTime(atMs / 1000)}`;
  if (isConfirmed) {
    return {
      tone: "info",
      title: "Files deleted",
      body: `You deleted these files${when}. The job and its settings stay.`,
    };
  }
  return {
    tone: "warning",
    title: "Deletion not confirmed",
    body: `You asked the service to delete these files${when}, and it did not confirm it. They may be gone, so they are not shown. Delete them again to be sure.`,
  };
}

import { Link } from "@tanstack/react-router";
import { hasNoResult } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatDateTime } from "#lib/time.ts";
import { type Deletion, useDeletion } from "#media/deleted-media.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Notice, type NoticeTone } from "#ui/notice.tsx";
import { NoResultReason, otherEndMoney } from "../no-result.tsx";
import { statusWords } from "../status-words.ts";
import { GONE } from "../track-job.ts";
import { EndActs } from "./end-acts.tsx";

interface EndNoticeProps {
  job: JobRecord;
}

/**
 * In the place of files: why a job that ended has none, what is known of its charge, and what can be done. For a job that
 * is final, that the service no longer has, or whose media were deleted.
 */
export function EndNotice({ job }: EndNoticeProps) {
  const deletion = useDeletion(job.requestId);
  const price = job.priceMicroUsd === undefined ? undefined : formatMicroUsd(job.priceMicroUsd);
  const { tone, title, body } = deletion ? deletedWords(deletion) : endWords(job, price);
  const hasReason = !deletion && hasNoResult(job.status) && (job.status !== "cancelled" || job.failureReason);
  return (
    <Notice
      tone={tone}
      title={title}
      className="w-full max-w-[560px]"
      actions={!deletion?.isUnderWay && <EndActs job={job} size="sm" />}
    >
      {hasReason && <NoResultReason reason={job.failureReason} requestId={job.requestId} />}
      {body && <p className="m-0 mt-1">{body}</p>}
      {!deletion && job.status === "success" && (
        <Link
          to="/jobs/$requestId"
          params={{ requestId: job.requestId }}
          hash="record"
          className="text-ink underline underline-offset-2"
        >
          See the whole answer
        </Link>
      )}
    </Notice>
  );
}

interface EndWords {
  tone: NoticeTone;
  title: string;
  body: string;
}

function endWords({ status }: Job, price: string | undefined): EndWords {
  if (status === "failed") {
    // Spec 3: a failed job is refunded automatically and exactly.
    const body = price ? `The charge of ${price} is refunded in full.` : "The charge is refunded in full.";
    return { tone: "error", title: "The job failed", body };
  }
  if (status === "cancelled") {
    const count = price === undefined ? "" : ` Count ${price} as charged.`;
    const body = `The service ended this job without a result. It does not say whether it was refunded.${count}`;
    return { tone: "info", title: "The job was cancelled", body };
  }
  if (status === GONE) {
    const count = price === undefined ? "" : ` Count ${price} as charged.`;
    const body = `The service no longer has this job, and does not say how it ended or whether it was refunded.${count}`;
    return { tone: "warning", title: statusWords(status).word, body };
  }
  const otherEnd = otherEndMoney(status, price);
  if (otherEnd !== undefined) return { tone: "error", title: statusWords(status).word, body: otherEnd };
  return { tone: "info", title: "Finished without files", body: "The job succeeded, and its answer lists no files." };
}

function deletedWords({ atMs, isConfirmed, isUnderWay }: Deletion): EndWords {
  if (isUnderWay) return { tone: "info", title: "The files are being deleted", body: "" };
  const when = atMs === undefined ? "" : ` on ${formatDateTime(atMs / 1000)}`;
  if (isConfirmed) {
    return {
      tone: "info",
      title: "Files deleted",
      body: `You deleted these files${when}. The settings and the charge of the job stay.`,
    };
  }
  return {
    tone: "warning",
    title: "Deletion not confirmed",
    body: `You asked the service to delete these files${when}, and it did not confirm it. They may be gone, so they are not shown. Delete them again to be sure.`,
  };
}

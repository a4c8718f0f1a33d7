import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MOST_PICTURES } from "#chat/conversations/pictures.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { jobQueries } from "#jobs/job-queries.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";
import { useAttach } from "./use-attach.ts";

const MOST_JOBS = 100;

/** Pictures that the person's jobs made, newest first, to be put into the next question. */
export function PickPicture({ conversation, onClose }: DialogBodyProps<"picture">) {
  const { addAddress, count } = useAttach(conversation);
  const [reading, setReading] = useState<string>();
  const { pictures, isReading, error, retry } = useJobPictures();
  if (pictures.length === 0) {
    if (error) return <ErrorNotice error={error} operation="read" onRetry={retry} />;
    return isReading ? (
      <Skeleton className="h-40" />
    ) : (
      <EmptyState title="No images yet">Images from your jobs appear here for 60 days.</EmptyState>
    );
  }
  const pick = async (url: string, name: string) => {
    if (reading !== undefined) return;
    if (count >= MOST_PICTURES) {
      toast({ title: `At most ${MOST_PICTURES} images per message`, tone: "error" });
      return;
    }
    setReading(url);
    if (await addAddress(url, name)) onClose();
    setReading(undefined);
  };
  return (
    <ul
      aria-label="Images from History"
      aria-busy={reading !== undefined}
      className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-2.5 p-0.5"
    >
      {pictures.map(({ url, name, isElsewhere }) => (
        <li key={url} className="min-w-0">
          <button
            type="button"
            aria-label={name}
            onClick={() => void pick(url, name)}
            className="relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border border-line bg-raised p-0 hover:border-line-strong"
          >
            <MediaThumb item={{ id: url, url, kind: "image", ...(isElsewhere ? { isElsewhere } : {}) }} alt="" />
          </button>
          <p className="m-0 mt-1 truncate text-[12px] text-ink-3">{reading === url ? "Reading" : name}</p>
        </li>
      ))}
    </ul>
  );
}

interface JobPicture {
  url: string;
  name: string;
  isElsewhere?: true | undefined;
}

/** Of the jobs that this browser knows and of the first page of the service's list, without what was deleted. */
function useJobPictures(): { pictures: JobPicture[]; isReading: boolean; error: unknown; retry: () => void } {
  const tracked = useTrackedJobs();
  const list = useQuery(jobQueries(useApi()).list({ status: ["success"], limit: MOST_JOBS }));
  const deleted = useDeletedMedia().jobs;
  const found = new Map<string, JobPicture>();
  for (const job of [...tracked, ...(list.data?.jobs ?? [])]) {
    if (deleted.has(job.requestId) || (daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0) continue;
    for (const { kind, url, isElsewhere } of job.media) {
      if (kind !== "image" || found.has(url) || isFileDeleted(url)) continue;
      found.set(url, { url, name: visibleLine(jobPrompt(job.payload) ?? job.model ?? job.requestId), isElsewhere });
    }
  }
  const { isPending, error, refetch } = list;
  return { pictures: [...found.values()], isReading: isPending, error, retry: () => void refetch() };
}

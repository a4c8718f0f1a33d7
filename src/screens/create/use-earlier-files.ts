import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { jobQueries } from "#jobs/job-queries.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { rememberedUploads, type UploadedFile } from "#media/upload-memory.ts";
import type { FieldMedia } from "#schema-form/read/field.ts";

/** A file that the service has: a result of a job, or an input stored before. */
export interface EarlierFile {
  url: string;
  kind: MediaKind;
  /** What it is called in the list. */
  name: string;
}

const MOST_JOBS = 100;

/** Results that a field of a kind could take, newest first: of the jobs this browser knows and of the list's first page. */
export function useEarlierResults(media: FieldMedia): { files: EarlierFile[]; isReading: boolean } {
  const tracked = useTrackedJobs();
  const list = useQuery(jobQueries(useApi()).list({ status: ["success"], limit: MOST_JOBS }));
  const known = [...tracked.flatMap(({ job, payload }) => (job ? [{ ...job, payload: job.payload ?? payload }] : []))];
  const jobs = [...known, ...(list.data?.jobs ?? [])].filter(
    (job) => !isMediaDeleted(job.requestId) && (daysLeft(job.createdAtSeconds, Date.now()) ?? 1) > 0,
  );
  const files = new Map<string, EarlierFile>();
  for (const job of jobs) {
    for (const [index, item] of job.media.entries()) {
      if ((media !== "file" && item.kind !== media) || files.has(item.url)) continue;
      const words = jobPrompt(job.payload) ?? job.model ?? job.requestId;
      files.set(item.url, { url: item.url, kind: item.kind, name: index > 0 ? `${words}, file ${index + 1}` : words });
    }
  }
  return { files: [...files.values()], isReading: list.isPending };
}

/** Inputs that this browser stored before, newest first; undefined while they are being read. */
export function useEarlierUploads(media: FieldMedia): EarlierFile[] | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const [uploads, setUploads] = useState<readonly UploadedFile[]>();
  useEffect(() => {
    let isCurrent = true;
    void rememberedUploads(accountId).then((read) => isCurrent && setUploads(read));
    return () => {
      isCurrent = false;
    };
  }, [accountId]);
  return uploads
    ?.filter(({ kind }) => media === "file" || kind === media)
    .map(({ publicUrl, kind, name }) => ({ url: publicUrl, kind, name }));
}

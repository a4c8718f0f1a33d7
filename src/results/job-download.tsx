import { useEffect } from "react";
import { create } from "zustand";
import type { Job } from "#api/types.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { jobCommands, resultCommands } from "./commands.ts";

/** The job of which one file among several is shown large. */
const useLargeJob = create<{ requestId: string | undefined }>(() => ({ requestId: undefined }));

/** Says whether one of several files of a job is shown large: then the keys of Download are for that file. */
export function useNoteLarge(requestId: string, isLarge: boolean): void {
  useEffect(() => {
    if (!isLarge) return;
    useLargeJob.setState({ requestId });
    return () => useLargeJob.setState((state) => (state.requestId === requestId ? { requestId: undefined } : state));
  }, [requestId, isLarge]);
}

/** The button above a result that downloads all files of its job. On a phone a single file has its Download button below it. */
export function JobDownload({ job }: { job: Job }) {
  const isPhone = useIsPhone();
  const isOneLarge = useLargeJob((state) => state.requestId === job.requestId);
  const isSeveral = job.media.length > 1;
  if (isPhone && !isSeveral) return null;
  const label = isSeveral ? "Download all" : "Download";
  return (
    <DownloadButton job={job} command={{ ...(isOneLarge ? jobCommands.downloadAll : resultCommands.download), label }}>
      {label}
    </DownloadButton>
  );
}

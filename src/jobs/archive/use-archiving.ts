import { useEffect } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { useArchiveFolder } from "#media/download/archive-folder.ts";
import type { TrackedJob } from "../use-tracked-jobs.ts";
import { useArchive } from "./archive-store.ts";

/**
 * Saves finished jobs into the person's folder where they asked for it: in one tab, continuing where the last page
 * stopped. What could not be saved is in `useArchive`; nothing is thrown.
 */
export function useArchiving(tracked: readonly TrackedJob[], leads: boolean): void {
  const accountId = useConnection()?.accountId ?? "";
  const { isOn } = useArchive();
  const { phase } = useArchiveFolder();
  const isWanted = isOn && leads && phase !== "none" && phase !== "asking";
  useEffect(() => {
    // Reading and naming files is code that few people need.
    if (isWanted) void import("./archive-finished.ts").then((archive) => archive.archiveFinished(accountId, tracked));
  }, [isWanted, accountId, tracked]);
}

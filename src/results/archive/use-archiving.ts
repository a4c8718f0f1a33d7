import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Api } from "#api/create-api.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useArchiveFolder } from "#media/download/archive-folder.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import type { TrackedJob } from "#runs/use-tracked-jobs.ts";
import { onChange } from "#storage/changes.ts";
import { archiveFinished } from "./archive-finished.ts";
import { useArchive } from "./archive-store.ts";

/** The index of the history changes in bursts. */
const REST_MS = 2_000;

/**
 * Saves finished jobs into the person's folder where they asked for it, those from elsewhere included that History has
 * seen: in one tab, continuing where the last page stopped. What could not be saved is in `useArchive`; nothing is thrown.
 */
export function useArchiving(api: Api, tracked: readonly TrackedJob[], leads: boolean): void {
  const accountId = useConnection()?.accountId ?? "";
  const client = useQueryClient();
  const { isOn } = useArchive();
  const { phase } = useArchiveFolder();
  const isWanted = isOn && leads && phase !== "none" && phase !== "asking";
  useEffect(() => {
    if (!isWanted) return;
    const ask = (requestId: string) => getPollControl(api).sendPaced(() => api.getJob(requestId));
    const run = () => archiveFinished({ accountId, client, tracked, ask });
    void run();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange("seen", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(), REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isWanted, api, client, accountId, tracked]);
}

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { refusedInputs } from "#jobs/host-refusals.ts";
import { fetchMedia } from "#media/fetch-media.ts";
import type { HistoryEntry } from "./history-entry.ts";

/** Why an input could not be stored again: its host refuses this page as well, or the service did not take it. */
export type RehostTrouble = "refused" | "unstored";

export interface Rehost {
  isBusy: boolean;
  /** Stores the refused input with the service and opens the form. What went wrong, if anything did. */
  rehost: () => Promise<RehostTrouble | undefined>;
}

/** Whether a job failed because the host of its input refused the service (spec 4.1 rule 4). */
export function canRehost(entry: HistoryEntry): boolean {
  return entry.model !== undefined && refusedInputs(entry).length > 0;
}

/**
 * For a job that failed because the host of its input refused the service: stores the input with the service and opens
 * the form with everything else as it was. The price stands on Run, and nothing is sent before that.
 */
export function useRehost(entry: HistoryEntry): Rehost {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);

  async function rehost(): Promise<RehostTrouble | undefined> {
    const [refused] = refusedInputs(entry);
    if (!refused || !entry.model) return undefined;
    const file = await fetchMedia(refused)
      .then(async (response) => new File([await response.arrayBuffer()], "input"))
      .catch(() => undefined);
    if (!file) return "refused";
    try {
      const { uploadFile } = await import("#media/upload-file.ts");
      const { publicUrl } = await uploadFile({ api, accountId, file });
      const search = { from: entry.requestId, keep: "all", put: publicUrl, over: refused } as const;
      await navigate({ to: "/create/$modelId", params: { modelId: entry.model }, search });
      return undefined;
    } catch {
      return "unstored";
    }
  }
  return {
    isBusy,
    rehost: async () => {
      setIsBusy(true);
      return rehost().finally(() => setIsBusy(false));
    },
  };
}

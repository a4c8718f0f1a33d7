import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { refusedInputs } from "#jobs/host-refusals.ts";
import { fetchMedia } from "#media/fetch-media.ts";
import { Button } from "#ui/button.tsx";
import type { HistoryEntry } from "../history-entry.ts";

/**
 * For a job that failed because the host of its input refused the service (spec 4.1 rule 4): stores the input with the
 * service and opens the form with everything else as it was. The price stands on Run, and nothing is sent before that.
 */
export function RehostAndRun({ entry }: { entry: HistoryEntry }) {
  const api = useApi();
  const scope = useConnection()?.keyFingerprint ?? "";
  const navigate = useNavigate();
  const [phase, setPhase] = useState<"asking" | "working" | "refused" | "unstored">("asking");
  const [address] = refusedInputs(entry);
  if (!address || !entry.model) return null;

  async function rehost(refused: string, modelId: string) {
    setPhase("working");
    const file = await fetchMedia(refused)
      .then(async (response) => new File([await response.arrayBuffer()], "input"))
      .catch(() => undefined);
    if (!file) return setPhase("refused");
    try {
      const { uploadFile } = await import("#media/upload-file.ts");
      const { publicUrl } = await uploadFile({ api, scope, file });
      const search = { from: entry.requestId, keep: "all", put: publicUrl, over: refused } as const;
      await navigate({ to: "/create/$modelId", params: { modelId }, search });
    } catch {
      setPhase("unstored");
    }
  }
  return (
    <div role="status" className="grid justify-items-center gap-2">
      <Button busy={phase === "working"} onClick={() => void rehost(address, entry.model ?? "")}>
        Re-host and run again
      </Button>
      {phase === "refused" && (
        <p className="m-0 text-[12.5px] text-ink-2">
          Its host lets this page have nothing either. Save the file from its own page, then drop it on Create. Nothing
          was charged.
        </p>
      )}
      {phase === "unstored" && (
        <p className="m-0 text-[12.5px] text-ink-2">
          The file could not be stored with the service. Nothing was charged.
        </p>
      )}
    </div>
  );
}

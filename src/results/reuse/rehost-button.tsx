import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { uploadCommands } from "#media/commands.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { readMedia } from "#media/fetch-media.ts";
import { uploadFile } from "#media/upload/upload-file.ts";
import { refusedInputs } from "#runs/job-inputs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { toast } from "#ui/toast-store.ts";

interface RehostButtonProps extends Pick<ButtonProps, "size" | "className" | "tabIndex" | "variant"> {
  job: JobRecord;
  /** Shows below the button what went wrong; else a toast does. */
  showsTrouble?: boolean;
}

const WORDS: Record<RehostTrouble, string> = {
  refused: "The file host doesn’t let Safelight read the file. Download it in your browser, then drop it on Create.",
  unstored: "The file couldn’t be uploaded to the service.",
};

/** "Upload a copy", for a job of which `canRehost` is true. */
export function RehostButton(props: RehostButtonProps) {
  // The key: a trouble belongs to one job alone.
  return <RehostOfJob key={props.job.requestId} {...props} />;
}

function RehostOfJob({ job, showsTrouble = false, ...look }: RehostButtonProps) {
  const { isBusy, rehost } = useRehost(job);
  const [trouble, setTrouble] = useState<RehostTrouble>();
  async function press() {
    setTrouble(undefined);
    const newTrouble = await rehost();
    if (newTrouble && !showsTrouble) toast({ tone: "error", title: "Input not uploaded", body: WORDS[newTrouble] });
    setTrouble(newTrouble);
  }
  const button = (
    <Button {...look} busy={isBusy} onClick={() => void press()}>
      {uploadCommands.rehost.label}
    </Button>
  );
  if (!showsTrouble) return button;
  return (
    <div role="status" className="grid justify-items-center gap-2">
      {button}
      {trouble && <p className="m-0 text-sm text-ink-2">{WORDS[trouble]}</p>}
    </div>
  );
}

/** Why an input could not be stored again: its host does not let this page read it either, or the upload failed. */
type RehostTrouble = "refused" | "unstored";

interface Rehost {
  isBusy: boolean;
  /** Uploads the refused input to the service and opens the form. Resolves to what went wrong, if anything did. */
  rehost: () => Promise<RehostTrouble | undefined>;
}

/** The reason that is shown for a failed job of which `canRehost` is true. */
export const INPUT_REFUSED = "The service couldn’t download the input from its host.";

/** Whether a job failed because the host of its input refused the service (spec 4.1 rule 4), and the input was not deleted since. */
export function canRehost(job: JobRecord): boolean {
  return job.model !== undefined && retryableInputs(job).length > 0;
}

function retryableInputs(job: JobRecord): string[] {
  return refusedInputs(job).filter((url) => !isFileDeleted(url));
}

/**
 * For a job that failed because the host of its input refused the service: stores the input with the service and opens
 * the form with everything else as it was. The price stands on Run, and nothing is sent before that.
 */
function useRehost(job: JobRecord): Rehost {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);

  async function rehost(): Promise<RehostTrouble | undefined> {
    const [refused] = retryableInputs(job);
    if (!refused || !job.model) return undefined;
    const file = await readMedia(refused)
      .then(async (blob) => new File([await blob.arrayBuffer()], "input"))
      .catch(() => undefined);
    if (!file) return "refused";
    const uploaded = await uploadFile({ api, accountId, file }).catch(() => undefined);
    if (!uploaded) return "unstored";
    const search = { from: job.requestId, keep: "all", put: uploaded.publicUrl, over: refused } as const;
    void navigate({ to: "/create/$modelId", params: { modelId: job.model }, search });
    return undefined;
  }
  return {
    isBusy,
    rehost: async () => {
      setIsBusy(true);
      return rehost().finally(() => setIsBusy(false));
    },
  };
}

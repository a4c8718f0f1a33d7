import { Import } from "lucide-react";
import { useEffect, useState } from "react";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { trackedKey } from "#storage/tracked-jobs.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { toast } from "#ui/toast-store.ts";
import { jobCommands } from "../commands.ts";
import { importJobs } from "./import-jobs.ts";

/** Imports the job of another client. Not there for a job that this browser knows already. */
export function ImportJobButton({ job }: { job: Job }) {
  const accountId = useConnection()?.accountId ?? "";
  async function importJob() {
    try {
      await importJobs(accountId, [job]);
      toast({
        title: "Job imported",
        body: "The studio follows it to its end and lists it in Spend. Its price is estimated in the background.",
      });
    } catch {
      toast({ tone: "error", title: "This browser could not save the job", body: "Nothing was sent or charged." });
    }
  }
  return (
    <CommandButton
      command={{
        ...jobCommands.import,
        label: isFinal(job.status) ? "Import job" : "Keep following",
        icon: Import,
        run: () => void importJob(),
      }}
    />
  );
}

/** Whether this browser has a row for the job; undefined until the row was read. */
export function useIsKnown(requestId: string): boolean | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const [isKnown, setIsKnown] = useState<boolean>();
  useEffect(() => {
    let current = true;
    const read = async () => {
      const row = await (await openRows()).get("jobs", trackedKey(accountId, requestId));
      if (current) setIsKnown(row !== undefined);
    };
    // Where nothing can be read nothing can be imported either.
    const load = () => void read().catch(() => current && setIsKnown(true));
    load();
    const stop = onChange("jobs", load);
    return () => {
      current = false;
      stop();
    };
  }, [accountId, requestId]);
  return isKnown;
}

import { Import } from "lucide-react";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { jobCommands } from "#results/commands.ts";
import { importJobs } from "#runs/import-jobs.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { toast } from "#ui/toast-store.ts";

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
      toast({
        tone: "error",
        title: "This browser could not save the job",
        body: "Free some storage, then try again.",
      });
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

import { useQuery } from "@tanstack/react-query";
import { Import } from "lucide-react";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { rowQuery } from "#connection/row-queries.ts";
import { trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import type { RowKind } from "#storage/typed-rows.ts";
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

/** A row that cannot be read is one all the same. */
const anyRow: RowKind<true> = { ...trackedRows, read: () => true, write: () => undefined };

/** Whether this browser has a row for the job; undefined until the row was read. */
export function useIsKnown(requestId: string): boolean | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const { data, isPending, isError } = useQuery(rowQuery(anyRow, trackedKey(accountId, requestId)));
  if (isPending) return undefined;
  // Where nothing can be read nothing can be imported either.
  return isError || data !== undefined;
}

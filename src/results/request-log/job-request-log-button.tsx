import { useState } from "react";
import type { Job } from "#api/types.ts";
import type { ButtonProps } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { jobCommands } from "../commands.ts";
import { JobRequestLogPanel } from "./job-request-log-panel.tsx";

const REQUEST_LOG = { ...jobCommands.log };

/** Opens the request log of a job. */
export function JobRequestLogButton({
  job,
  ...buttonProps
}: { job: Job } & Pick<ButtonProps, "variant" | "size" | "className">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <CommandButton {...buttonProps} command={{ ...REQUEST_LOG, run: () => setIsOpen(true) }} />
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Request log" size="lg">
        <JobRequestLogPanel requestId={job.requestId} model={job.model} payload={job.payload} />
      </Dialog>
    </>
  );
}

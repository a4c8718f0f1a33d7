import { useState } from "react";
import type { Job } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { ButtonProps } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";

const JobWirePanel = lazyNamed(() => import("./job-wire-panel.tsx"), "JobWirePanel");

const REQUEST_LOG = { id: "result.log", label: "Request log", group: "Result" };

/** Opens the request log of a job. */
export function JobWireButton({
  job,
  payload,
  ...buttonProps
}: { job: Job; payload: JsonRecord | undefined } & Pick<ButtonProps, "variant" | "size" | "className">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <CommandButton {...buttonProps} command={{ ...REQUEST_LOG, run: () => setIsOpen(true) }} />
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Request log" size="lg">
        <LazyMount when={isOpen}>
          <JobWirePanel requestId={job.requestId} model={job.model} payload={job.payload ?? payload} />
        </LazyMount>
      </Dialog>
    </>
  );
}

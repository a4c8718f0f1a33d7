import { lazy, useState } from "react";
import type { Job } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { OnDemand } from "#ui/on-demand.tsx";

const JobWirePanel = lazy(() => import("./job-wire-panel.tsx").then((module) => ({ default: module.JobWirePanel })));

/** Opens what went over the wire for a job. */
export function JobWireButton({
  job,
  payload,
  ...look
}: { job: Job; payload: JsonRecord | undefined } & Pick<ButtonProps, "variant" | "size" | "className">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setIsOpen(true)}>
        Wire
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="On the wire" size="lg">
        <OnDemand when={isOpen}>
          <JobWirePanel requestId={job.requestId} model={job.model} payload={job.payload ?? payload} />
        </OnDemand>
      </Dialog>
    </>
  );
}

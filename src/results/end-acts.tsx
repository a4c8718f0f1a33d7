import { Link, useNavigate } from "@tanstack/react-router";
import { Shapes, SquarePen } from "lucide-react";
import { useState } from "react";
import { ModelPicker } from "#models/model-picker.tsx";
import { hasPayload, type JobRecord } from "#storage/job-records.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { jobCommands, resultCommands } from "./commands.ts";
import { useRunAgain } from "./run-again.ts";
import { RunAgainButton, RunAgainObstacle } from "./run-again-button.tsx";

interface JobActProps {
  job: JobRecord;
  size?: "sm" | "md" | undefined;
  className?: string | undefined;
}

/** Whose form the settings belong to; undefined where they are not known. */
function modelOf(job: JobRecord): string | undefined {
  return hasPayload(job) ? job.model : undefined;
}

/** Leads to the form with the settings of a job in it; the job stays in view. Nothing is run. */
export function EditAgainLink({ job, size, className }: JobActProps) {
  const model = modelOf(job);
  const navigate = useNavigate();
  const search = { job: job.requestId, from: job.requestId, keep: "all" } as const;
  const open = (modelId: string) => void navigate({ to: "/create/$modelId", params: { modelId }, search });
  useCommands(model === undefined ? [] : [{ ...resultCommands.editAgain, icon: SquarePen, run: () => open(model) }]);
  const commandProps = useCommandProps(resultCommands.editAgain);
  if (model === undefined) return null;
  return (
    <Link
      to="/create/$modelId"
      params={{ modelId: model }}
      search={search}
      preload={false}
      {...commandProps}
      className={buttonClass({ size, className })}
    >
      <SquarePen aria-hidden="true" className="size-4" />
      {resultCommands.editAgain.label}
      <Kbd command={resultCommands.editAgain} />
    </Link>
  );
}

/** Asks for another model and opens its form with whatever of this job's settings it has a place for. */
function OtherModelButton({ job, size, className }: JobActProps) {
  const model = modelOf(job);
  const [isPicking, setIsPicking] = useState(false);
  const navigate = useNavigate();
  useCommands(model === undefined ? [] : [{ ...jobCommands.otherModel, icon: Shapes, run: () => setIsPicking(true) }]);
  if (model === undefined) return null;
  return (
    <>
      <Button size={size} className={className} onClick={() => setIsPicking(true)}>
        <Shapes aria-hidden="true" className="size-4" />
        {jobCommands.otherModel.label}
      </Button>
      <ModelPicker
        open={isPicking}
        onOpenChange={setIsPicking}
        selectedId={model}
        onSelect={(modelId) => {
          const search = { job: job.requestId, from: job.requestId, keep: "all" } as const;
          void navigate({ to: "/create/$modelId", params: { modelId }, search });
        }}
      />
    </>
  );
}

/** What can be done about a job that ended without a result, or whose files are gone: run it again, or something else. */
export function EndActs({ job, size }: { job: JobRecord; size?: "sm" | "md" }) {
  const again = useRunAgain(job, "same");
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {again && <RunAgainButton again={again} size={size} />}
        <EditAgainLink job={job} size={size} />
        <OtherModelButton job={job} size={size} />
      </div>
      <RunAgainObstacle again={again} />
    </div>
  );
}

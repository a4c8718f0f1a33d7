import { Link, useNavigate } from "@tanstack/react-router";
import { RefreshCw, Shapes, SquarePen } from "lucide-react";
import { useId, useRef, useState } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { ModelPicker } from "#models/model-picker.tsx";
import { hasPayload, type JobRecord } from "#storage/job-records.ts";
import { Button, type ButtonProps, buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { jobCommands, resultCommands } from "./commands.ts";
import { type RunAgain, useRunAgain } from "./run-again.ts";

interface JobActProps {
  job: JobRecord;
  size?: "sm" | "md" | undefined;
  className?: string | undefined;
}

/** The model whose form can be filled with a job's settings; undefined where they are not known. */
function getFormModel(job: JobRecord): string | undefined {
  return hasPayload(job) ? job.model : undefined;
}

/** Leads to the form with the settings of a job in it; the job stays in view. Nothing is run. */
export function EditAgainLink({ job, size, className }: JobActProps) {
  const model = getFormModel(job);
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
  const model = getFormModel(job);
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
        selected={[model]}
        withTextModels
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

interface RunAgainButtonProps extends Pick<ButtonProps, "size" | "className" | "variant"> {
  again: RunAgain;
}

/** The key is that of the act in the form; the label says that this one runs at once. */
const RUN_WITH_NEW_SEED = { ...resultCommands.newSeed, label: "Run again with new seed" };

/**
 * Runs a job once more. Its exact price is on the button; until the service has reported it, or where it cannot run, the
 * button stays focusable and says why. Its command only leads to the button: a key alone never spends.
 */
export function RunAgainButton({ again, ...look }: RunAgainButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const { priceMicroUsd, isAsking, isSending, obstacle } = again;
  const command = again.hasNewSeed ? RUN_WITH_NEW_SEED : jobCommands.runAgain;
  const price = priceMicroUsd === undefined ? undefined : formatMicroUsd(priceMicroUsd);
  const canRun = price !== undefined && obstacle === undefined && !isSending;
  const waitReason = isAsking ? "Loading the price…" : "Submitting a run of this model…";
  const unavailable = canRun ? undefined : (obstacle ?? waitReason);
  useCommands([{ ...command, icon: RefreshCw, value: price, run: () => button.current?.focus() }]);
  return (
    <>
      <Button
        {...look}
        {...useCommandProps(command)}
        ref={button}
        busy={isSending}
        aria-disabled={!canRun}
        aria-describedby={canRun ? undefined : id}
        onClick={again.run}
      >
        {!isSending && <RefreshCw aria-hidden="true" className="size-4" />}
        {command.label}
        {/* The price has its space from the beginning, so that nothing moves when it comes. */}
        {obstacle === undefined && <span className="min-w-10 text-ink-2 tabular-nums">{price ?? "…"}</span>}
        <Kbd command={command} />
      </Button>
      {!canRun && (
        <span id={id} className="sr-only">
          {unavailable}
        </span>
      )}
    </>
  );
}

/** Why one more run is not possible now, in view, with the way to ask for the price again. */
export function RunAgainObstacle({ again }: { again: RunAgain | undefined }) {
  if (again?.obstacle === undefined) return null;
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
      <span className="wrap-anywhere">{again.obstacle}</span>
      {again.obstacle.startsWith("No price") && (
        <Button size="sm" variant="ghost" onClick={again.askAgain}>
          Try again
        </Button>
      )}
    </p>
  );
}

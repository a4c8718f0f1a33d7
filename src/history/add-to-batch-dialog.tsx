import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { useForm, useWatch } from "react-hook-form";
import { type GivenJob, jobRuns, newGroup, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { addBatch, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useStoredBatches } from "#batch/runner/use-batches.ts";
import { useConnection } from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";

const NEW = "";
/** Only the newest batches are offered. */
const MAX_SHOWN = 20;

/** Adds jobs to a new or an existing batch, as runs with the same settings. Nothing is sent. */
export function AddToBatchDialog({ jobs, onClose }: { jobs: readonly GivenJob[]; onClose: () => void }) {
  const accountId = useConnection()?.accountId ?? "";
  const batches = useStoredBatches();
  const navigate = useNavigate();
  const { control, setValue, handleSubmit, setError, clearErrors, formState } = useForm({
    defaultValues: { batchId: NEW },
  });
  const chosen = useWatch({ control, name: "batchId" });
  const { runs, problem } = jobRuns(jobs);
  const batch = batches.find(({ id }) => id === chosen);
  // The chosen batch was deleted, for instance in another tab. The write may find that out before the list does.
  const isGone = chosen !== NEW && (batch === undefined || formState.errors.root?.message === chosen);
  const goneIssue = isGone ? "The chosen batch was deleted. Choose another batch." : undefined;
  const roomIssue = roomProblem(batch ?? newBatch(""), undefined, runs.length);
  const count = counted(runs.length, "run");

  const choose = (batchId: string) => {
    clearErrors("root");
    setValue("batchId", batchId);
  };
  async function add() {
    const storage = { rows: browserRows, accountId };
    const change = (current: Batch) => withGroup(current, newGroup("From History", "history"), runs);
    const open = (batchId: string) => void navigate({ to: "/batch/$batchId", params: { batchId }, search: {} });
    try {
      if (chosen !== NEW) {
        const written = batch && (await editBatch(storage, batch.id, change));
        if (!written) return setError("root", { type: "gone", message: chosen });
        toast({
          title: `${count} added to ${nameOf(written)}`,
          action: { label: "Open", onAct: () => open(written.id) },
        });
      } else {
        const made = change(newBatch(nameFor(jobs)));
        await addBatch(storage, made);
        open(made.id);
      }
      onClose();
    } catch {
      setError("root", { type: "storage" });
    }
  }
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Add ${counted(jobs.length, "job")} to batch`}
      description="Each job becomes a run with the same settings. Nothing runs yet."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={formState.isSubmitting}
            aria-disabled={runs.length === 0 || isGone || roomIssue !== undefined}
            onClick={handleSubmit(add)}
          >
            {runs.length === 0 ? "Add" : `Add ${count}`}
          </Button>
        </>
      }
    >
      <fieldset
        aria-label="Batch"
        className="m-0 flex max-h-[40dvh] flex-col overflow-y-auto border-0 p-0 short:max-h-none"
      >
        <BatchChoice label="New batch" isChosen={chosen === NEW} onChoose={() => choose(NEW)} />
        {batches.slice(0, MAX_SHOWN).map((one) => (
          <BatchChoice
            key={one.id}
            label={nameOf(one)}
            detail={`${counted(one.items.length, "run")}, ${formatDate(one.createdAtMs / 1000)}`}
            isChosen={chosen === one.id}
            onChoose={() => choose(one.id)}
          />
        ))}
      </fieldset>
      <p role="status" className="m-0 mt-2 text-sm text-ink-2 empty:hidden">
        {goneIssue ?? roomIssue ?? problem}
      </p>
      {formState.errors.root?.type === "storage" && (
        <Notice tone="error" title="This browser couldn’t save the batch" className="mt-2">
          Free some disk space, then try again.
        </Notice>
      )}
    </Dialog>
  );
}

const nameOf = ({ name, createdAtMs }: Batch) => visibleLine(name, 60) || `Batch of ${formatDate(createdAtMs / 1000)}`;

function nameFor(jobs: readonly GivenJob[]): string {
  const prompt = jobs[0]?.payload && jobPrompt(jobs[0].payload);
  return (prompt && visibleLine(prompt.trim(), 60)) || "From History";
}

function BatchChoice({
  label,
  detail,
  isChosen,
  onChoose,
}: {
  label: string;
  detail?: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover has-checked:bg-selected pointer-coarse:min-h-11"
    >
      <input
        id={id}
        type="radio"
        name="add-to-batch"
        checked={isChosen}
        onChange={onChoose}
        className="accent-accent"
      />
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {label}
      </span>
      {detail && <span className="shrink-0 text-sm text-ink-3 tabular-nums">{detail}</span>}
    </label>
  );
}

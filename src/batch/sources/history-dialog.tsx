import { useMemo, useState } from "react";
import { jobRuns, newGroup, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { type TrackedJob, useAreTrackedJobsRead, useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Picker, PickerRow } from "#ui/picker.tsx";
import type { SourceProps } from "../batch-document.ts";
import { nameFrom } from "./axis-edits.ts";
import { addWord } from "./combine-form.tsx";

/** Adds finished jobs of this browser as runs with the same settings. */
export function HistoryDialog({ target, onClose }: SourceProps & { onClose: () => void }) {
  const jobs = useTrackedJobs();
  const areRead = useAreTrackedJobsRead();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const finished = useMemo(() => finishedJobs(jobs), [jobs]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = finished.filter(({ text }) => words.every((word) => text.includes(word)));
  const chosenJobs = jobs.filter(({ requestId }) => chosen.has(requestId));
  const made = jobRuns(chosenJobs);
  const problem = made.problem ?? roomProblem(target.batch, undefined, made.runs.length);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  // A problem says which jobs are left out. Where some have unknown settings, the others can still be added. Where there
  // are only too many, none are.
  const canAdd = made.runs.length > 0 && (made.problem === undefined || made.unknown.length > 0);
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && onClose()}
      title="From History"
      description="One run for each job, with the same settings. Nothing runs yet."
      footer={
        <>
          <p role="status" className="m-0 me-auto self-center text-ink-2 tabular-nums">
            {problem ?? `${formatNumber(chosen.size)} selected`}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            aria-disabled={!canAdd}
            onClick={() => {
              const name = nameFrom(chosenJobs[0] && jobPrompt(chosenJobs[0].payload), "From History");
              if (target.put((batch) => withGroup(batch, newGroup("From History", "history"), made.runs), name))
                onClose();
            }}
          >
            {addWord(made.runs.length)}
          </Button>
        </>
      }
    >
      <Picker
        label="Jobs"
        placeholder="Search by prompt, model or job ID"
        search={search}
        onSearch={setSearch}
        items={found}
        selected={[...chosen]}
        takesSeveral
        onPick={({ id }) => toggle(id)}
        row={({ job }) => <JobRow job={job} />}
        status={counted(found.length, "job")}
        // Until the stored jobs are read, nothing says that there are none.
        empty={() => areRead && <NothingListed jobCount={jobs.length} finishedCount={finished.length} />}
      />
    </Dialog>
  );
}

/** In place of an empty list. Counts all jobs that this browser knows, and those with a result, whatever was searched. */
function NothingListed({ jobCount, finishedCount }: { jobCount: number; finishedCount: number }) {
  const [title, body] =
    jobCount === 0
      ? ["No jobs in this browser yet", "Jobs that you run or import in this browser appear here."]
      : finishedCount === 0
        ? ["No jobs with a result yet", "Jobs with a result appear here."]
        : ["No matching jobs", "Try another search."];
  return (
    <EmptyState title={title} className="py-8!">
      {body}
    </EmptyState>
  );
}

function JobRow({ job: { payload, requestId, model, submittedAtMs } }: { job: TrackedJob }) {
  const prompt = jobPrompt(payload);
  return (
    <PickerRow
      title={prompt === undefined ? visibleLine(requestId, 40) : visibleLine(prompt, 160)}
      detail={`${visibleLine(model ?? "Unknown model", 60)} · ${formatDate(submittedAtMs / 1000)}`}
    />
  );
}

/** Jobs with a result, each with its searched text in lower case. */
function finishedJobs(jobs: readonly TrackedJob[]) {
  return jobs
    .filter(({ status }) => status === "success")
    .map((job) => {
      const { payload, model, requestId } = job;
      return { id: requestId, job, text: `${jobPrompt(payload) ?? ""} ${model ?? ""} ${requestId}`.toLowerCase() };
    });
}

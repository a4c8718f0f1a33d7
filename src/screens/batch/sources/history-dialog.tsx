import { useDeferredValue, useMemo, useState } from "react";
import { newGroup, roomProblem, withGroup } from "#jobs/batch-rows/group-runs.ts";
import { jobRuns } from "#jobs/batch-rows/job-runs.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { type TrackedJob, useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { nameFrom } from "./axis-edits.ts";
import { addWord } from "./combine-form.tsx";
import type { SourceProps } from "./run-target.ts";

/** More are not drawn: the search narrows them. */
const MOST_SHOWN = 100;

/** Jobs of this browser as runs with the same settings. */
export function HistoryDialog({ target, onClose }: SourceProps & { onClose: () => void }) {
  const jobs = useTrackedJobs();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const late = useDeferredValue(search);
  const found = useMemo(() => findJobs(jobs, late), [jobs, late]);
  const taken = jobs.filter(({ requestId }) => chosen.has(requestId));
  const made = jobRuns(taken);
  const problem = made.problem ?? roomProblem(target.batch, undefined, made.runs.length);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
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
            {problem ?? `${chosen.size} chosen`}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            aria-disabled={!canAdd}
            onClick={() => {
              const name = nameFrom(taken[0] && jobPrompt(taken[0].payload), "From History");
              if (target.put((batch) => withGroup(batch, newGroup("From History", "history"), made.runs), name))
                onClose();
            }}
          >
            {addWord(made.runs.length)}
          </Button>
        </>
      }
    >
      <TextInput
        type="search"
        aria-label="Search jobs"
        placeholder="Search by prompt, model or job ID"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length === 0 ? (
        <EmptyState title={jobs.length === 0 ? "No jobs yet" : "No matching jobs"} className="py-8!">
          {jobs.length === 0 ? "Jobs that you run in this browser are listed here." : "Try other words."}
        </EmptyState>
      ) : (
        <ul aria-label="Jobs" className="m-0 mt-2 flex list-none flex-col p-0">
          {found.slice(0, MOST_SHOWN).map((job) => (
            <JobLine
              key={job.requestId}
              job={job}
              isChosen={chosen.has(job.requestId)}
              onToggle={() => toggle(job.requestId)}
            />
          ))}
          {found.length > MOST_SHOWN && (
            <li className="px-2 py-2 text-[12.5px] text-ink-3">
              {(found.length - MOST_SHOWN).toLocaleString("en-US")} more. Search to narrow.
            </li>
          )}
        </ul>
      )}
    </Dialog>
  );
}

function JobLine({ job, isChosen, onToggle }: { job: TrackedJob; isChosen: boolean; onToggle: () => void }) {
  const prompt = jobPrompt(job.payload);
  const id = `from-history-${job.requestId}`;
  return (
    <li>
      <label
        htmlFor={id}
        className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2 py-1 hover:bg-hover has-checked:bg-accent-soft"
      >
        <Checkbox id={id} checked={isChosen} onChange={onToggle} />
        <span className="min-w-0 flex-1">
          <span className="block truncate" dir="auto">
            {prompt === undefined ? visibleLine(job.requestId, 40) : visibleLine(prompt, 160)}
          </span>
          <span className="block truncate text-[12px] text-ink-3">
            {visibleLine(job.model ?? "Unknown model", 60)} · {formatDate(job.submittedAtMs / 1000)}
          </span>
        </span>
      </label>
    </li>
  );
}

/** Jobs that ended with a result and hold every word of a search, newest first. */
function findJobs(jobs: readonly TrackedJob[], search: string): TrackedJob[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return jobs.filter(({ status, model, payload, requestId }) => {
    if (status !== "success") return false;
    const text = `${jobPrompt(payload) ?? ""} ${model ?? ""} ${requestId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

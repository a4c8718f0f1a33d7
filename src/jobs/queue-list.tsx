import { Link } from "@tanstack/react-router";
import { useStore } from "zustand";
import { isFinal } from "#api/final-status.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { Button } from "#ui/button.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { BatchList } from "./batch/batch-list.tsx";
import { statusWords } from "./job-status.tsx";
import { usePollPause } from "./poll/use-polling.ts";
import type { SubmitStates } from "./submit/submit-state.ts";
import { useSubmissions } from "./submit/use-submit.ts";
import { GONE } from "./track-job.ts";
import { useTrackedJobs } from "./use-tracked-jobs.ts";
import { useNow } from "./waiting/use-now.ts";
import { roundTime, type UsualTime, usualTime } from "./waiting/usual-time.ts";

const MOST_SHOWN = 20;

/** Submits whose outcome is open, in words for the rail: never "not charged" while that is not known. */
function openSubmits(states: SubmitStates): { model: string; text: string }[] {
  return Object.entries(states).flatMap(([model, state]) => {
    if (state.phase !== "unconfirmed") return [];
    return [{ model, text: state.canSendAgain ? "Unconfirmed, no job found" : "Unconfirmed, looking" }];
  });
}

/** What is in the queue: open submits, every job that is not final (each leads to its page), and the batches. */
export function QueueList() {
  const tracked = useTrackedJobs();
  const open = openSubmits(useStore(useSubmissions().states));
  const waiting = tracked.filter(({ status }) => !isFinal(status) && status !== GONE);
  const nowMs = useNow(1000, waiting.length > 0);
  const { isPaused, resume } = usePollPause();
  const count = waiting.length + open.length;
  if (count === 0) return <BatchList />;
  return (
    <>
      <section aria-label="In the queue">
        <h2 className="m-0 flex px-[9px] pt-3 pb-1.5 font-normal text-[12.5px] text-ink-3">
          In the queue
          {count > 1 && <span className="ml-auto tabular-nums">{count}</span>}
        </h2>
        {isPaused && (
          <div
            role="alert"
            className="mx-[9px] mb-2 rounded-sm border border-unconfirmed/35 bg-unconfirmed-soft p-2.5 text-[12px]"
          >
            <p className="m-0 font-medium text-ink">The key was refused</p>
            <p className="m-0 mt-0.5 mb-2 text-ink-2">Nothing is lost. Connect again, or look again with this key.</p>
            <Button size="sm" onClick={resume}>
              Look again
            </Button>
          </div>
        )}
        <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
          {open.map(({ model, text }) => (
            <li key={`open ${model}`}>
              <OpenSubmitRow model={model} text={text} />
            </li>
          ))}
          {waiting.slice(0, MOST_SHOWN).map((job) => (
            <li key={job.requestId}>
              <QueueRow tracked={job} usual={usualTime(tracked, job.model)} nowMs={nowMs} />
            </li>
          ))}
        </ul>
        {waiting.length > MOST_SHOWN && (
          <p className="m-0 px-[9px] py-1.5 text-[12px] text-ink-3">and {waiting.length - MOST_SHOWN} more</p>
        )}
      </section>
      <BatchList />
    </>
  );
}

const ROW = "flex min-h-11 items-center gap-2.5 rounded-sm px-[9px] py-1.5 text-left";

/** Whole seconds in the rail: a digit that changes ten times a second would pull the eye. */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `0:${String(seconds).padStart(2, "0")}` : formatElapsed(ms);
}

/** One job of the rail: model, how long it has been, how long it usually takes. Leads to the job. */
function QueueRow({ tracked, usual, nowMs }: { tracked: TrackedJob; usual: UsualTime | undefined; nowMs: number }) {
  const { word, tone } = statusWords(tracked.status);
  const elapsed = elapsedText(nowMs - tracked.submittedAtMs);
  return (
    <Link
      to="/jobs/$requestId"
      params={{ requestId: tracked.requestId }}
      className={`${ROW} text-ink transition-[background-color] duration-150 hover:bg-raised`}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{visibleLine(tracked.model ?? "Unknown model")}</span>
        <span className="block truncate text-[12px] text-ink-3 tabular-nums">
          {elapsed}
          {usual && ` · usually ${roundTime(usual.medianMs)}`}
        </span>
      </span>
      <StatusDot tone={tone} label={word} />
    </Link>
  );
}

/** A submit whose outcome is open. It has no job to lead to yet. */
function OpenSubmitRow({ model, text }: { model: string; text: string }) {
  return (
    <div className={ROW}>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{visibleLine(model)}</span>
        <span className="block truncate text-[12px] text-ink-3">{text}</span>
      </span>
      <StatusDot tone="unconfirmed" />
    </div>
  );
}

import { useStore } from "zustand";
import { isFinal } from "#api/job-status.ts";
import { Button } from "#ui/button.tsx";
import { LateBatchList } from "./batch/late-batch-list.tsx";
import { OpenSubmitRow, QueueRow } from "./queue-row.tsx";
import type { DeskStates } from "./submit/submissions.ts";
import { useDesk } from "./use-desk.ts";
import { useNow } from "./use-now.ts";
import { useTrackedJobs } from "./use-tracked-jobs.ts";
import { useWatchPause } from "./use-watch-pause.ts";
import { usualTime } from "./usual-time.ts";
import { GONE } from "./watch/is-active.ts";

const MOST_SHOWN = 20;

/** Submits whose outcome is open, as the rail says it: never "not charged" while that is not known. */
function openSubmits(states: DeskStates): { model: string; text: string }[] {
  return Object.entries(states).flatMap(([model, state]) => {
    if (state.phase !== "unconfirmed") return [];
    return [{ model, text: state.canSendAgain ? "Unconfirmed, no job found" : "Unconfirmed, looking" }];
  });
}

/** What is in the queue: open submits and every job that is not final, each leading to its page. */
export function QueueList() {
  const tracked = useTrackedJobs();
  const open = openSubmits(useStore(useDesk().states));
  const waiting = tracked.filter(({ status }) => !isFinal(status) && status !== GONE);
  const nowMs = useNow(1000, waiting.length > 0);
  const { isPaused, resume } = useWatchPause();
  const count = waiting.length + open.length;
  if (count === 0) return <LateBatchList />;
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
      <LateBatchList />
    </>
  );
}

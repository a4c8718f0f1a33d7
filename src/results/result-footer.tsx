import { clsx } from "clsx";
import { type ReactNode, useState } from "react";
import { endCharge, jobCharge } from "#api/charge-words.ts";
import { useDeletion } from "#media/deleted-media.ts";
import { daysLeft, retentionText, retentionTone } from "#media/retention.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useToday } from "#ui/use-today.ts";
import { EditAgainLink, RunAgainButton, RunAgainObstacle } from "./end-acts.tsx";
import { type RunAgain, useRunAgain } from "./run-again.ts";

interface ResultFooterProps {
  job: JobRecord;
  /** Shows the outcome of a run that was begun here, where it is not in view otherwise. */
  outcome?: ((again: RunAgain) => ReactNode) | undefined;
}

const TONES = { fine: "text-ink-3", soon: "text-unconfirmed", last: "text-failed", over: "text-ink-3" };

/** What a job cost and how long its files stay, in words; and the way to run it once more. */
export function ResultFooter({ job, outcome }: ResultFooterProps) {
  useToday();
  const deletion = useDeletion(job.requestId);
  const hasFiles = job.media.length > 0;
  const days = hasFiles && !deletion ? daysLeft(job.createdAtSeconds, Date.now()) : undefined;
  const isOver = days !== undefined && days <= 0;
  const again = useRunAgain(job, isOver ? "same" : "new");
  const [hasRun, setHasRun] = useState(false);
  // Without files the notice in their place has the acts, and says what is known of the charge.
  const hasActs = hasFiles && !deletion && job.status === "success";
  const isInNotice = !hasFiles && !deletion && endCharge(job) !== undefined;
  const charge = isInNotice ? undefined : jobCharge(job);
  if (!hasActs && charge === undefined) return null;
  return (
    <footer className="@container grid shrink-0 gap-2 border-line border-t px-5 py-3 max-sm:px-3">
      {hasRun && again && outcome?.(again)}
      <div className="flex flex-wrap items-center gap-2">
        {/* As high as both of its lines: the charge is read from this browser's storage, after the page is drawn. */}
        <p className="m-0 flex min-h-9.5 min-w-0 flex-1 basis-40 flex-col justify-center tabular-nums leading-normal @max-[42.5rem]:min-h-4.75 @max-[42.5rem]:basis-full @max-[42.5rem]:flex-row @max-[42.5rem]:justify-between @max-[42.5rem]:gap-3">
          {charge && <span className="font-medium">{charge}</span>}
          {days !== undefined && (
            <span className={clsx("text-sm", TONES[retentionTone(days)])}>{retentionText(days)}</span>
          )}
        </p>
        {hasActs && (
          <span className="flex flex-wrap gap-2 @max-[42.5rem]:w-full *:@max-[42.5rem]:flex-1 @max-[27.5rem]:flex-col-reverse">
            <EditAgainLink job={job} />
            {again && (
              <RunAgainButton
                again={{
                  ...again,
                  run: () => {
                    setHasRun(true);
                    again.run();
                  },
                }}
              />
            )}
          </span>
        )}
      </div>
      {hasActs && <RunAgainObstacle again={again} />}
    </footer>
  );
}

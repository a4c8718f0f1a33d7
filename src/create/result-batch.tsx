import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { agreedRuns } from "#batch/runner/batch-views.ts";
import { batchState, batchTitle, isPaused, pauseReason } from "#batch/runner/batch-words.ts";
import { type BatchView, useBatches } from "#batch/runner/use-batches.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { useExpectedResult } from "#results/waiting/expected-result.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { StatusBadge } from "#runs/job-status.tsx";
import { runWords } from "#runs/status-words.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import type { StatusTone } from "#ui/indicators.tsx";

interface ResultBatchProps {
  modelId: string | undefined;
  /** Shown where the queue has no batch of the model. */
  children: ReactNode;
}

/** Further runs are shown only on the screen of the batch. */
const MAX_RUNS = 100;

/** The latest batch of the model that is still in the queue; each run links to its result. Else `children`. */
export function ResultBatch({ modelId, children }: ResultBatchProps) {
  const view = useBatches().views.find(
    ({ batch, items }) =>
      !batch.isDismissed && items.some(({ item, state }) => state.kind !== "draft" && item.request.model === modelId),
  );
  return modelId === undefined || view === undefined ? children : <Batch view={view} />;
}

function Batch({ view }: { view: BatchView }) {
  const { batch, sums } = view;
  const items = agreedRuns(view);
  const first = items[0]?.item.request;
  const { aspect, usualAspect } = useExpectedResult(first?.model, first?.payload);
  const counts =
    sums.isOver && sums.submitted === items.length
      ? `${formatNumber(sums.done)} of ${formatNumber(items.length)} done`
      : `${formatNumber(sums.submitted)} of ${formatNumber(items.length)} submitted · ${formatNumber(sums.done)} done`;
  const reason = pauseReason(view);
  return (
    <>
      <header className="flex min-h-13 shrink-0 items-center gap-2.5 border-line border-b px-5 py-2 max-sm:px-3">
        <StatusBadge {...batchState(view)} className="shrink-0 font-medium" />
        <h2 dir="auto" className="m-0 min-w-0 flex-1 truncate text-left font-normal text-base text-ink-2">
          Batch: {visibleLine(batchTitle(batch), 120)}
        </h2>
        <span className="shrink-0 text-sm text-ink-3 tabular-nums">{counts}</span>
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-5 py-4 max-sm:px-3 short:overflow-visible">
        {reason && (
          <p className="m-0 text-ink-2">{isPaused(view) ? `${reason} Resume the batch in the queue.` : reason}</p>
        )}
        <ol
          aria-label="Batch runs"
          className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(min(--spacing(45),45%),1fr))] gap-2 p-0 min-[125rem]:grid-cols-[repeat(auto-fill,minmax(--spacing(65),1fr))]"
        >
          {items.slice(0, MAX_RUNS).map(({ item, state, job }, index) => {
            const name = visibleLine(jobPrompt(item.request.payload) ?? `Run ${index + 1}`, 120);
            const cell = <Cell job={job} name={name} {...runWords(state)} aspect={aspect ?? usualAspect} />;
            return (
              <li key={item.id}>
                {state.kind === "sent" ? (
                  <Link
                    to="/create/$modelId"
                    params={{ modelId: item.request.model }}
                    search={{ job: state.requestId }}
                    aria-label={`${name}, ${index + 1} of ${items.length}, ${runWords(state).word}`}
                    className="block rounded-md text-ink no-underline outline-offset-2"
                  >
                    {cell}
                  </Link>
                ) : (
                  cell
                )}
              </li>
            );
          })}
        </ol>
        <Link
          to="/batch/$batchId"
          params={{ batchId: batch.id }}
          className={buttonClass({ className: "self-start no-underline" })}
        >
          {items.length > MAX_RUNS ? `Open batch (+${counted(items.length - MAX_RUNS, "run")})` : "Open batch"}
        </Link>
      </div>
    </>
  );
}

interface CellProps {
  job: TrackedJob | undefined;
  name: string;
  word: string;
  tone: StatusTone;
  /** Width over height. The shape is the same before and after the run. */
  aspect: number;
}

/** One run: its first result, else its state and its prompt. */
function Cell({ job, name, word, tone, aspect }: CellProps) {
  const isDeleted = useIsMediaDeleted(job?.requestId ?? "");
  const result = job?.media[0];
  return (
    <span
      className={clsx(
        "relative block overflow-hidden rounded-md inset-ring inset-ring-line forced-colors:border",
        // What is not submitted is an empty place.
        tone !== "cancelled" && "bg-panel in-data-[theme=light]:bg-raised",
      )}
      style={{ aspectRatio: Math.min(2.4, Math.max(0.6, aspect)) }}
    >
      {result ? (
        <MediaThumb item={result} alt="" createdAtSeconds={job.createdAtSeconds} isDeleted={isDeleted} />
      ) : (
        <span className="absolute inset-0 flex flex-col justify-between gap-1 p-3 text-xs">
          <StatusBadge tone={tone} word={word} className="self-start font-medium" />
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-ink-2">
            {name}
          </span>
        </span>
      )}
    </span>
  );
}

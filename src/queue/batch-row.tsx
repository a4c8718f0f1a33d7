import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronDown, Layers, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cancelWaiting, dismissBatch } from "#batch/runner/batch-edits.ts";
import { agreedRuns } from "#batch/runner/batch-views.ts";
import { batchState, batchTitle, isPaused, itemWords, pauseReason, waitReason } from "#batch/runner/batch-words.ts";
import type { Batches, BatchView } from "#batch/runner/use-batches.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { runWords } from "#runs/status-words.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { type CommandInfo, commandFor, useCommands } from "#ui/commands.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { queueCommands } from "./commands.ts";
import {
  JobPicture,
  KindIcon,
  type QueueSize,
  QueueTile,
  RowLine,
  RowStatus,
  RowText,
  rowClass,
  useModelKind,
} from "./queue-rows.tsx";

interface BatchRowProps {
  view: BatchView;
  batches: Batches;
  size: QueueSize;
  /** The rail is folded and shows tiles alone. Then a press leads to the screen of the batch. */
  isFolded: boolean;
  onOpen: () => void;
}

/**
 * A batch as one row: how far it is, and its runs where the row is open. A batch that a reload has paused offers to resume.
 * Drafts are not counted.
 */
export function BatchRow({ view, batches, size, isFolded, onOpen }: BatchRowProps) {
  const { batch, sums } = view;
  const items = agreedRuns(view);
  const [isOpen, setIsOpen] = useState(false);
  const runsId = useId();
  const kind = useModelKind(batch.items[0]?.request.model);
  const name = visibleLine(batchTitle(batch), 120);
  const title = `Batch: ${name}`;
  const navigate = useNavigate();
  const place = { to: "/batch/$batchId", params: { batchId: batch.id } } as const;
  const pictured = items.findLast(({ state }) => state.kind === "sent")?.job;
  const words = batchState(view);
  const isBatchPaused = isPaused(view);
  // In all other states the counts say how far the batch is.
  const hasStateWord = isBatchPaused || (view.run.phase === "elsewhere" && !sums.isOver);
  const acts = batchActs(view, batches);
  const open = { ...commandFor(queueCommands.openBatch, batch.id), run: () => void navigate(place) };
  useCommands([...acts, open].map((command) => ({ ...command, label: `${command.label}: ${name}` })));
  const isAllSubmitted = sums.isOver && sums.submitted === items.length;
  const progress = `${formatNumber(sums.submitted)} of ${formatNumber(items.length)}`;
  const submitted = `${progress} submitted`;
  const counts = [
    ...(isAllSubmitted
      ? [`${formatNumber(sums.done)} of ${formatNumber(items.length)} done`]
      : [submitted, ...(sums.done > 0 ? [`${formatNumber(sums.done)} done`] : [])]),
    ...(sums.failed > 0 ? [`${formatNumber(sums.failed)} failed`] : []),
  ];
  return (
    <div className={clsx(isOpen && size === "rail" && !isFolded && "rounded-md bg-raised/50")}>
      <RowBox
        isFolded={isFolded}
        place={place}
        isOpen={isOpen}
        runsId={runsId}
        title={size === "rail" ? [title, counts.join(", "), pauseReason(view)].filter(Boolean).join("\n") : undefined}
        onToggle={() => setIsOpen(!isOpen)}
        className={rowClass(size)}
      >
        <QueueTile size={size} tone={words.tone} isStack>
          {pictured ? <JobPicture job={pictured} /> : <KindIcon kind={kind} />}
        </QueueTile>
        <RowText size={size} title={title}>
          <BatchBar view={view} />
          <RowLine size={size}>
            {hasStateWord && <RowStatus {...words} />}
            <span className="truncate">
              {size === "sheet" ? counts.join(" · ") : hasStateWord ? progress : counts[0]}
            </span>
            <span className="sr-only">{size === "rail" && counts.join(", ")}</span>
            {size === "rail" && <Chevron isOpen={isOpen} className="ms-auto size-3.5" />}
          </RowLine>
        </RowText>
        {size === "sheet" && <Chevron isOpen={isOpen} className="mx-3 size-4" />}
      </RowBox>
      {!isFolded && (isBatchPaused || isOpen) && (
        <div className={clsx("flex flex-wrap gap-1.5 pt-1 pb-2", size === "rail" ? "px-2" : "ps-16.75")}>
          {acts.map(({ id, label, run, isLesser }) =>
            // Two buttons with words have no room beside each other in the rail.
            isLesser && size === "rail" && !isOpen ? (
              <IconButton key={id} size="sm" label={label} data-command={id} onClick={run}>
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            ) : (
              <Button key={id} size="sm" className="flex-auto" data-command={id} onClick={run}>
                {label}
              </Button>
            ),
          )}
          {isOpen && (
            <Link
              {...place}
              data-command={open.id}
              onClick={onOpen}
              className={buttonClass({ size: "sm", className: "flex-auto no-underline" })}
            >
              <Layers aria-hidden="true" className="size-3.5" />
              {open.label}
            </Link>
          )}
        </div>
      )}
      <div id={runsId}>{isOpen && !isFolded && <BatchRuns view={view} size={size} onOpen={onOpen} />}</div>
    </div>
  );
}

interface RowBoxProps {
  isFolded: boolean;
  place: { to: "/batch/$batchId"; params: { batchId: string } };
  isOpen: boolean;
  runsId: string;
  title: string | undefined;
  onToggle: () => void;
  className: string;
  children: ReactNode;
}

/** The box of a batch: a button that shows its runs, or a link to the batch where the rail has no room for them. */
function RowBox({ isFolded, place, isOpen, runsId, title, onToggle, className, children }: RowBoxProps) {
  return isFolded ? (
    <Link {...place} title={title} className={clsx(className, "no-underline")}>
      {children}
    </Link>
  ) : (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={runsId}
      title={title}
      onClick={onToggle}
      className={clsx(className, "cursor-pointer")}
    >
      {children}
    </button>
  );
}

function Chevron({ isOpen, className }: { isOpen: boolean; className: string }) {
  return (
    <ChevronDown
      aria-hidden="true"
      className={clsx("shrink-0 text-ink-3 transition-transform duration-150", isOpen && "rotate-180", className)}
    />
  );
}

/** What can be done with a batch as a whole. The price on the button is that of everything that is left. */
function batchActs({ batch, run, sums }: BatchView, { storage, runner }: Batches) {
  const act = (command: CommandInfo, run: () => void, isLesser = false) => ({
    ...commandFor(command, batch.id),
    run,
    isLesser,
  });
  const cancel = () => {
    runner.pause(batch.id);
    void cancelWaiting(storage, batch.id, runner.sendingNow(batch.id));
  };
  if (run.phase === "elsewhere") return [];
  const dismiss = () => void dismissBatch(storage, batch.id);
  if (sums.isOver) return [act(queueCommands.remove, dismiss, true)];
  if (sums.waiting + sums.retried === 0) return [];
  return [
    run.phase === "running"
      ? act(queueCommands.pause, () => runner.pause(batch.id))
      : act(
          { ...queueCommands.resume, label: `Resume, ${formatMicroUsd(sums.waitingMicroUsd)}` },
          () => void runner.start(batch.id),
        ),
    act(queueCommands.cancel, cancel, true),
  ];
}

const SEGMENT_CLASSES: Record<StatusTone, string> = {
  queued: "bg-queued",
  success: "bg-success",
  failed: "bg-failed",
  unconfirmed: "bg-unconfirmed",
  // Empty in forced colors: a surface of the system would be brighter than the segments of finished runs.
  cancelled: "bg-line-strong forced-colors:border forced-colors:border-[CanvasText] forced-colors:bg-[Canvas]",
};

/** Above this many runs a segment for each would be thinner than the gap beside it. */
const MAX_SEGMENTS = 24;
/** The order of the states in a bar with one segment for each. */
const TONE_ORDER: readonly StatusTone[] = ["success", "failed", "unconfirmed", "queued", "cancelled"];

/** The runs as segments in the colors of their states. Many runs have one segment for each state. */
function BatchBar({ view }: { view: BatchView }) {
  const tones = agreedRuns(view).map(({ state }) => runWords(state).tone);
  const parts =
    tones.length <= MAX_SEGMENTS
      ? tones.map((tone, index) => ({ key: `${index}`, tone, share: 1 }))
      : TONE_ORDER.map((tone) => ({ key: tone, tone, share: tones.filter((runTone) => runTone === tone).length }));
  return (
    <span aria-hidden="true" className="my-1 flex h-1 gap-0.5 forced-color-adjust-none">
      {parts.map(
        ({ key, tone, share }) =>
          share > 0 && (
            <span key={key} className={clsx("min-w-px rounded-xs", SEGMENT_CLASSES[tone])} style={{ flex: share }} />
          ),
      )}
    </span>
  );
}

/** Only the first runs are listed here. The screen of the batch has all of them. */
const MAX_RUNS = 100;

/** The runs of a batch; those with a job lead to it. */
function BatchRuns({ view, size, onOpen }: Pick<BatchRowProps, "view" | "size" | "onOpen">) {
  const reason = pauseReason(view) ?? waitReason(view);
  const runs = agreedRuns(view);
  return (
    <div className={clsx("pb-2", size === "rail" ? "px-2" : "ps-16.75")}>
      {reason && <p className="wrap-anywhere m-0 mb-1.5 text-xs text-ink-2">{reason}</p>}
      <ol className="m-0 flex max-h-58 list-none flex-col overflow-y-auto p-0 text-xs">
        {runs.slice(0, MAX_RUNS).map((run, index) => {
          const { item, state } = run;
          const name = visibleLine(jobPrompt(item.request.payload) ?? `Run ${index + 1}`, 120);
          const words = (
            <>
              <StatusDot tone={runWords(state).tone} className="[&>span]:size-1.5 [&>span]:ring-0" />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {name}
              </span>
              <span className="shrink-0 text-ink-3" title={itemWords(run)}>
                {size === "rail" ? runWords(state).word : itemWords(run)}
              </span>
            </>
          );
          const box = "flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11";
          return (
            <li key={item.id}>
              {state.kind === "sent" ? (
                <Link
                  to="/jobs/$requestId"
                  params={{ requestId: state.requestId }}
                  preload={false}
                  onClick={onOpen}
                  className={clsx(box, "rounded-sm text-ink hover:bg-hover")}
                >
                  {words}
                </Link>
              ) : (
                <span className={clsx(box, "text-ink-2")}>{words}</span>
              )}
            </li>
          );
        })}
      </ol>
      {runs.length > MAX_RUNS && (
        <p className="m-0 pt-1 text-xs text-ink-3">{`${formatNumber(runs.length - MAX_RUNS)} more in the batch`}</p>
      )}
    </div>
  );
}

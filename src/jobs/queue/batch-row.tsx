import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowUpDown, ChevronDown, X } from "lucide-react";
import { useId, useState } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { type Command, useCommands } from "#ui/command-store.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { cancelWaiting } from "../batch/batch-edits.ts";
import { itemTone } from "../batch/batch-runner.ts";
import { itemWord, pauseReason } from "../batch/batch-words.ts";
import type { Batches, BatchView } from "../batch/use-batches.ts";
import { jobPrompt } from "../job-prompt.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import { RowLine, RowStatus, RowText, rowClass } from "./queue-row.tsx";
import { JobPicture, KindIcon, type QueueSize, QueueTile, useModelKind } from "./queue-thumb.tsx";

const BatchDialog = lazyNamed(() => import("../batch/batch-dialog.tsx"), "BatchDialog");

interface BatchRowProps {
  view: BatchView;
  batches: Batches;
  size: QueueSize;
  /** The rail shows tiles alone: the runs open in their dialog. */
  isFolded: boolean;
  onOpen: () => void;
}

/** A batch as one row: how far it is, and its runs where it is opened. One that a reload has paused offers to resume. */
export function BatchRow({ view, batches, size, isFolded, onOpen }: BatchRowProps) {
  const { batch, items, sums } = view;
  const [isOpen, setIsOpen] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const runsId = useId();
  const jobs = useTrackedJobs();
  const kind = useModelKind(batch.items[0]?.request.model);
  const title = `Batch: ${batchName(view)}`;
  const newest = items.findLast(({ state }) => state.kind === "sent")?.state;
  const pictured = jobs.find(({ requestId }) => newest?.kind === "sent" && requestId === newest.requestId);
  const isPaused = view.run.phase === "paused" && sums.waiting > 0;
  const tone: StatusTone = isPaused ? "unconfirmed" : sums.isOver ? (sums.failed > 0 ? "failed" : "success") : "queued";
  const isElsewhere = view.run.phase === "elsewhere";
  const acts = batchActs(view, batches);
  const order = { id: `queue.order.${batch.id}`, label: "Edit order", run: () => setIsEditing(true) };
  useCommands(
    [...acts, ...(sums.waiting > 1 && !isElsewhere ? [order] : [])].map(
      ({ id, label, run }): Command => ({ id, label: `${label}: ${title}`, group: "Queue", run }),
    ),
  );
  const isWhole = sums.isOver && sums.submitted === items.length;
  const counts = [
    ...(isWhole
      ? [`${sums.done} of ${items.length} done`]
      : [`${sums.submitted} of ${items.length} submitted`, ...(sums.done > 0 ? [`${sums.done} done`] : [])]),
    ...(sums.failed > 0 ? [`${sums.failed} failed`] : []),
  ];
  return (
    <div className={clsx(isOpen && size === "rail" && !isFolded && "rounded-[8px] bg-raised/50")}>
      <button
        type="button"
        {...(isFolded ? { "aria-haspopup": "dialog" } : { "aria-expanded": isOpen, "aria-controls": runsId })}
        title={size === "rail" ? [title, counts.join(", "), pauseReason(view)].filter(Boolean).join("\n") : undefined}
        onClick={() => (isFolded ? setIsEditing(true) : setIsOpen(!isOpen))}
        className={clsx(rowClass(size), "cursor-pointer")}
      >
        <QueueTile size={size} tone={tone} isStack>
          {pictured ? <JobPicture job={pictured} /> : <KindIcon kind={kind} />}
        </QueueTile>
        <RowText size={size} title={title}>
          <BatchBar view={view} />
          <RowLine size={size}>
            {isPaused && <RowStatus tone="unconfirmed" word="Paused" />}
            {isElsewhere && <RowStatus tone="queued" word="In another tab" />}
            <span className="truncate">
              {size === "sheet"
                ? counts.join(" · ")
                : isPaused || isElsewhere
                  ? `${sums.submitted} of ${items.length}`
                  : counts[0]}
            </span>
            <span className="sr-only">{size === "rail" && counts.join(", ")}</span>
            {size === "rail" && <Chevron isOpen={isOpen} className="ms-auto size-3.5" />}
          </RowLine>
        </RowText>
        {size === "sheet" && <Chevron isOpen={isOpen} className="mx-3 size-4" />}
      </button>
      {!isFolded && (isPaused || isOpen) && !isElsewhere && (
        <div className={clsx("flex flex-wrap gap-1.5 pt-1 pb-2", size === "rail" ? "px-2" : "ps-[67px]")}>
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
          {isOpen &&
            sums.waiting > 1 &&
            (size === "rail" ? (
              <Button size="sm" className="flex-auto" data-command={order.id} onClick={order.run}>
                <ArrowUpDown aria-hidden="true" className="size-3.5" />
                Edit order
              </Button>
            ) : (
              <IconButton size="sm" label={order.label} data-command={order.id} onClick={order.run}>
                <ArrowUpDown aria-hidden="true" className="size-4" />
              </IconButton>
            ))}
        </div>
      )}
      <div id={runsId}>{isOpen && !isFolded && <BatchRuns view={view} size={size} onOpen={onOpen} />}</div>
      {isEditing && <BatchDialog view={view} batches={batches} onClose={() => setIsEditing(false)} />}
    </div>
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
function batchActs({ batch, run, sums }: BatchView, { where, runner }: Batches) {
  const act = (name: string, label: string, run: () => void, isLesser = false) => ({
    id: `queue.${name}.${batch.id}`,
    label,
    run,
    isLesser,
  });
  const cancel = () => {
    runner.pause(batch.id);
    void cancelWaiting(where, batch.id, runner.sendingNow(batch.id));
  };
  if (run.phase === "elsewhere") return [];
  if (sums.waiting === 0) return sums.isOver ? [act("remove", "Remove from queue", cancel, true)] : [];
  return [
    run.phase === "running"
      ? act("pause", "Pause", () => runner.pause(batch.id))
      : act("resume", `Resume, ${formatMicroUsd(sums.waitingMicroUsd)}`, () => void runner.start(batch.id)),
    act("cancel", "Cancel remaining", cancel, true),
  ];
}

function batchName({ batch }: BatchView): string {
  const [first] = batch.items;
  return visibleLine(jobPrompt(first?.request.payload) ?? first?.request.model ?? "no runs", 120);
}

const SEGMENT: Record<StatusTone, string> = {
  queued: "bg-queued",
  success: "bg-success",
  failed: "bg-failed",
  unconfirmed: "bg-unconfirmed",
  // In forced colours empty: a surface of the system would be brighter than what is done.
  cancelled: "bg-line-strong forced-colors:border forced-colors:border-[CanvasText] forced-colors:bg-[Canvas]",
};

/** Above this many runs a segment for each would be thinner than the gap beside it. */
const MOST_SEGMENTS = 24;
const ORDER: readonly StatusTone[] = ["success", "failed", "unconfirmed", "queued", "cancelled"];

/** The runs as segments in the colours of their states; many of them as one segment for each state. */
function BatchBar({ view }: { view: BatchView }) {
  const tones = view.items.map(({ state }) => itemTone(state));
  const parts =
    tones.length <= MOST_SEGMENTS
      ? tones.map((tone, index) => ({ key: `${index}`, tone, share: 1 }))
      : ORDER.map((tone) => ({ key: tone, tone, share: tones.filter((one) => one === tone).length }));
  return (
    <span aria-hidden="true" className="my-1 flex h-1 gap-0.5 forced-color-adjust-none">
      {parts.map(
        ({ key, tone, share }) =>
          share > 0 && (
            <span key={key} className={clsx("min-w-px rounded-[1px]", SEGMENT[tone])} style={{ flex: share }} />
          ),
      )}
    </span>
  );
}

/** The runs of a batch; those with a job lead to it. */
function BatchRuns({ view, size, onOpen }: Pick<BatchRowProps, "view" | "size" | "onOpen">) {
  const reason = pauseReason(view);
  return (
    <div className={clsx("pb-2", size === "rail" ? "px-2" : "ps-[67px]")}>
      {reason && <p className="wrap-anywhere m-0 mb-1.5 text-[12px] text-ink-2">{reason}</p>}
      <ol className="m-0 flex max-h-[232px] list-none flex-col overflow-y-auto p-0 text-[12px]">
        {view.items.map(({ item, state }, index) => {
          const name = visibleLine(jobPrompt(item.request.payload) ?? `Run ${index + 1}`, 120);
          const words = (
            <>
              <StatusDot tone={itemTone(state)} className="[&>span]:size-1.5 [&>span]:ring-0" />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {name}
              </span>
              <span className="shrink-0 text-ink-3">{itemWord(state)}</span>
            </>
          );
          const box = "flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11";
          return (
            <li key={item.intentId}>
              {state.kind === "sent" ? (
                <Link
                  to="/jobs/$requestId"
                  params={{ requestId: state.requestId }}
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
    </div>
  );
}

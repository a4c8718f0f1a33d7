import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import { isNotCharged } from "#batch/runner/batch-views.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { rem } from "#ui/rem.ts";
import { useListWindow } from "#ui/use-list-window.ts";
import { StatusLine, useRunList } from "./run-list.tsx";
import { GroupSum, PromptCell, ResultCell, RowDot, RunMenu, type RunRowProps, RunThumb } from "./run-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { type RowFilter, rowWord, type TableLine } from "./table-lines.ts";
import { useRowActs } from "./use-row-acts.tsx";

const CARD_HEIGHT = rem(76);
const GROUP_HEIGHT = rem(44);

const lineHeight = ({ kind }: TableLine) => (kind === "group" ? GROUP_HEIGHT : CARD_HEIGHT);
const lineKey = ({ key }: TableLine) => key;

const NO_COLUMNS: RunRowProps["columns"] = [];

/** The runs of the batch as a list of cards, for phones. A run is edited in its form instead of in cells. */
export function RunCards({ show }: { show: RowFilter | undefined }) {
  const runs = useRunList(show);
  const { lines, cursor, toggleGroup, runProps } = runs;
  const scroller = useRef<HTMLDivElement>(null);
  const { acts, dialog } = useRowActs({ ...runs, columns: NO_COLUMNS, grid: scroller });
  const virtualizer = useListWindow(scroller, lines, { sizeOf: lineHeight, keyOf: lineKey, overscan: 4 });
  return (
    <>
      <StatusLine counts={runs.counts} show={show} />
      <div
        ref={scroller}
        tabIndex={-1}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t outline-none"
      >
        <ol aria-label="Runs" className="relative m-0 list-none p-0" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, size, key }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <li
                key={key}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 border-line border-b"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                {line.kind === "group" ? (
                  <GroupHead line={line} onToggle={() => toggleGroup(line.group.id)} />
                ) : (
                  <RunCard {...runProps(line)} acts={acts} />
                )}
              </li>
            );
          })}
        </ol>
        {lines.length === 0 && <p className="m-0 p-6 text-center text-ink-3">No runs with this status</p>}
      </div>
      <SelectionBar cursor={cursor} setCursor={runs.setCursor} />
      {dialog}
    </>
  );
}

function GroupHead({
  line: { group, views, isOpen },
  onToggle,
}: {
  line: Extract<TableLine, { kind: "group" }>;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex size-full cursor-pointer items-center gap-1.5 border-0 bg-panel px-4 text-start text-sm text-ink-3"
    >
      <ChevronDown aria-hidden="true" className={clsx("size-3.5 shrink-0", !isOpen && "-rotate-90")} />
      <b dir="auto" className="max-w-[45vw] truncate font-medium text-ink">
        {visibleLine(group.name, 80)}
      </b>
      <span className="min-w-0 truncate">
        <GroupSum views={views} />
      </span>
    </button>
  );
}

type RunCardProps = Pick<
  RunRowProps,
  "view" | "filter" | "number" | "schemas" | "price" | "problem" | "ends" | "acts" | "isSelected"
>;

const RunCard = memo(function RunCard(props: RunCardProps) {
  const { view, filter, number, price, acts, isSelected } = props;
  const { word, tone } = rowWord(view, filter);
  const isRefunded = isNotCharged(view);
  return (
    <div className={clsx("flex h-full items-center gap-3 pe-1", isSelected && "bg-raised/60")}>
      <Checkbox
        aria-label={`Select run ${number}`}
        checked={isSelected}
        onChange={() => acts.toggle(view.item.id)}
        className="ms-4"
      />
      <RunThumb view={view} className="size-11 rounded-sm" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <CardLink view={view} number={number} acts={acts}>
          <PromptCell {...props} />
        </CardLink>
        <div className="flex min-w-0 items-center gap-2.5 text-sm">
          <span className="flex shrink-0 items-center gap-1.5 text-ink-2">
            <RowDot tone={tone} />
            {word}
          </span>
          {props.problem === undefined && (
            <span className="max-w-[45%] shrink-0 truncate text-ink-3">{visibleLine(view.item.request.model, 80)}</span>
          )}
          <ResultCell {...props} />
        </div>
      </div>
      <div className="flex shrink-0 flex-col items-end">
        <span
          className={clsx(
            "pe-2.5 tabular-nums",
            isRefunded ? "text-ink-3 line-through" : filter === "pricing" ? "text-ink-3" : "text-ink",
          )}
        >
          {price ?? "–"}
        </span>
        <RunMenu view={view} number={number} acts={acts} />
      </div>
    </div>
  );
});

/** The prompt as a link to the job, or, before there is one, as a button that opens the form of the run. */
function CardLink({
  view: { item, state },
  number,
  acts,
  children,
}: Pick<RunCardProps, "view" | "number" | "acts"> & { children: ReactNode }) {
  const linkClass = "flex min-h-6 min-w-0 max-w-full items-center rounded-xs text-start";
  if (state.kind === "sent")
    return (
      <Link to="/jobs/$requestId" params={{ requestId: state.requestId }} preload={false} className={linkClass}>
        <span className="sr-only">Run {number}: </span>
        {children}
      </Link>
    );
  return (
    <button
      type="button"
      onClick={() => acts.edit(item.id, -1)}
      className={`${linkClass} cursor-pointer border-0 bg-transparent p-0`}
    >
      <span className="sr-only">Run {number}: </span>
      {children}
    </button>
  );
}

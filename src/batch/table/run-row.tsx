import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, Copy, Ellipsis, Pencil, SquareArrowOutUpRight, Trash2 } from "lucide-react";
import { type MouseEvent, memo, type ReactNode, useMemo } from "react";
import { RUN_AGAIN_TWICE } from "#api/charge-words.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import { problemKeys } from "#batch/rows/row-problems.ts";
import {
  attemptsMoney,
  batchSums,
  canRetry,
  type ItemView,
  isNotCharged,
  itemCharge,
} from "#batch/runner/batch-views.ts";
import { chargedWords } from "#batch/runner/batch-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatClock, formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { useNow } from "#results/waiting/use-now.ts";
import { CHECKING } from "#runs/submit/submit-words.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { GRID_LINE, placeLine } from "#ui/table.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { sheetCommands } from "../commands.ts";
import { columnName, findModelField, getRowPromptKey, type RunColumn } from "./table-columns.ts";
import { ROW_HEIGHT, type RowFilter, type RowTone, rowWord } from "./table-lines.ts";

/** The acts on rows. The same object as long as the table is mounted, so that rows need not render again. */
export interface RowActs {
  /** Called when a cell is pressed. */
  press(id: string, column: number, event: MouseEvent): void;
  /** Edits a cell in place; with the column -1, opens the form of the run. */
  edit(id: string, column: number): void;
  toggle(id: string): void;
  /** Edits the first wrong cell of a row, or opens its form. */
  fix(id: string): void;
  duplicate(id: string): void;
  move(id: string, by: -1 | 1): void;
  remove(id: string): void;
  retry(id: string): void;
}

export interface RunRowProps {
  view: ItemView;
  filter: RowFilter;
  number: number;
  /** The index of its line. */
  at: number;
  /** Pixels from the top of the first line. */
  top: number;
  columns: readonly RunColumn[];
  schemas: ModelSchemas;
  /** The formatted price; undefined while it is unknown. */
  price: string | undefined;
  problem: string | undefined;
  /** How many characters the prompts of its group share at the beginning and at the end. */
  ends: { start: number; end: number } | undefined;
  /** The column of the active cell; -1 where that is in another row. */
  active: number;
  isSelected: boolean;
  acts: RowActs;
  /** The editor that replaces a cell of this row. */
  editor?: { column: number; element: ReactNode } | undefined;
}

/** A row of the table. Memoized, so that it renders only when something in it changes. */
export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { view, columns, at: line, top, isSelected, editor, active, acts, number } = props;
  const { id } = view.item;
  return (
    <tr
      {...placeLine(line, top, ROW_HEIGHT)}
      aria-selected={isSelected}
      data-run={number}
      className={clsx(
        GRID_LINE,
        "grid grid-cols-(--columns) border-line border-b contain-layout",
        (isSelected || active >= 0) && "bg-raised/60",
        editor && "z-10",
      )}
    >
      {columns.map((column, at) => (
        <td
          key={columnName(column)}
          id={cellId(id, at)}
          aria-colindex={at + 1}
          aria-invalid={isWrong(props, column) || undefined}
          onMouseDown={(event) => acts.press(id, at, event)}
          onDoubleClick={() => acts.edit(id, at)}
          className={clsx(
            "relative flex min-w-0 items-center overflow-hidden p-0 px-2",
            column.kind === "price" && "justify-end",
            isWrong(props, column) &&
              "rounded-xs bg-unconfirmed-soft text-ink ring-1 ring-unconfirmed ring-inset forced-colors:outline",
            active === at && "outline-2 outline-focus -outline-offset-2 rounded-xs",
            editor?.column === at && "overflow-visible",
          )}
        >
          {editor?.column === at ? editor.element : <Cell {...props} column={column} />}
        </td>
      ))}
    </tr>
  );
});

/** The element id of a cell, for `aria-activedescendant`. */
export const cellId = (id: string, column: number) => `cell-${id}-${column}`;

function isWrong({ view, schemas, problem }: RunRowProps, column: RunColumn): boolean {
  if (problem === undefined || view.state.kind !== "draft") return false;
  const keys = problemKeys(view.item, schemas);
  if (column.kind === "prompt") {
    const key = getRowPromptKey(schemas, view.item);
    return key !== undefined && keys.has(key);
  }
  return column.kind === "parameter" && keys.has(column.key);
}

function Cell(props: RunRowProps & { column: RunColumn }) {
  const { view, column, schemas, number, isSelected, acts, price, filter } = props;
  const { request, id } = view.item;
  switch (column.kind) {
    case "number":
      return (
        <span className="group/number relative flex size-full items-center justify-end text-ink-3 tabular-nums">
          <span className={clsx("group-hover/number:opacity-0 pointer-coarse:opacity-0", isSelected && "opacity-0")}>
            {number}
          </span>
          <Checkbox
            tabIndex={-1}
            aria-label={`Select run ${number}`}
            checked={isSelected}
            onChange={() => acts.toggle(id)}
            className={clsx(
              "absolute! end-0 opacity-0 group-hover/number:opacity-100 pointer-coarse:opacity-100",
              isSelected && "opacity-100",
            )}
          />
        </span>
      );
    case "status":
      return <StatusCell {...props} />;
    case "model":
      return <span className="truncate">{visibleLine(request.model, 80)}</span>;
    case "prompt":
      return <PromptCell {...props} />;
    case "parameter": {
      const field = findModelField(schemas, request.model, column.key);
      if (Object.hasOwn(request.payload, column.key)) {
        const words = visibleLine(cellText(request.payload[column.key]), 200);
        return (
          <span dir="auto" title={words} className="truncate text-ink-2 tabular-nums">
            {words}
          </span>
        );
      }
      if (field?.defaultValue === undefined) return null;
      return (
        <span title="Model default" className="truncate text-ink-3 italic tabular-nums">
          {visibleLine(cellText(field.defaultValue), 60)}
        </span>
      );
    }
    case "price":
      return (
        <span
          className={clsx(
            "tabular-nums",
            isNotCharged(view) ? "text-ink-3 line-through" : filter === "pricing" ? "text-ink-3" : "text-ink",
          )}
        >
          {price ?? "–"}
        </span>
      );
    case "result":
      return (
        <>
          <ResultCell {...props} />
          {props.active >= 0 && <RunMenu view={view} number={number} acts={acts} className="-me-1.5 ms-auto" />}
        </>
      );
  }
}

function StatusCell({ view, filter }: RunRowProps) {
  const { word, tone } = rowWord(view, filter);
  return (
    <>
      <RunThumb view={view} className="me-2.5 h-6 w-8.5 rounded-xs" />
      <RowDot tone={tone} />
      <span className={clsx("ms-1.75 truncate", tone === "outline" ? "text-ink-2" : "text-ink")}>{word}</span>
    </>
  );
}

/** The first file of a run, or an empty box of the same size. */
export function RunThumb({ view, className }: Pick<RunRowProps, "view"> & { className: string }) {
  const [file] = view.job?.media ?? [];
  return (
    <span className={clsx("shrink-0 overflow-hidden", file ? "bg-raised" : "ring-1 ring-line ring-inset", className)}>
      {file && view.state.kind === "sent" && view.state.status === "success" && (
        <Link
          to="/jobs/$requestId"
          params={{ requestId: view.state.requestId }}
          preload={false}
          tabIndex={-1}
          aria-hidden="true"
        >
          <CachedThumb item={file} alt="" isSmall />
        </Link>
      )}
    </span>
  );
}

/** The dot of a status; an outline for runs that were not submitted. */
export function RowDot({ tone }: { tone: RowTone }) {
  if (tone !== "outline") return <StatusDot tone={tone} />;
  return (
    <span
      aria-hidden="true"
      className="size-1.75 shrink-0 rounded-full border-[1.5px] border-ink-3 forced-color-adjust-none"
    />
  );
}

/** The prompt of a run on one line. What differs from the other runs of its group is bold. */
export function PromptCell({ view, schemas, ends }: Pick<RunRowProps, "view" | "schemas" | "ends">) {
  const key = getRowPromptKey(schemas, view.item);
  const value = key === undefined ? undefined : view.item.request.payload[key];
  if (value === undefined || value === "") return <span className="text-ink-3">No prompt</span>;
  const text = cellText(value);
  const { before, varies, after } = varyingText(text, ends ?? { start: text.length, end: 0 });
  const line = (part: string) => visibleLine(part, 400);
  return (
    <span dir="auto" title={visibleLine(text, 1000)} className="truncate text-ink-2">
      {line(before)}
      {before.endsWith(" ") && varies !== "" && " "}
      <b className="font-medium text-ink">{line(varies)}</b>
      {after.startsWith(" ") && " "}
      {line(after)}
    </span>
  );
}

const ACT =
  "relative ms-2.5 shrink-0 cursor-pointer border-0 bg-transparent p-0 font-medium text-ink underline decoration-line-strong underline-offset-[3px] after:absolute after:-inset-x-1 after:-inset-y-2";

/** The outcome of a run, or the problem of a draft, with the act that helps: Open, Retry or Fix. */
export function ResultCell({ view, problem, acts, number }: Pick<RunRowProps, "view" | "problem" | "acts" | "number">) {
  const { item, state, job } = view;
  const open = (requestId: string) => (
    <Link
      to="/jobs/$requestId"
      params={{ requestId }}
      preload={false}
      tabIndex={-1}
      aria-label={`Open job of run ${number}`}
      className={ACT}
    >
      Open
    </Link>
  );
  const act = (word: string, run: () => void, more = "") => (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${word}, run ${number}${more}`}
      title={more === "" ? undefined : `${word}${more}`}
      className={ACT}
      onClick={run}
    >
      {word}
    </button>
  );
  const retry = () => {
    if (!canRetry(state)) return null;
    const price = formatMicroUsd(item.priceMicroUsd ?? 0);
    const doubt = attemptsMoney(view).possible > 0 ? `. ${RUN_AGAIN_TWICE}` : "";
    return act(`${sheetCommands.runAgain.label} · ${price}`, () => acts.retry(item.id), doubt);
  };
  if (state.kind === "draft") {
    if (problem === undefined) return item.source ? <Words>From result</Words> : null;
    return (
      <>
        <Words title={problem}>{problem}</Words>
        {act("Fix", () => acts.fix(item.id))}
      </>
    );
  }
  const tries = (item.earlierIntentIds?.length ?? 0) + 1;
  const charge = itemCharge(view);
  switch (state.kind) {
    case "waiting":
      return <Words>{[tries > 1 && `Attempt ${tries}`, charge].filter(Boolean).join(" · ")}</Words>;
    case "sending":
      return <Words>Waiting for a response</Words>;
    case "unconfirmed":
      return <Words title={joinTexts(charge, CHECKING)}>{charge ?? CHECKING}</Words>;
    case "input-deleted":
      return <Words>{charge ?? "Not submitted"}</Words>;
    case "absent":
    case "refused": {
      const message = state.kind === "refused" ? state.refusal.message : undefined;
      // A possible charge comes first, because the end of the line may be cut.
      const words = [attemptsMoney(view).possible > 0 && charge, message, charge].filter((text) => text);
      return (
        <>
          <Words title={joinTexts(charge, message)}>{[...new Set(words)].join(" · ")}</Words>
          {retry()}
        </>
      );
    }
    case "sent": {
      if (state.isRunning) {
        return <Elapsed sinceMs={job?.submittedAtMs} />;
      }
      const took =
        job?.finishedAtMs === undefined ? undefined : formatElapsed(Math.max(0, job.finishedAtMs - job.submittedAtMs));
      const isFailed = state.status !== "success";
      const words = isFailed ? (charge ?? "No result") : (took ?? "");
      return (
        <>
          <Words title={isFailed ? joinTexts(charge, job?.failureReason) : undefined}>{words}</Words>
          {isFailed ? retry() : open(state.requestId)}
        </>
      );
    }
  }
}

/** Different texts, one per line, for the tooltip of a cell that may be cut. */
const joinTexts = (...texts: (string | undefined)[]) => [...new Set(texts)].filter(Boolean).join("\n");

function Words({ title, children }: { title?: string | undefined; children: string }) {
  const words = visibleLine(children, 300);
  return (
    <span
      dir="auto"
      title={title === undefined ? undefined : visibleLine(title, 500)}
      className="min-w-0 flex-1 truncate text-ink-3 tabular-nums"
    >
      {words}
    </span>
  );
}

/** The elapsed time. A component of its own, so that only this renders every second. */
function Elapsed({ sinceMs }: { sinceMs: number | undefined }) {
  const now = useNow();
  return <Words>{sinceMs === undefined ? "" : formatClock(Math.max(0, now - sinceMs))}</Words>;
}

/** In place of a column: the form of the run. */
const WHOLE_RUN = -1;

/** The menu of one run, for people who do not use the shortcuts of the table. */
export function RunMenu({
  view: { item, state },
  number,
  acts,
  className = "",
}: {
  view: ItemView;
  number: number;
  acts: RowActs;
  className?: string;
}) {
  const { id } = item;
  const isDraft = state.kind === "draft";
  const navigate = useNavigate();
  const openJob = (requestId: string) => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  return (
    <Menu
      label={`Actions for run ${number}`}
      icon={Ellipsis}
      size="sm"
      align="end"
      className={className}
      items={[
        ...(isDraft ? [{ label: "Edit run", icon: Pencil, onSelect: () => acts.edit(id, WHOLE_RUN) }] : []),
        ...(state.kind === "sent"
          ? [{ label: "Open job", icon: SquareArrowOutUpRight, onSelect: () => openJob(state.requestId) }]
          : []),
        { label: "Duplicate", icon: Copy, onSelect: () => acts.duplicate(id) },
        { label: "Move up", icon: ArrowUp, onSelect: () => acts.move(id, -1) },
        { label: "Move down", icon: ArrowDown, onSelect: () => acts.move(id, 1) },
        ...(isDraft ? [{ label: "Remove", icon: Trash2, onSelect: () => acts.remove(id) }] : []),
      ]}
    />
  );
}

/** The sum of a group: "6 runs, $0.261 charged", or what its drafts would cost. */
export function GroupSum({ views }: { views: readonly ItemView[] }) {
  const { prices, problems } = useBatchDocument();
  const sums = useMemo(() => batchSums(views), [views]);
  const count = counted(views.length, "run");
  if (sums.drafts < views.length) {
    const drafts = sums.drafts > 0 ? `, ${counted(sums.drafts, "draft")}` : "";
    return <span className="tabular-nums">{chargedWords({ items: views, sums }) + drafts}</span>;
  }
  let total = 0;
  let known = 0;
  for (const { item } of views) {
    const price = problems.has(item.id) ? undefined : prices.of(item.request);
    if (price?.state !== "priced") continue;
    total += price.priceMicroUsd;
    known += 1;
  }
  const amount = known === 0 ? "price pending" : formatMicroUsd(total);
  const part = known > 0 && known < views.length ? ` for ${formatNumber(known)}` : "";
  return <span className="tabular-nums">{`${count}, ${amount}${part}`}</span>;
}

/** A prompt in three parts: `varies` differs from the other prompts of its group. */
interface VaryingText {
  before: string;
  varies: string;
  after: string;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * How many characters all texts share at the beginning (`start`) and at the end (`end`), in whole words. The rest varies. With a
 * single text nothing varies.
 */
export function commonEnds(texts: readonly string[]): { start: number; end: number } {
  const [first = "", ...others] = new Set(texts);
  if (others.length === 0) return { start: first.length, end: 0 };
  let start = Math.min(...[first, ...others].map(({ length }) => length));
  let end = start;
  for (const text of others) {
    let at = 0;
    while (at < start && text[at] === first[at]) at += 1;
    start = at;
    let fromEnd = 0;
    while (fromEnd < end && text[text.length - 1 - fromEnd] === first[first.length - 1 - fromEnd]) fromEnd += 1;
    end = fromEnd;
  }
  // Goes back to the edges of words.
  while (start > 0 && LETTER.test(first[start - 1] ?? "")) start -= 1;
  while (end > 0 && LETTER.test(first[first.length - end] ?? "")) end -= 1;
  const shortest = Math.min(...[first, ...others].map(({ length }) => length));
  return { start, end: Math.min(end, shortest - start) };
}

/** Splits a text by `commonEnds`. */
function varyingText(text: string, { start, end }: { start: number; end: number }): VaryingText {
  const stop = Math.max(start, text.length - end);
  return { before: text.slice(0, start), varies: text.slice(start, stop), after: text.slice(stop) };
}

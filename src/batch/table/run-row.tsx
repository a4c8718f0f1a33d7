import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { memo } from "react";
import { cellText } from "#batch/rows/cell-value.ts";
import { problemKeys } from "#batch/rows/row-problems.ts";
import { isNotCharged } from "#batch/runner/item-states.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { ResultCell } from "./result-cell.tsx";
import type { RunRowProps } from "./row-props.ts";
import { RunMenu } from "./run-menu.tsx";
import { columnName, fieldOf, promptKeyOf, type TableColumn } from "./table-columns.ts";
import { ROW_HEIGHT, type RowTone, rowWord } from "./table-lines.ts";
import { varyingText } from "./varying-text.ts";

/** One run: a row of 34 px. It renders only when something of it changes. */
export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { view, columns, template, top, rowIndex, isSelected, editor, active, acts, number } = props;
  const { id } = view.item;
  return (
    <tr
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      data-run={number}
      className={clsx(
        "absolute inset-x-0 top-0 grid border-line border-b contain-layout",
        (isSelected || active >= 0) && "bg-raised/60",
        editor && "z-10",
      )}
      style={{ gridTemplateColumns: template, height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
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
              "rounded-[4px] bg-unconfirmed-soft text-ink ring-1 ring-unconfirmed ring-inset forced-colors:outline",
            active === at && "outline-2 outline-focus -outline-offset-2 rounded-[4px]",
            editor?.column === at && "overflow-visible",
          )}
        >
          {editor?.column === at ? editor.element : <Cell {...props} column={column} />}
        </td>
      ))}
    </tr>
  );
});

/** The id of a cell's element: the grid names its active cell by it. */
export const cellId = (id: string, column: number) => `cell-${id}-${column}`;

function isWrong({ view, schemas, problem }: RunRowProps, column: TableColumn): boolean {
  if (problem === undefined || view.state.kind !== "draft") return false;
  const keys = problemKeys(view.item, schemas);
  if (column.kind === "prompt") {
    const key = promptKeyOf(schemas, view.item);
    return key !== undefined && keys.has(key);
  }
  return column.kind === "parameter" && keys.has(column.key);
}

function Cell(props: RunRowProps & { column: TableColumn }) {
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
      const field = fieldOf(schemas, request.model, column.key);
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
        <span title="Default of the model" className="truncate text-ink-3 italic tabular-nums">
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

function StatusCell({ view, filter, job }: RunRowProps) {
  const { word, tone } = rowWord(view, filter);
  return (
    <>
      <RunThumb view={view} job={job} className="me-2.5 h-6 w-[34px] rounded-[4px]" />
      <RowDot tone={tone} />
      <span className={clsx("ms-[7px] truncate", tone === "outline" ? "text-ink-2" : "text-ink")}>{word}</span>
    </>
  );
}

/** The first file of a run, or the room for it. */
export function RunThumb({ view, job, className }: Pick<RunRowProps, "view" | "job"> & { className: string }) {
  const [file] = job?.media ?? [];
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

/** The dot of a status; an outline for what was not submitted. */
export function RowDot({ tone }: { tone: RowTone }) {
  if (tone !== "outline") return <StatusDot tone={tone} />;
  return (
    <span
      aria-hidden="true"
      className="size-[7px] shrink-0 rounded-full border-[1.5px] border-ink-3 forced-color-adjust-none"
    />
  );
}

/** The prompt of a run, on one line; what differs from the other runs of its group in bold. */
export function PromptCell({ view, schemas, ends }: Pick<RunRowProps, "view" | "schemas" | "ends">) {
  const key = promptKeyOf(schemas, view.item);
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

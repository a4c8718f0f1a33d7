import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import { batchSums, type ItemView } from "#batch/runner/batch-views.ts";
import { chargedWords } from "#batch/runner/batch-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Price } from "#runs/prices/estimate-queries.ts";
import { getGridKey, movedTo } from "#ui/grid-cursor.ts";
import { useBatchDocument } from "../batch-document.ts";
import { cellId, commonEnds, RowDot, RunRow } from "./run-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { columnName, getRowPromptKey, tableColumns } from "./table-columns.ts";
import {
  cursorAfterTableKey,
  GROUP_HEIGHT,
  ROW_FILTERS,
  ROW_HEIGHT,
  type RowFilter,
  type TableLine,
  type TableLines,
  tableLines,
  tablePositions,
  useTableCursor,
} from "./table-lines.ts";
import { useRowActs } from "./use-row-acts.tsx";

const HEAD_HEIGHT = 31;

/** The runs of the batch as a table that is edited in place. Only the lines in sight are there. */
export function RunTable({ show }: { show: RowFilter | undefined }) {
  const document = useBatchDocument();
  const { batch, items, problems, unchecked, prices, schemas } = document;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { lines, counts } = useMemo(
    () => tableLines({ batch, items, problems, unchecked, prices }, show, folded),
    [batch, items, problems, unchecked, prices, show, folded],
  );
  const columns = useSame(useMemo(() => tableColumns(batch.items, schemas), [batch.items, schemas]));
  const template = columns.map(({ width }) => width).join(" ");
  const ends = useMemo(() => promptEnds(lines, schemas), [lines, schemas]);
  const positions = useMemo(() => tablePositions(lines), [lines]);
  const [cursor, setCursor] = useTableCursor(lines, positions);
  const grid = useRef<HTMLTableElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { acts, keys, editor, dialog } = useRowActs({ lines, positions, columns, cursor, setCursor, grid });

  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === "group" ? GROUP_HEIGHT : ROW_HEIGHT),
    getItemKey: (at) => lines[at]?.key ?? at,
    overscan: 3,
    scrollPaddingStart: HEAD_HEIGHT,
    paddingStart: 0,
  });
  // Groups and runs differ in height: where they stand changes with the lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew for the lines alone
  useEffect(() => virtualizer.measure(), [lines]);

  const toggleGroup = (id: string) =>
    setFolded((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const line = lines.find(({ key }) => key === cursor.active);
    if (line?.kind === "group" && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return toggleGroup(line.group.id);
    }
    if (keys(event)) return event.preventDefault();
    if (event.altKey) return;
    const page = (scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT - ROW_HEIGHT;
    const next = cursorAfterTableKey(getGridKey(event, page), cursor, positions, columns.length);
    if (!next) return;
    event.preventDefault();
    setCursor(next);
    const at = lines.findIndex(({ key }) => key === next.active);
    // To ask where it may scroll to costs a layout: not while the line is in sight.
    const { range } = virtualizer;
    if (at >= 0 && (!range || at <= range.startIndex || at >= range.endIndex - 1)) virtualizer.scrollToIndex(at);
    requestAnimationFrame(() => {
      if (next.active === undefined) return;
      const cell = globalThis.document.getElementById(cellId(next.active, next.column));
      cell?.scrollIntoView({ inline: "nearest", block: "nearest" });
    });
  }

  const shown = virtualizer.getVirtualItems();
  // A heading is one cell.
  const isOnRun = cursor.active !== undefined && positions.isSelectable(cursor.active);
  const activeIsThere = shown.some(({ index }) => lines[index]?.key === cursor.active);
  return (
    <>
      <StatusLine counts={counts} show={show} />
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain border-line border-t contain-content"
      >
        <GridTable
          ref={grid}
          role="grid"
          aria-label="Runs"
          aria-rowcount={lines.length + 1}
          aria-colcount={columns.length}
          aria-multiselectable="true"
          aria-activedescendant={
            cursor.active !== undefined && activeIsThere
              ? cellId(cursor.active, isOnRun ? cursor.column : 0)
              : undefined
          }
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const first = lines.find(({ kind }) => kind === "run");
            if (event.target === event.currentTarget && cursor.active === undefined && first)
              setCursor({ ...movedTo(cursor, first.key), column: columns.findIndex(({ kind }) => kind === "prompt") });
          }}
          className="block min-w-max outline-none md:min-w-full"
        >
          <thead className="sticky top-0 z-20 block bg-canvas">
            <tr
              aria-rowindex={1}
              className="grid border-line border-b"
              style={{ gridTemplateColumns: template, height: HEAD_HEIGHT }}
            >
              {columns.map((column) => (
                <th
                  key={columnName(column)}
                  scope="col"
                  className={clsx(
                    "flex min-w-0 items-center px-2 py-0 font-medium text-[12px] text-ink-3",
                    (column.kind === "price" || column.kind === "number") && "justify-end",
                  )}
                >
                  <span className="truncate">{column.label}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="relative block" style={{ height: virtualizer.getTotalSize() }}>
            {shown.map(({ index, start, key }) => {
              const line = lines[index];
              if (!line) return null;
              if (line.kind === "group") {
                return (
                  <GroupLine
                    key={key}
                    line={line}
                    top={start}
                    rowIndex={index + 2}
                    columns={columns.length}
                    isActive={cursor.active === line.key}
                    onToggle={() => toggleGroup(line.group.id)}
                  />
                );
              }
              const { item, state } = line.view;
              const price = prices.of(item.request);
              return (
                <RunRow
                  key={key}
                  view={line.view}
                  filter={line.filter}
                  number={line.number}
                  index={index}
                  rowIndex={index + 2}
                  top={start}
                  columns={columns}
                  template={template}
                  schemas={schemas}
                  price={priceText(line.view, price)}
                  problem={state.kind === "draft" ? getRowProblem(problems.get(item.id), price) : undefined}
                  ends={ends.get(item.groupId)}
                  active={cursor.active === item.id ? cursor.column : -1}
                  isSelected={cursor.selected.has(item.id)}
                  acts={acts}
                  editor={editor?.id === item.id ? editor : undefined}
                />
              );
            })}
          </tbody>
        </GridTable>
        {lines.length === 0 && <p className="m-0 p-6 text-center text-ink-3">No runs with this status.</p>}
      </div>
      <SelectionBar cursor={cursor} setCursor={setCursor} />
      {dialog}
    </>
  );
}

/** One stop of the Tab key: its arrows move the active cell. */
function GridTable(props: ComponentProps<"table">) {
  return <table {...props} />;
}

function GroupLine({
  line: { group, views, isOpen, key },
  top,
  rowIndex,
  columns,
  isActive,
  onToggle,
}: {
  line: Extract<TableLine, { kind: "group" }>;
  top: number;
  rowIndex: number;
  columns: number;
  isActive: boolean;
  onToggle: () => void;
}) {
  return (
    <tr
      aria-rowindex={rowIndex}
      className="absolute inset-x-0 top-0 block border-line border-b bg-panel contain-content"
      style={{ height: GROUP_HEIGHT, transform: `translateY(${top}px)` }}
    >
      <td
        id={cellId(key, 0)}
        colSpan={columns}
        aria-colindex={1}
        className={clsx("block h-full p-0", isActive && "outline-2 outline-focus -outline-offset-2")}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="sticky start-0 flex h-full max-w-full cursor-pointer items-center gap-1.5 border-0 bg-transparent px-[18px] text-[12.5px] text-ink-3"
        >
          <ChevronDown aria-hidden="true" className={clsx("size-3.5 transition-transform", !isOpen && "-rotate-90")} />
          <b dir="auto" className="max-w-[40vw] truncate font-medium text-ink">
            {visibleLine(group.name, 80)}
          </b>
          <span aria-hidden="true">·</span>
          <GroupSum views={views} />
        </button>
      </td>
    </tr>
  );
}

/** "6 runs, $0.261 charged", or what its drafts would cost. */
export function GroupSum({ views }: { views: readonly ItemView[] }) {
  const { prices, problems } = useBatchDocument();
  const sums = useMemo(() => batchSums(views), [views]);
  const count = views.length === 1 ? "1 run" : `${views.length.toLocaleString("en-US")} runs`;
  if (sums.drafts < views.length) {
    const drafts = sums.drafts > 0 ? `, ${sums.drafts} not run` : "";
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
  const amount = known === 0 ? "not included yet" : formatMicroUsd(total);
  const part = known > 0 && known < views.length ? ` for ${known}` : "";
  return <span className="tabular-nums">{`${count}, ${amount}${part}`}</span>;
}

export function priceText({ item, state }: ItemView, price: Price): string | undefined {
  if (item.priceMicroUsd !== undefined) return formatMicroUsd(item.priceMicroUsd);
  return state.kind === "draft" && price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : undefined;
}

export function getRowProblem(found: readonly string[] | undefined, price: Price): string | undefined {
  if (found) return found[0];
  if (price.state !== "failed") return undefined;
  const { body } = explainError(price.error, "estimate");
  return `No price. ${body}`;
}

/** What the prompts of each group have in common. */
export function promptEnds(lines: readonly TableLine[], schemas: Parameters<typeof getRowPromptKey>[0]) {
  return new Map(
    lines.flatMap((line) => {
      if (line.kind !== "group") return [];
      const texts = line.views.map(({ item }) => cellText(item.request.payload[getRowPromptKey(schemas, item) ?? ""]));
      return [[line.group.id, commonEnds(texts)] as const];
    }),
  );
}

/** The same columns as long as they say the same: every row is given them. */
function useSame<T>(value: T): T {
  const stable = useRef(value);
  if (JSON.stringify(stable.current) !== JSON.stringify(value)) stable.current = value;
  return stable.current;
}

/** Which runs are shown, by status, with their counts. It is part of the address. */
export function StatusLine({ counts, show }: { counts: TableLines["counts"]; show: RowFilter | undefined }) {
  const { batch } = useBatchDocument();
  // While runs are under way none of these comes and goes: the others would move to and fro with each run.
  const isUnderWay = counts.waiting + counts.running > 0;
  const stands = (name: RowFilter) => isUnderWay && (name === "waiting" || name === "running" || name === "done");
  const shown = ROW_FILTERS.filter(({ name }) => counts[name] > 0 || name === show || stands(name));
  const entries = [
    { name: undefined, label: "All", tone: undefined, count: counts.all },
    ...shown.map((one) => ({ ...one, count: counts[one.name] })),
  ];
  return (
    <nav aria-label="Runs by status" className="flex min-h-10 items-center overflow-x-auto px-3 [scrollbar-width:none]">
      <ul className="m-0 flex list-none gap-1 p-0">
        {entries.map(({ name, label, tone, count }) => (
          <li key={label}>
            <Link
              to="/batch/$batchId"
              params={{ batchId: batch.id }}
              search={(old) => ({ ...old, show: name })}
              replace
              aria-current={name === show ? "true" : undefined}
              className={clsx(
                "inline-flex min-h-[26px] items-center gap-1.5 whitespace-nowrap rounded-sm px-2 text-[12.5px] pointer-coarse:min-h-11",
                name === show ? "bg-raised font-medium text-ink" : "text-ink-2 hover:bg-hover hover:text-ink",
              )}
            >
              {tone !== undefined && <RowDot tone={tone} />}
              {label} <span className="font-normal text-ink-3 tabular-nums">{count.toLocaleString("en-US")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

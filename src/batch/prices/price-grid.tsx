import "./prices.css";
import { clsx } from "clsx";
import { Ban, RefreshCw } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef } from "react";
import { explainError } from "#api/explain-error.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useNow } from "#results/waiting/use-now.ts";
import type { PriceProgress } from "#runs/prices/row-prices.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { createGridPositions, cursorAfterKey, movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { rem } from "#ui/rem.ts";
import { priceCommands } from "./commands.ts";
import { getSettingsPhrase } from "./price-axes.ts";
import {
  cellTag,
  getCellHeat,
  getRequestedAmounts,
  type PriceCell,
  type PriceTable,
  resultWord,
  unitPrice,
} from "./price-cells.ts";

/**
 * The prices of two axes as a table of buttons with arrow keys between them. It scrolls by itself. It does not use `ui/table.tsx`,
 * because its headings are values of an axis, and its cells are surfaces with gaps.
 */
export function PriceGrid({
  table,
  selected,
  onSelect,
}: {
  table: PriceTable;
  selected: PriceCell | undefined;
  onSelect: (cell: PriceCell) => void;
}) {
  const { axes, cells } = table;
  const { rows, columns } = axes;
  const tableRef = useRef<HTMLTableElement>(null);
  const hintId = useId();
  useScrollToSelected(tableRef, selected !== undefined && table.priceOf(selected).state === "priced");
  const down = rows?.values ?? [{ label: "" }];
  const across = columns?.values ?? [{ label: "Price" }];
  const hasMany = across.length > 5 || down.length > 5;
  return (
    <section
      aria-label="Price table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
      tabIndex={0}
      className="relative -m-1.5 overflow-x-auto focus-visible:outline-2 focus-visible:outline-focus"
    >
      <span id={hintId} hidden>
        Arrow keys move between prices
      </span>
      <table
        ref={tableRef}
        onKeyDown={(event) => moveFocus(event, tableRef.current)}
        style={{ minWidth: rem(across.length * 116 + 72) }}
        className="w-full table-fixed border-separate border-spacing-1.5 text-start tabular-nums"
      >
        <caption className="sr-only">
          Price of {visibleLine(table.modelId)} by{" "}
          {[rows?.field.label, columns?.field.label].filter((label) => label !== undefined).join(" and ") ||
            "its settings"}
        </caption>
        <thead>
          <tr>
            {rows && (
              <th scope="col" className="w-[4.125rem] p-0 text-start align-bottom">
                <span className="sr-only">{visibleLine(rows.field.label, 40)}</span>
              </th>
            )}
            {across.map(({ label }, at) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: the place of a column is what it is
                key={at}
                scope="col"
                className="wrap-anywhere px-1 pb-0.5 text-start align-bottom font-medium text-sm"
              >
                <span dir="auto">{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.map(({ label }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of a row is what it is
            <tr key={row}>
              {rows && (
                <th
                  scope="row"
                  dir="auto"
                  className="wrap-anywhere sticky start-0 z-1 bg-canvas text-start font-medium text-sm"
                >
                  {label}
                </th>
              )}
              {cells
                .filter((cell) => cell.row === row)
                .map((cell) => (
                  <td key={cell.column} className="h-px p-0 align-top">
                    <Cell
                      table={table}
                      cell={cell}
                      isLow={hasMany}
                      isSelected={cell === selected}
                      hintId={hintId}
                      onSelect={() => onSelect(cell)}
                    />
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Scrolls a wide table sideways until the selected price is in view, once it is rendered. The page itself does not scroll. */
function useScrollToSelected(table: RefObject<HTMLTableElement | null>, isRendered: boolean): void {
  useLayoutEffect(() => {
    const cell = isRendered ? table.current?.querySelector("[aria-pressed=true]") : undefined;
    const room = table.current?.parentElement;
    if (!cell || !room) return;
    const over = cell.getBoundingClientRect().right - room.getBoundingClientRect().right;
    if (over > 0) room.scrollLeft = over + 8;
  }, [table, isRendered]);
}

interface CellProps {
  table: PriceTable;
  cell: PriceCell;
  /** Cells are less high, because the table is large. */
  isLow: boolean;
  isSelected: boolean;
  hintId: string;
  onSelect: () => void;
}

function Cell({ table, cell, isLow, isSelected, hintId, onSelect }: CellProps) {
  const price = table.priceOf(cell);
  const { rows, columns } = table.axes;
  const phrase = getSettingsPhrase(table.axes, rows?.values[cell.row]?.value, columns?.values[cell.column]?.value);
  const size = clsx(
    "flex h-full w-full flex-col rounded-md text-start",
    isLow ? "min-h-19 px-3 py-2" : "min-h-31 px-3.5 py-3 max-sm:px-3",
  );
  if (price.state === "off") {
    return (
      <div className={clsx(size, "hatched justify-between gap-2 border border-line text-xs text-ink-2 leading-snug")}>
        <Ban aria-hidden="true" className="size-3.75 text-ink-3" />
        <span>
          Not available
          <span dir="auto" className="line-clamp-3 block" title={price.why}>
            {price.why}
          </span>
        </span>
      </div>
    );
  }
  if (price.state === "pricing") {
    return (
      <div className={clsx(size, "bg-raised")}>
        <Skeleton className="h-5 w-16" />
        <span className="sr-only">Loading price</span>
      </div>
    );
  }
  const unit = unitPrice(
    price.priceMicroUsd,
    getRequestedAmounts(table.schema, cell.request.payload),
    resultWord(table.type),
  );
  const tag = cellTag(cell, price, table.facts);
  return (
    <button
      type="button"
      data-cell={`${cell.row} ${cell.column}`}
      aria-pressed={isSelected}
      aria-describedby={hintId}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      style={{ "--heat": `${getCellHeat(price.priceMicroUsd, table.facts).toFixed(1)}%` } as CSSProperties}
      className={clsx(
        size,
        "price-heat cursor-pointer border-0 text-ink hover:outline-2 hover:outline-line-strong",
        "aria-pressed:outline-2 aria-pressed:outline-accent aria-pressed:outline-offset-2 focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-2",
      )}
    >
      <span className="sr-only">{phrase}:</span>{" "}
      <span
        className={clsx("font-semibold tracking-tighter", isLow ? "text-lg leading-normal" : "text-xl leading-tight")}
      >
        {formatMicroUsd(price.priceMicroUsd)}
      </span>{" "}
      {unit && <span className="price-quiet text-xs">{unit}</span>}{" "}
      {tag && <span className="mt-auto pt-1 font-medium text-xs">{tag}</span>}
    </button>
  );
}

/** Moves the focus to the next price in the direction of an arrow key, past combinations that are not available. */
function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const from = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
  if (!table || from === undefined || !event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  const isRightToLeft = getComputedStyle(table).direction === "rtl";
  const key = (isRightToLeft && MIRRORED[event.key]) || event.key;
  const lines = [...table.tBodies].flatMap((body) =>
    [...body.rows].map((row) => ({
      cells: [...row.querySelectorAll("td")].map(
        (cell) => cell.querySelector<HTMLElement>("[data-cell]")?.dataset.cell,
      ),
      height: 0,
    })),
  );
  const next = cursorAfterKey(
    { key, shift: false, mod: false },
    movedTo(NO_CURSOR, from),
    createGridPositions(lines, [], true),
  );
  table.querySelector<HTMLElement>(`[data-cell="${next?.active}"]`)?.focus();
}

/** Arrow keys in a page that reads from right to left. */
const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** Shares of ink, in percent, from the lowest to the highest price: see `getCellHeat`. */
const HEAT_STEPS = [4, 7.3, 10.6, 13.9, 17.1, 20.4, 23.7, 27];

/** What the backgrounds mean, which parameter does not change the price, and the progress of pricing. */
export function PriceLegend({ table }: { table: PriceTable }) {
  const { facts, cells, priceOf, progress, refresh, modelId } = table;
  const { lowest, highest, ratio, unmoved } = facts;
  const hasOff = cells.some((cell) => priceOf(cell).state === "off");
  return (
    <div className="mt-3 text-xs text-ink-3 tabular-nums">
      {/* Has room for the text that comes with the last price, so that nothing moves then. */}
      <div className="flex min-h-5 flex-wrap content-start items-center gap-x-4 gap-y-1 max-sm:min-h-10.5">
        {lowest !== undefined && highest !== undefined && ratio !== undefined && (
          <span className="flex items-center gap-2">
            {formatMicroUsd(lowest)}
            <span aria-hidden="true" className="flex overflow-hidden rounded-xs forced-color-adjust-none">
              {HEAT_STEPS.map((step) => (
                <span key={step} style={{ "--heat": `${step}%` } as CSSProperties} className="price-heat h-2 w-4" />
              ))}
            </span>
            <span className="sr-only">to</span>
            {formatMicroUsd(highest)}
          </span>
        )}
        {hasOff && (
          <span className="flex items-center gap-2">
            <span aria-hidden="true" className="hatched h-2.5 w-4 rounded-xs border border-line-strong" />
            Not available
          </span>
        )}
        {unmoved.map((label) => (
          <span key={label} className="text-ink-2">
            {visibleLine(label, 40)} doesn’t change the price of {visibleLine(modelId, 60)}.
          </span>
        ))}
      </div>
      <div className="mt-1 flex items-center justify-between gap-x-2 max-sm:min-h-11">
        <Progress progress={progress} />
        <CommandButton
          size="sm"
          variant="ghost"
          className="text-ink"
          command={{
            ...priceCommands.refresh,
            icon: RefreshCw,
            run: refresh,
          }}
        >
          Refresh
        </CommandButton>
      </div>
    </div>
  );
}

function Progress({ progress }: { progress: PriceProgress }) {
  const { priced, total, waiting, secondsLeft = 0, askedAtMs, trouble } = progress;
  const nowMs = useNow(1000, askedAtMs !== undefined);
  if (trouble) {
    return <span role="status">{explainError(trouble, "estimate").title}. Trying again in a moment.</span>;
  }
  if (waiting > 0 && priced < total) {
    const left = secondsLeft > 5 ? `, about ${durationWords(secondsLeft)} left` : "";
    return (
      <span>
        {formatNumber(priced)} of {formatNumber(total)} priced{left}
      </span>
    );
  }
  if (askedAtMs === undefined) return <span>Estimates are free.</span>;
  return (
    <span role="status">
      Estimates are free.{" "}
      <span aria-hidden="true" className="max-sm:block">
        Updated {ageWords(askedAtMs, nowMs)}.
      </span>
    </span>
  );
}

/** "12 s ago" within a minute, then in the words of `formatAge`. */
function ageWords(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1000));
  return seconds < 60 ? `${seconds} s ago` : formatAge(atMs / 1000, nowMs);
}

const durationWords = (seconds: number) => (seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

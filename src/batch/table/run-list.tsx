import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useMemo, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
import type { Price } from "#runs/prices/estimate-queries.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { useBatchDocument } from "../batch-document.ts";
import { commonEnds, RowDot } from "./run-row.tsx";
import { getRowPromptKey } from "./table-columns.ts";
import {
  ROW_FILTERS,
  type RowFilter,
  type RunLine,
  type TableLine,
  type TableLines,
  tableLines,
  tablePositions,
  useTableCursor,
} from "./table-lines.ts";

/** The lines and the cursor of the runs under a filter: what the table and the cards of phones share. */
export function useRunList(show: RowFilter | undefined) {
  const { batch, items, problems, unchecked, prices, schemas } = useBatchDocument();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { lines, counts } = useMemo(
    () => tableLines({ batch, items, problems, unchecked, prices }, show, folded),
    [batch, items, problems, unchecked, prices, show, folded],
  );
  const sharedEnds = useMemo(() => promptEnds(lines, schemas), [lines, schemas]);
  const positions = useMemo(() => tablePositions(lines), [lines]);
  const [cursor, setCursor] = useTableCursor(lines, positions);
  const toggleGroup = (id: string) =>
    setFolded((current) => {
      const next = new Set(current);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  /** The props that a row and a card share. */
  const runProps = ({ view, filter, number }: RunLine) => {
    const { item, state } = view;
    const price = prices.of(item.request);
    return {
      view,
      filter,
      number,
      schemas,
      price: priceText(view, price),
      problem: state.kind === "draft" ? getRowProblem(problems.get(item.id), price) : undefined,
      ends: sharedEnds.get(item.groupId),
      isSelected: cursor.selected.has(item.id),
    };
  };
  return { lines, counts, positions, cursor, setCursor, toggleGroup, runProps };
}

function priceText({ item, state }: ItemView, price: Price): string | undefined {
  if (item.priceMicroUsd !== undefined) return formatMicroUsd(item.priceMicroUsd);
  return state.kind === "draft" && price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : undefined;
}

function getRowProblem(found: readonly string[] | undefined, price: Price): string | undefined {
  if (found) return found[0];
  if (price.state !== "failed") return undefined;
  const { body } = explainError(price.error, "estimate");
  return `No price. ${body}`;
}

/** By group: how many characters all its prompts share at the beginning and at the end. */
function promptEnds(lines: readonly TableLine[], schemas: ModelSchemas) {
  return new Map(
    lines.flatMap((line) => {
      if (line.kind !== "group") return [];
      const texts = line.views.map(({ item }) => cellText(item.request.payload[getRowPromptKey(schemas, item) ?? ""]));
      return [[line.group.id, commonEnds(texts)] as const];
    }),
  );
}

/** Links that filter the runs by status, with counts. The filter is in the address. */
export function StatusLine({ counts, show }: { counts: TableLines["counts"]; show: RowFilter | undefined }) {
  const { batch } = useBatchDocument();
  // While runs are under way these filters always show, so that the others do not move with each run.
  const isUnderWay = counts.waiting + counts.running > 0;
  const alwaysShows = (name: RowFilter) => isUnderWay && (name === "waiting" || name === "running" || name === "done");
  const shown = ROW_FILTERS.filter(({ name }) => counts[name] > 0 || name === show || alwaysShows(name));
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
                "inline-flex min-h-6.5 items-center gap-1.5 whitespace-nowrap rounded-sm px-2 text-sm pointer-coarse:min-h-11",
                name === show ? "bg-raised font-medium text-ink" : "text-ink-2 hover:bg-hover hover:text-ink",
              )}
            >
              {tone !== undefined && <RowDot tone={tone} />}
              {label} <span className="font-normal text-ink-3 tabular-nums">{formatNumber(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

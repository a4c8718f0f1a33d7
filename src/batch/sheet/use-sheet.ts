import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { useMarks } from "#results/marks/marks.ts";
import { useBatchDocument } from "../batch-document.ts";
import { findSheetAxes, NO_AXIS, PROMPT_AXIS, SEED_AXIS, type SheetAxis } from "./sheet-axes.ts";
import { type ChosenAxes, chooseAxes, innerAxes, layoutSheet, type SheetLayout } from "./sheet-layout.ts";
import { FILTERS, passes, type SheetFilter } from "./sheet-results.ts";

/** A further axis, by one value of which the sheet may be filtered. */
export interface InnerAxis {
  axis: SheetAxis;
  /** The id of the value that is shown; undefined: all. */
  value: string | undefined;
}

export interface Sheet {
  /** Every run of the batch, by the id of its item. */
  results: ReadonlyMap<string, ItemView>;
  isStarred(result: ItemView): boolean;
  /** The runs that pass the filters, in the order of the table. */
  shown: readonly ItemView[];
  axes: readonly SheetAxis[];
  chosen: ChosenAxes;
  layout: SheetLayout;
  /** The axes with a filter. */
  inner: readonly InnerAxis[];
  /** The axes on which results of one cell differ. A line above the captions shows their values. */
  telling: readonly SheetAxis[];
  seedAxis: SheetAxis | undefined;
  filter: SheetFilter;
  counts: Readonly<Record<SheetFilter, number>>;
  setFilter(filter: SheetFilter): void;
  /** Filters by a value of an axis; undefined: shows all values. */
  setInner(axisId: string, value: string | undefined): void;
  /** Chooses the axes of columns and rows; undefined: no axis. */
  setAxes(columns: SheetAxis | undefined, rows: SheetAxis | undefined): void;
}

/** An axis with more values gets no filter. */
const MAX_VALUES = 40;
const MAX_FILTERS = 3;

const route = getRouteApi("/studio/batch/$batchId");

/** The batch of the screen as a sheet, with its axes and filters. The axes are in the address. */
export function useSheet(): Sheet {
  const { batch, items, schemas } = useBatchDocument();
  const { marks } = useMarks();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [filter, setFilter] = useState<SheetFilter>("all");
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());

  const results = useMemo(() => new Map(items.map((view) => [view.item.id, view])), [items]);
  const isStarred = useCallback(
    ({ state }: ItemView) => marks.get(sentJobId(state) ?? "")?.isStarred === true,
    [marks],
  );

  // Deferred, because finding the axes of hundreds of rows must not slow down typing into one.
  const deferredItems = useDeferredValue(batch.items);
  const axes = useMemo(() => findSheetAxes(deferredItems, schemas), [deferredItems, schemas]);
  const chosen = useMemo(
    () => chooseAxes(axes, { columns: search.columns, rows: search.rows }, deferredItems.length),
    [axes, search.columns, search.rows, deferredItems.length],
  );
  const counts = useMemo(() => {
    const all = [...results.values()];
    const count = (name: SheetFilter) => all.filter((result) => passes(name, result, isStarred)).length;
    return Object.fromEntries(FILTERS.map((name) => [name, count(name)])) as Record<SheetFilter, number>;
  }, [results, isStarred]);

  const passing = useMemo(
    () => [...results.values()].filter((result) => passes(filter, result, isStarred)),
    [results, filter, isStarred],
  );
  const passingIds = useStable(passing.map(({ item }) => item.id));
  const inner = useMemo(() => {
    const differing = innerAxes(axes, layoutSheet(passingIds, chosen), chosen);
    const isGrid = chosen.columns !== undefined || chosen.rows !== undefined;
    return differing
      .filter((axis) => isGrid && axis.values.length <= MAX_VALUES)
      .slice(0, MAX_FILTERS)
      .map((axis): InnerAxis => {
        const value = values.get(axis.id);
        return { axis, value: axis.values.some(({ id }) => id === value) ? value : undefined };
      });
  }, [axes, passingIds, chosen, values]);

  const shown = useMemo(
    () =>
      passing.filter(({ item }) =>
        inner.every(({ axis, value }) => value === undefined || axis.valueIds.get(item.id) === value),
      ),
    [passing, inner],
  );
  const ids = useStable(shown.map(({ item }) => item.id));
  const layout = useMemo(() => layoutSheet(ids, chosen), [ids, chosen]);
  const telling = useMemo(() => {
    const differing = innerAxes(axes, layout, chosen).filter(({ id }) => id !== SEED_AXIS);
    // The prompt comes first, because it says most.
    return differing.sort((a, b) => Number(b.id === PROMPT_AXIS) - Number(a.id === PROMPT_AXIS));
  }, [axes, layout, chosen]);

  return {
    results,
    isStarred,
    shown,
    axes,
    chosen,
    layout,
    inner,
    telling,
    seedAxis: axes.find(({ id }) => id === SEED_AXIS),
    filter,
    counts,
    setFilter,
    setInner: (axisId, value) => {
      const next = new Map(values);
      if (value === undefined) next.delete(axisId);
      else next.set(axisId, value);
      setValues(next);
    },
    setAxes: (columns, rows) =>
      void navigate({
        search: (current) => ({ ...current, columns: columns?.id ?? NO_AXIS, rows: rows?.id ?? NO_AXIS }),
        replace: true,
        resetScroll: false,
      }),
  };
}

/** The same array while the ids in it stay the same. */
function useStable(ids: readonly string[]): readonly string[] {
  const stable = useRef(ids);
  const isSame = stable.current.length === ids.length && ids.every((id, at) => stable.current[at] === id);
  if (!isSame) stable.current = ids;
  return stable.current;
}

import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { useMarks } from "#results/marks/marks.ts";
import { useBatchDocument } from "../batch-document.ts";
import { findSheetAxes, NO_AXIS, PROMPT_AXIS, SEED_AXIS, type SheetAxis } from "./sheet-axes.ts";
import { type ChosenAxes, chooseAxes, innerAxes, layoutSheet, type SheetLayout } from "./sheet-layout.ts";
import { FILTERS, passes, type SheetFilter } from "./sheet-results.ts";

/** A third axis, of which one value may be shown alone. */
export interface InnerAxis {
  axis: SheetAxis;
  /** The id of the value; undefined shows all. */
  value: string | undefined;
}

export interface Sheet {
  /** Every run of the batch, by the id of its item. */
  results: ReadonlyMap<string, ItemView>;
  isStarred(result: ItemView): boolean;
  /** Those that are shown, in the order of the table. */
  shown: readonly ItemView[];
  axes: readonly SheetAxis[];
  chosen: ChosenAxes;
  layout: SheetLayout;
  inner: readonly InnerAxis[];
  /** How results of one cell differ, and results of a plain grid. */
  telling: readonly SheetAxis[];
  seedAxis: SheetAxis | undefined;
  filter: SheetFilter;
  counts: Readonly<Record<SheetFilter, number>>;
  setFilter(filter: SheetFilter): void;
  setInner(axisId: string, value: string | undefined): void;
  /** Undefined: none. */
  setAxes(columns: SheetAxis | undefined, rows: SheetAxis | undefined): void;
}

/** More values than this are no filter. */
const MAX_VALUES = 40;
const MAX_FILTERS = 3;

const route = getRouteApi("/studio/batch/$batchId");

/** The batch of the screen as a sheet: what is on it, by which axes, through which filters. Axes are in the address. */
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

  // Of hundreds of rows that are typed into beside it, the axes may follow a moment later.
  const requests = useDeferredValue(batch.items);
  const axes = useMemo(() => findSheetAxes(requests, schemas), [requests, schemas]);
  const chosen = useMemo(
    () => chooseAxes(axes, { columns: search.columns, rows: search.rows }, requests.length),
    [axes, search.columns, search.rows, requests.length],
  );
  const counts = useMemo(() => {
    const all = [...results.values()];
    const count = (of: SheetFilter) => all.filter((result) => passes(of, result, isStarred)).length;
    return Object.fromEntries(FILTERS.map((of) => [of, count(of)])) as Record<SheetFilter, number>;
  }, [results, isStarred]);

  const passing = useMemo(
    () => [...results.values()].filter((result) => passes(filter, result, isStarred)),
    [results, filter, isStarred],
  );
  const whole = useStable(passing.map(({ item }) => item.id));
  const inner = useMemo(() => {
    const differing = innerAxes(axes, layoutSheet(whole, chosen), chosen);
    const isGrid = chosen.columns !== undefined || chosen.rows !== undefined;
    return differing
      .filter((axis) => isGrid && axis.values.length <= MAX_VALUES)
      .slice(0, MAX_FILTERS)
      .map((axis): InnerAxis => {
        const value = values.get(axis.id);
        return { axis, value: axis.values.some(({ id }) => id === value) ? value : undefined };
      });
  }, [axes, whole, chosen, values]);

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
    // In a plain grid the prompt says most.
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
        search: (before) => ({ ...before, columns: columns?.id ?? NO_AXIS, rows: rows?.id ?? NO_AXIS }),
        replace: true,
        resetScroll: false,
      }),
  };
}

/** The same list as long as it says the same. */
function useStable(ids: readonly string[]): readonly string[] {
  const stable = useRef(ids);
  const isSame = stable.current.length === ids.length && ids.every((id, at) => stable.current[at] === id);
  if (!isSame) stable.current = ids;
  return stable.current;
}

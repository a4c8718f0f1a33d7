import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { knownFacts } from "#media/file-facts.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { expectedResult } from "#results/waiting/expected-result.ts";
import { useUsualTimes } from "#results/waiting/usual-time.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { movedTo, NO_CURSOR, useActiveOrNeighbor, withoutRemoved } from "#ui/grid-cursor.ts";
import { Spinner } from "#ui/indicators.tsx";
import { rem } from "#ui/rem.ts";
import { useIsPhone } from "#ui/use-media-query.ts";
import { useBatchDocument } from "../batch-document.ts";
import { useRetry } from "../use-retry.ts";
import type { CellLook } from "./cell-state.tsx";
import { useExportRun } from "./export-run.ts";
import { type AxisValue, getModelSchema, MODEL_AXIS, tellingWords, titleOn } from "./sheet-axes.ts";
import { captionHeight, SheetCell } from "./sheet-cell.tsx";
import { EDGE, GAP, SheetGrid } from "./sheet-grid.tsx";
import { type SheetLine, sheetLines } from "./sheet-layout.ts";
import { type CaptionPart, filesMade, getResultPrice, getResultSeed, runName } from "./sheet-results.ts";
import { MAX_ZOOM, MIN_ZOOM, SelectionBar, SheetToolbar } from "./sheet-toolbar.tsx";
import { SheetViewer } from "./sheet-viewer.tsx";
import { useSheet } from "./use-sheet.ts";
import { useSheetActs } from "./use-sheet-acts.tsx";
import { useSheetExports } from "./use-sheet-exports.ts";

/** The captions and the size of cells. All sheets share them, until the page is closed. */
const useLook = create<{ captions: readonly CaptionPart[]; zoom: number | undefined }>(() => ({
  captions: ["seed", "price", "time"],
  zoom: undefined,
}));

/** The width of the headings of rows, in pixels. */
const HEADINGS_WIDTH = rem(122);
// Widths of cells where the person has not chosen one: in a plain grid, and at least and at most in columns.
const DEFAULT_CELL = 240;
const MAX_FITTED = 360;
const MIN_FITTED = 168;
/** Width over height of a box. Wider or taller ones would be thin lines. */
const limitAspect = (aspect: number) => Math.min(2.5, Math.max(0.5, aspect));

/** Pixels by which a key makes cells wider or narrower. */
const ZOOM_STEP = 40;

/** The results of a batch as a grid with its axes as headings. */
export function ContactSheet() {
  const document = useBatchDocument();
  const { batch, prices, schemas } = document;
  const sheet = useSheet();
  const { results, shown, chosen, layout, telling, seedAxis } = sheet;
  const isPhone = useIsPhone();
  const tracked = useTrackedJobs();
  const times = useUsualTimes();
  const { captions, zoom } = useLook();
  const [stored, setCursor] = useState(NO_CURSOR);
  const [opened, setOpened] = useState<string>();
  const [room, scroller] = useInnerWidth();
  // Removed runs leave the selection.
  const cursor = withoutRemoved(stored, (id) => results.has(id));
  const { active } = cursor;
  if (opened !== undefined && !results.has(opened)) setOpened(undefined);

  const isGrouped = isPhone;
  const columns = isGrouped ? [] : layout.columns;
  const headings = !isGrouped && layout.rows.some(({ heading }) => heading) ? HEADINGS_WIDTH : 0;
  const inside = room - 2 * EDGE - headings;
  const fitted = columns.length > 0 ? (inside + GAP) / columns.length - GAP : DEFAULT_CELL;
  const wanted = zoom ?? (columns.length > 0 ? Math.min(MAX_FITTED, Math.max(MIN_FITTED, fitted)) : fitted);
  const perLine = isGrouped ? 2 : Math.max(1, Math.floor((inside + GAP) / (wanted + GAP)));
  const cell = Math.floor(columns.length > 0 ? wanted : (inside + GAP) / perLine - GAP);
  const lines = useMemo(() => sheetLines(layout, perLine, isGrouped), [layout, perLine, isGrouped]);

  const leadAxes = useMemo(
    () => (isGrouped && chosen.columns && chosen.rows ? [chosen.columns, ...telling] : telling).slice(0, 3),
    [isGrouped, chosen, telling],
  );
  const hasLead = leadAxes.length > 0;
  const [shapes] = useState(createCellShapes);
  const below = captionHeight(captions, hasLead) + GAP;
  const aspectOf = useMemo(() => shapes(schemas, tracked), [shapes, schemas, tracked]);
  const sizes = useMemo(() => {
    const boxHeight = (id: string | undefined) => {
      const result = id === undefined ? undefined : results.get(id);
      return result ? Math.round(cell / limitAspect(aspectOf(result))) : 0;
    };
    return {
      cell,
      headings,
      boxHeight,
      lineHeight: ({ cells }: SheetLine) => cells.reduce((height, id) => Math.max(height, boxHeight(id)), 0) + below,
    };
  }, [aspectOf, results, cell, headings, below]);

  /** Today's price of a draft; undefined for a run that was agreed to. */
  const getTodaysPrice = useCallback(
    ({ item }: ItemView): MicroUsd | undefined => {
      if (item.priceMicroUsd !== undefined) return undefined;
      const price = prices.of(item.request);
      return price.state === "priced" ? price.priceMicroUsd : undefined;
    },
    [prices],
  );
  const notes = useMemo(() => modelNotes(shown, getTodaysPrice), [shown, getTodaysPrice]);
  const noteOf = (value: AxisValue, side: "columns" | "rows") => {
    const axis = isGrouped ? (chosen.rows ?? chosen.columns) : chosen[side];
    return axis?.id === MODEL_AXIS ? notes.get(value.id) : undefined;
  };

  const retry = useRetry();
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  const look = useMemo<CellLook>(
    () => ({
      captions,
      usualOf: times.of,
      onRunAgain: (id) => void latest.current(id),
      onOpen: setOpened,
    }),
    [captions, times.of],
  );

  const selected = shown.filter(({ item }) => cursor.selected.has(item.id));
  const setSize = (next: number) => useLook.setState({ zoom: Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, next)) });
  const exports = useSheetExports({ sheet, captions, aspectOf, getTodaysPrice, noteOf });
  const acts = useSheetActs({
    sheet,
    cursor,
    onCursor: setCursor,
    isViewing: opened !== undefined,
    exports,
    onZoom: (step) => setSize(cell + step * ZOOM_STEP),
  });
  const order = useMemo(() => lines.flatMap(({ cells }) => cells.flatMap((id) => id ?? [])), [lines]);
  const tabStop = useActiveOrNeighbor(active, order) ?? order[0];
  const headingOf = (id: string) =>
    [chosen.columns, chosen.rows]
      .flatMap((axis) => (axis && !leadAxes.includes(axis) ? titleOn(axis, id) : []))
      .join(", ");

  return (
    <section aria-label="Contact sheet" className="relative flex min-h-0 flex-1 flex-col short:flex-none">
      <SheetToolbar
        sheet={sheet}
        acts={acts}
        captions={captions}
        onCaptions={(next) => useLook.setState({ captions: next })}
        zoom={cell}
        onZoom={setSize}
      />
      {shown.length === 0 ? (
        <NothingShown isEmpty={batch.items.length === 0} onAll={() => sheet.setFilter("all")} />
      ) : (
        <SheetGrid
          lines={lines}
          columns={columns}
          rowsLabel={chosen.rows?.label}
          noteOf={noteOf}
          sizes={sizes}
          cursor={cursor}
          onCursor={setCursor}
          tabStop={tabStop}
          onOpen={setOpened}
          scroller={scroller}
          renderCell={(id, columnIndex) => {
            const result = results.get(id);
            if (!result) return null;
            return (
              <SheetCell
                result={result}
                isStarred={sheet.isStarred(result)}
                look={look}
                lead={hasLead ? tellingWords(leadAxes, id) : undefined}
                seed={getResultSeed(result, seedAxis)}
                heading={headingOf(id) || runName(batch.items.findIndex((item) => item.id === id))}
                priced={getTodaysPrice(result)}
                isSelected={cursor.selected.has(id)}
                isTabStop={id === tabStop}
                columnIndex={columnIndex}
                width={cell}
                height={sizes.boxHeight(id)}
              />
            );
          }}
        />
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-3 z-30 flex flex-col items-center gap-2 px-3 short:static">
        <ExportProgress />
        {selected.length > 0 && <SelectionBar selected={selected} acts={acts} />}
      </div>
      {acts.dialogs}
      {opened !== undefined && (
        <SheetViewer
          sheet={sheet}
          lines={lines}
          id={opened}
          onId={(id) => {
            setOpened(id);
            setCursor(movedTo(cursor, id));
          }}
          look={look}
          acts={acts}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

/** "$0.022 each" for each model whose runs all cost the same. */
function modelNotes(
  shown: readonly ItemView[],
  getTodaysPrice: (result: ItemView) => MicroUsd | undefined,
): ReadonlyMap<string, string> {
  const prices = new Map<string, Set<MicroUsd | undefined>>();
  for (const result of shown) {
    const { item } = result;
    const price = item.priceMicroUsd ?? getResultPrice(result, getTodaysPrice(result));
    prices.set(item.request.model, (prices.get(item.request.model) ?? new Set()).add(price));
  }
  return new Map(
    [...prices].flatMap(([model, all]) => {
      const [price] = all;
      return all.size === 1 && price !== undefined ? [[model, `${formatMicroUsd(price)} each`] as const] : [];
    }),
  );
}

function NothingShown({ isEmpty, onAll }: { isEmpty: boolean; onAll: () => void }) {
  return isEmpty ? (
    <EmptyState title="Your results will appear here" />
  ) : (
    <EmptyState title="No results of this kind" actions={<Button onClick={onAll}>Show all</Button>} />
  );
}

/** The inner width of an element in pixels, followed as it changes. */
function useInnerWidth(): [width: number, ref: (node: HTMLElement | null) => void] {
  const [width, setWidth] = useState(() => window.innerWidth);
  const observer = useRef<ResizeObserver>(undefined);
  const observed = useRef<HTMLElement>(undefined);
  const [ref] = useState(() => (node: HTMLElement | null) => {
    if (!node || node === observed.current) return;
    observed.current = node;
    observer.current?.disconnect();
    const measure = () => node.clientWidth > 0 && setWidth(node.clientWidth);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    observer.current = new ResizeObserver(measure);
    observer.current.observe(node);
  });
  useEffect(() => () => observer.current?.disconnect(), []);
  return [width, ref];
}

/** The progress of an export, with a button to cancel it. */
function ExportProgress() {
  const { run } = useExportRun();
  if (run.phase !== "running") return null;
  const { label, done, total, stop } = run;
  return (
    <div
      role="status"
      className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line-strong bg-raised py-1.5 pr-1.5 pl-3.5 text-sm tabular-nums shadow-float"
    >
      <Spinner />
      {total === 0 ? `${label}: starting…` : `${label}: ${formatNumber(done)} of ${counted(total, "result")} loaded`}
      <Button size="sm" variant="ghost" onClick={stop}>
        Cancel
      </Button>
    </div>
  );
}

/** Earlier results of a model from which the shape of the next one is guessed. */
const MAX_EARLIER = 20;

/** The newest jobs of each model whose files have known sizes. New results are expected in the same shape. */
function earlierByModel(tracked: readonly TrackedJob[]): Map<string | undefined, TrackedJob[]> {
  const byModel = new Map<string | undefined, TrackedJob[]>();
  for (const job of tracked) {
    const shown = [...(job.files ?? []), ...job.media];
    if (!shown.some(({ width, height }) => width && height)) continue;
    const known = byModel.get(job.model) ?? [];
    if (known.length < MAX_EARLIER) known.push(job);
    byModel.set(job.model, known);
  }
  return byModel;
}

type CellShapes = (result: ItemView) => number;

/**
 * Gives the width over height of each result's box. A box never changes its shape, so that nothing moves when its result comes.
 * A result that was there first has its own shape; one that came later stands in the shape that was expected of it.
 */
function createCellShapes(): (schemas: ModelSchemas, tracked: readonly TrackedJob[]) => CellShapes {
  const shapes = new Map<string, { request: object; aspect: number }>();
  return (schemas, tracked) => {
    let earlier: Map<string | undefined, TrackedJob[]> | undefined;
    return (result) => {
      const { item, job } = result;
      const [file] = filesMade(result);
      const known = shapes.get(item.id);
      if (known?.request === item.request) return known.aspect;
      const { model, payload } = item.request;
      const modelSchema = schemas.get(model);
      const type = modelSchema?.state === "ready" ? modelSchema.type : undefined;
      earlier ??= earlierByModel(tracked);
      const shown = file && { ...file, ...job?.files?.[0], ...knownFacts(file.url) };
      const schema = getModelSchema(schemas, model);
      const expected = expectedResult({ payload, schema, type, model, tracked: earlier.get(model) ?? [] });
      const aspect =
        shown?.width && shown.height
          ? mediaAspect(shown)
          : (expected.aspect ?? mediaAspect({ kind: file?.kind ?? expected.kind }, payload));
      // Before the parameters are read, the type of the result is unknown, so the shape is not remembered.
      if (modelSchema !== undefined && modelSchema.state !== "loading")
        shapes.set(item.id, { request: item.request, aspect });
      return aspect;
    };
  };
}

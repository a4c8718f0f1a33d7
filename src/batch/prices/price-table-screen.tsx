import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeftRight, ChevronDown, Copy, Image, Layers } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { newGroup, withGroup } from "#batch/rows/group-runs.ts";
import { addBatch, BatchFullError, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { packJson } from "#lib/packed-json.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { modelCommands } from "#models/commands.ts";
import { ModelTile } from "#models/model-card.tsx";
import { ModelPicker } from "#models/model-picker.tsx";
import type { Field } from "#schema-form/read/field.ts";
import { changeDraft } from "#storage/drafts.ts";
import { buttonClass } from "#ui/button.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Select, TextInput } from "#ui/field.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { toast } from "#ui/toast-store.ts";
import { BudgetPanel } from "./budget-panel.tsx";
import { priceCommands } from "./commands.ts";
import { ComparePanel } from "./compare-panel.tsx";
import { axisFields, getSettingsPhrase, NO_AXIS, type PriceAxis, settingWords } from "./price-axes.ts";
import { type PriceCell, type PriceTable, priceCsv } from "./price-cells.ts";
import { PriceGrid, PriceLegend } from "./price-grid.tsx";
import { pricePicture } from "./price-picture.ts";
import type { PriceSearch } from "./price-search.ts";
import { useComparedModels } from "./use-compared-models.ts";
import { usePriceTable } from "./use-price-table.ts";

const route = getRouteApi("/studio/prices/$modelId");

/** `/prices/$modelId`: what a model would cost, without running anything. */
export function PriceTableScreen() {
  const { modelId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const state = usePriceTable(modelId, search);
  const type = state.state === "ready" ? state.table.type : undefined;
  const change = (next: PriceSearch) => void navigate({ search: next, replace: true });
  const chooser = (
    <ModelChooser
      modelId={modelId}
      type={type}
      onSelect={(id) => void navigate({ params: { modelId: id }, search: {} })}
    />
  );
  return (
    <div className="flex min-h-full flex-col xl:h-full">
      <PageBar
        title="Price table"
        start={
          <span className="flex items-center gap-2 text-ink-3">
            <Link to="/create/$modelId" params={{ modelId }} className="hover:text-ink hover:underline">
              Create
            </Link>
            <span aria-hidden="true">/</span>
          </span>
        }
      >
        {state.state === "ready" && <TableActs table={state.table} />}
      </PageBar>
      {state.state === "ready" ? (
        <Table key={modelId} table={state.table} search={search} onChange={change} chooser={chooser} />
      ) : (
        <div className="p-6 max-sm:p-4">
          <div className="mb-4 flex">{chooser}</div>
          {state.state === "failed" ? (
            <ErrorNotice error={state.error} operation="read" onRetry={state.retry} />
          ) : (
            <Skeleton className="h-105" />
          )}
        </div>
      )}
    </div>
  );
}

function Table({
  table,
  search,
  onChange,
  chooser,
}: {
  table: PriceTable;
  search: PriceSearch;
  onChange: (search: PriceSearch) => void;
  chooser: ReactNode;
}) {
  const { cells, priceOf, schema, type, modelId } = table;
  const [selectedPlace, setSelectedPlace] = useState<{ row: number; column: number; axes: string }>();
  const axes = JSON.stringify([table.axes.rows?.field.key, table.axes.columns?.field.key]);
  const isAvailable = (cell: PriceCell) => priceOf(cell).state !== "off";
  const yours = cells.find(({ isYours }) => isYours);
  const chosen =
    selectedPlace?.axes === axes
      ? cells.find(({ row, column }) => row === selectedPlace.row && column === selectedPlace.column)
      : undefined;
  const selected = [chosen, yours, ...cells].find((cell) => cell !== undefined && isAvailable(cell));
  const comparison = useComparedModels({
    modelId,
    type,
    schema,
    payload: (selected ?? cells[0])?.request.payload ?? NOTHING,
  });
  if (schema.fields.length === 0 && cells.length <= 1 && schema.reading === "none") {
    return (
      <div className="p-6 max-sm:p-4">
        <div className="mb-4 flex">{chooser}</div>
        <EmptyState
          title="No parameters to compare"
          actions={
            <Link to="/create/$modelId" params={{ modelId }} className={buttonClass({})}>
              Open {visibleLine(modelId, 40)} in Create
            </Link>
          }
        >
          The service lists no parameters for this model, so there are no prices to compare.
        </EmptyState>
      </div>
    );
  }
  const settingsText = selected ? payloadWords(table, selected) : "";
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_minmax(--spacing(90),--spacing(109.5))]">
      <div className="min-w-0 px-6 pt-5 pb-6 max-sm:px-4 xl:min-h-0 xl:overflow-y-auto">
        <PriceToolbar table={table} search={search} onChange={onChange} chooser={chooser} />
        <PriceGrid
          table={table}
          selected={selected}
          onSelect={({ row, column }) => setSelectedPlace({ row, column, axes })}
        />
        <PriceLegend table={table} />
        <BudgetPanel table={table} yours={yours ?? selected} models={comparison.models} />
      </div>
      <aside
        aria-label="Selected settings"
        className="flex min-w-0 flex-col border-line bg-panel max-xl:border-t xl:min-h-0 xl:border-s"
      >
        <ComparePanel comparison={comparison} settings={settingsText} type={type} />
        {selected && <CellActs table={table} cell={selected} />}
      </aside>
    </div>
  );
}

const NOTHING = {};

/** The settings of a cell that may move the price: "8 s, 1080p, 16:9, no sound". */
function payloadWords({ axes, common }: PriceTable, cell: PriceCell): string {
  const { rows, columns } = axes;
  const own = [
    rows && settingWords(rows.field, rows.values[cell.row]?.value),
    columns && settingWords(columns.field, columns.values[cell.column]?.value),
  ].filter((words) => words !== undefined);
  const words = [...own, ...common].join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1) || "Your settings";
}

/** Copies and saves the table. */
function TableActs({ table }: { table: PriceTable }) {
  const isPriced = table.facts.lowest !== undefined;
  const unavailable = isPriced ? undefined : "Wait for prices to load";
  async function copyCsv() {
    const text = priceCsv(table);
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "CSV copied", tone: "success" });
    } catch {
      // Without a clipboard the CSV is saved, as octet-stream, so that no browser opens it as a page.
      saveBlob(new Blob([text], { type: "application/octet-stream" }), fileName(table, "csv"));
    }
  }
  async function savePicture() {
    try {
      saveBlob(await pricePicture(table, Date.now()), fileName(table, "png"));
    } catch (error) {
      toast({ title: "Image not downloaded", body: error instanceof Error ? error.message : "", tone: "error" });
    }
  }
  return (
    <>
      <CommandButton
        size="sm"
        command={{
          ...priceCommands.csv,
          icon: Copy,
          unavailable,
          run: () => void copyCsv(),
        }}
      >
        <span className="max-sm:sr-only">Copy CSV</span>
      </CommandButton>
      <CommandButton
        size="sm"
        command={{
          ...priceCommands.picture,
          icon: Image,
          unavailable,
          run: () => void savePicture(),
        }}
      >
        <span className="max-sm:sr-only">{priceCommands.picture.label}</span>
      </CommandButton>
    </>
  );
}

/** A file name with the letters of a model's id that file systems allow. */
function fileName({ modelId }: PriceTable, extension: string): string {
  const name = modelId.replace(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, 60) || "model";
  return `prices-${name}.${extension}`;
}

/** The button that opens the list of models. */
function ModelChooser({
  modelId,
  type,
  onSelect,
}: {
  modelId: string;
  type: string | undefined;
  onSelect: (id: string) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  useCommands([{ ...modelCommands.choose, run: () => setIsOpen(true) }]);
  return (
    <>
      <button
        type="button"
        {...useCommandProps(modelCommands.choose)}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="flex min-h-8.5 min-w-0 max-w-full cursor-pointer items-center gap-2 rounded-sm border-0 bg-raised py-1 ps-1.5 pe-2.5 font-medium text-ink hover:bg-hover max-sm:w-full pointer-coarse:min-h-11"
      >
        <ModelTile id={modelId} type={type} className="!size-6 !rounded-sm" />
        <span className="sr-only">Model:</span>
        <span dir="auto" className="truncate">
          {visibleLine(modelId)}
        </span>
        <ChevronDown aria-hidden="true" className="ms-auto size-3.5 shrink-0 text-ink-3" />
      </button>
      <ModelPicker
        open={isOpen}
        onOpenChange={setIsOpen}
        selected={[modelId]}
        startType={type}
        withTextModels
        onSelect={onSelect}
      />
    </>
  );
}

interface ToolbarProps {
  table: PriceTable;
  search: PriceSearch;
  onChange: (search: PriceSearch) => void;
  chooser: ReactNode;
}

/** Chooses the model and the two parameters, and says which settings all prices share. */
function PriceToolbar({ table, search, onChange, chooser }: ToolbarProps) {
  const { schema, axes, common } = table;
  const fields = axisFields(schema);
  const keyOf = (axis: PriceAxis | undefined) => axis?.field.key ?? NO_AXIS;
  const shown = { rows: keyOf(axes.rows), columns: keyOf(axes.columns) };
  const { rowValues, columnValues } = search;
  const swap = () =>
    onChange({ rows: shown.columns, columns: shown.rows, rowValues: columnValues, columnValues: rowValues });
  function choose(side: "rows" | "columns", key: string) {
    const other = side === "rows" ? "columns" : "rows";
    // A parameter that is the other axis swaps places with this one.
    if (key !== NO_AXIS && key === shown[other]) return swap();
    onChange({ ...shown, [side]: key, ...(side === "rows" ? { columnValues } : { rowValues }) });
  }
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
        {chooser}
        {fields.length > 0 && (
          <AxisChooser
            side="rows"
            label="Rows"
            axis={axes.rows}
            fields={fields}
            search={search}
            choose={choose}
            onChange={onChange}
          />
        )}
        {fields.length > 1 && (
          <>
            <CommandButton
              isIcon
              size="sm"
              command={{
                ...priceCommands.swap,
                icon: ArrowLeftRight,
                run: swap,
              }}
            />
            <AxisChooser
              side="columns"
              label="Columns"
              axis={axes.columns}
              fields={fields}
              search={search}
              choose={choose}
              onChange={onChange}
            />
          </>
        )}
      </div>
      {common.length > 0 && (
        <p dir="auto" className="m-0 max-w-full py-1.75 text-xs text-ink-3">
          Same for all: {commonWords(common)}
        </p>
      )}
    </div>
  );
}

/** Settings that are named in the line of common settings. */
const MAX_NAMED = 5;

/** The settings in one line; a long list is cut. */
function commonWords(words: readonly string[]): string {
  const more = words.length - MAX_NAMED;
  return more > 1 ? `${words.slice(0, MAX_NAMED).join(", ")} and ${more} more` : words.join(", ");
}

interface AxisChooserProps {
  side: "rows" | "columns";
  label: string;
  axis: PriceAxis | undefined;
  fields: readonly Field[];
  search: PriceSearch;
  choose: (side: "rows" | "columns", key: string) => void;
  onChange: (search: PriceSearch) => void;
}

function AxisChooser({ side, label, axis, fields, search, choose, onChange }: AxisChooserProps) {
  const id = useId();
  const valuesKey = side === "rows" ? "rowValues" : "columnValues";
  return (
    <fieldset className="m-0 flex min-w-0 items-center gap-1.5 border-0 p-0 max-sm:flex-1">
      <div className="flex min-h-8.5 min-w-0 flex-1 items-center gap-1 rounded-sm bg-raised ps-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0 max-sm:pt-1 pointer-coarse:min-h-11">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <Select
          id={id}
          className="min-w-0 max-sm:-ms-2.5 max-sm:w-[calc(100%+10px)] [&>select]:border-transparent [&>select]:bg-transparent [&>select]:text-ink-2"
          value={axis?.field.key ?? NO_AXIS}
          onChange={({ target }) => choose(side, target.value)}
        >
          {fields.map(({ key, label: name }) => (
            <option key={key} value={key}>
              {visibleLine(name, 40)}
            </option>
          ))}
          <option value={NO_AXIS}>None</option>
        </Select>
      </div>
      {axis?.isTyped && (
        <TypedValues
          key={axis.field.key}
          label={`${visibleLine(axis.field.label, 40)} values`}
          text={search[valuesKey] ?? axis.values.map(({ value }) => String(value)).join(", ")}
          onText={(text) => onChange({ ...search, [side]: axis.field.key, [valuesKey]: text })}
        />
      )}
    </fieldset>
  );
}

/** A field for the values of a number, such as "1, 2, 4". They count once it is left or Enter is pressed. */
function TypedValues({ label, text, onText }: { label: string; text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const submit = () => {
    if (typed.trim() !== "" && typed !== text) onText(typed.trim().slice(0, 200));
  };
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      className="w-27.5 tabular-nums"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={submit}
      onKeyDown={({ key }) => key === "Enter" && submit()}
    />
  );
}

/** The most characters of settings in the address of Create. */
const MAX_LINK_CHARACTERS = 6000;
/** Existing batches that the menu offers, the latest first. */
const MAX_BATCHES = 4;

/** What can be done with the selected combination. Nothing runs: it becomes a form or a draft of a batch. */
function CellActs({ table, cell }: { table: PriceTable; cell: PriceCell }) {
  const navigate = useNavigate();
  const { views, storage } = useBatches();
  const price = table.priceOf(cell);
  const { axes, modelId } = table;
  const phrase = getSettingsPhrase(axes, axes.rows?.values[cell.row]?.value, axes.columns?.values[cell.column]?.value);

  async function openInCreate() {
    const packed = await packJson(cell.payload, MAX_LINK_CHARACTERS);
    // Settings that are too long for the address are written into the draft of the model.
    if (packed === undefined) await changeDraft(storage.accountId, modelId, () => cell.payload);
    await navigate({ to: "/create/$modelId", params: { modelId }, search: packed === undefined ? {} : { p: packed } });
  }
  async function addTo(batchId: string | undefined) {
    const group = newGroup(`${visibleLine(modelId, 60)}, from the price table`, "runs");
    const runs = [{ request: { model: modelId, payload: cell.payload } }];
    try {
      const created = newBatch(`${visibleLine(modelId, 60)}, ${phrase}`);
      if (batchId === undefined) await addBatch(storage, withGroup(created, group, runs));
      else await editBatch(storage, batchId, (batch) => withGroup(batch, group, runs));
      await navigate({ to: "/batch/$batchId", params: { batchId: batchId ?? created.id } });
    } catch (error) {
      const body =
        error instanceof BatchFullError ? error.message : "This browser couldn’t save the batch. Nothing was changed.";
      toast({ title: "Not added to batch", body, tone: "error" });
    }
  }
  const known = views.slice(0, MAX_BATCHES).map(({ batch }) => ({ id: batch.id, name: batch.name || "Batch" }));
  const add = { ...priceCommands.addToBatch, icon: Layers };
  useCommands([{ ...add, run: () => void addTo(undefined) }]);
  return (
    <div className="sticky bottom-0 flex items-center gap-2 border-line border-t bg-panel px-5.5 py-3.5 tabular-nums max-sm:flex-wrap max-sm:px-4 max-sm:py-2.5 max-sm:[&>button]:flex-1 short:static">
      <p dir="auto" className="m-0 min-w-0 flex-1 leading-snug max-sm:basis-full">
        <b className="font-semibold">{price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : "—"}</b>{" "}
        <span className="text-ink-3">for {phrase}</span>
      </p>
      <Menu
        label="Add to batch"
        size="sm"
        align="end"
        items={[
          { label: "New batch", icon: Layers, command: add, onSelect: () => void addTo(undefined) },
          ...known.map(({ id, name }) => ({
            label: visibleLine(name, 40),
            onSelect: () => void addTo(id),
          })),
        ]}
      />
      <CommandButton
        size="sm"
        command={{
          ...priceCommands.use,
          run: () => void openInCreate(),
        }}
      />
    </div>
  );
}

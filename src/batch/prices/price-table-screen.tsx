import { getRouteApi, Link } from "@tanstack/react-router";
import { Copy, Image } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { buttonClass } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { toast } from "#ui/toast-store.ts";
import { BudgetPanel } from "./budget-panel.tsx";
import { CellActs } from "./cell-acts.tsx";
import { priceCommands } from "./commands.ts";
import { ComparePanel } from "./compare-panel.tsx";
import { settingWords } from "./price-axes.ts";
import type { PriceCell } from "./price-cells.ts";
import { priceCsv } from "./price-csv.ts";
import { PriceGrid } from "./price-grid.tsx";
import { PriceLegend } from "./price-legend.tsx";
import { pricePicture } from "./price-picture.ts";
import type { PriceSearch } from "./price-search.ts";
import { ModelChooser, PriceToolbar } from "./price-toolbar.tsx";
import { useComparedModels } from "./use-compared-models.ts";
import { type PriceTable, usePriceTable } from "./use-price-table.ts";

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
            <Skeleton className="h-[420px]" />
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
  const [place, setPlace] = useState<{ row: number; column: number; axes: string }>();
  const axes = JSON.stringify([table.axes.rows?.field.key, table.axes.columns?.field.key]);
  const isFree = (cell: PriceCell) => priceOf(cell).state !== "off";
  const yours = cells.find(({ isYours }) => isYours);
  const chosen =
    place?.axes === axes ? cells.find(({ row, column }) => row === place.row && column === place.column) : undefined;
  const selected = [chosen, yours, ...cells].find((cell) => cell !== undefined && isFree(cell));
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
          The service lists no parameters for this model, so its prices cannot be laid out.
        </EmptyState>
      </div>
    );
  }
  const inWords = selected ? payloadWords(table, selected) : "";
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_minmax(360px,438px)]">
      <div className="min-w-0 px-6 pt-5 pb-6 max-sm:px-4 xl:min-h-0 xl:overflow-y-auto">
        <PriceToolbar table={table} search={search} onChange={onChange} chooser={chooser} />
        <PriceGrid table={table} selected={selected} onSelect={({ row, column }) => setPlace({ row, column, axes })} />
        <PriceLegend table={table} />
        <BudgetPanel table={table} yours={yours ?? selected} models={comparison.models} />
      </div>
      <aside
        aria-label="Selected settings"
        className="flex min-w-0 flex-col border-line bg-panel max-xl:border-t xl:min-h-0 xl:border-s"
      >
        <ComparePanel comparison={comparison} settings={inWords} type={type} />
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
  const unavailable = isPriced ? undefined : "There is no price yet";
  async function copyCsv() {
    const text = priceCsv(table);
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "CSV copied", tone: "success" });
    } catch {
      // No clipboard on this page: as octet-stream, so that no browser opens it as a page.
      saveBlob(new Blob([text], { type: "application/octet-stream" }), fileName(table, "csv"));
    }
  }
  async function savePicture() {
    try {
      saveBlob(await pricePicture(table, Date.now()), fileName(table, "png"));
    } catch (error) {
      toast({ title: "Picture not saved", body: error instanceof Error ? error.message : "", tone: "error" });
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

/** What file systems take of a model's id. */
function fileName({ modelId }: PriceTable, extension: string): string {
  const name = modelId.replace(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, 60) || "model";
  return `prices-${name}.${extension}`;
}

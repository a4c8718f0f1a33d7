import { useNavigate } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { newGroup, withGroup } from "#batch/rows/group-runs.ts";
import { addBatch, BatchFullError, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { packJson } from "#lib/packed-json.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { changeDraft } from "#storage/drafts.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { priceCommands } from "./commands.ts";
import { phraseOf } from "./price-axes.ts";
import type { PriceCell } from "./price-cells.ts";
import type { PriceTable } from "./use-price-table.ts";

/** The most that the address of Create carries. */
const LONGEST_LINK = 6000;
const MAX_BATCHES = 4;

/** What can be done with the selected combination. Nothing runs: it becomes a form or a draft of a batch. */
export function CellActs({ table, cell }: { table: PriceTable; cell: PriceCell }) {
  const navigate = useNavigate();
  const { views, where } = useBatches();
  const price = table.priceOf(cell);
  const { axes, modelId } = table;
  const phrase = phraseOf(axes, axes.rows?.values[cell.row]?.value, axes.columns?.values[cell.column]?.value);

  async function openInCreate() {
    const p = await packJson(cell.payload, LONGEST_LINK);
    // What is too long for an address becomes the draft itself.
    if (p === undefined) await changeDraft(where.accountId, modelId, () => cell.payload);
    await navigate({ to: "/create/$modelId", params: { modelId }, search: p === undefined ? {} : { p } });
  }
  async function addTo(batchId: string | undefined) {
    const group = newGroup(`${visibleLine(modelId, 60)}, from the price table`, "runs");
    const runs = [{ request: { model: modelId, payload: cell.payload } }];
    try {
      const fresh = newBatch(`${visibleLine(modelId, 60)}, ${phrase}`);
      if (batchId === undefined) await addBatch(where, withGroup(fresh, group, runs));
      else await editBatch(where, batchId, (batch) => withGroup(batch, group, runs));
      await navigate({ to: "/batch/$batchId", params: { batchId: batchId ?? fresh.id } });
    } catch (error) {
      const body =
        error instanceof BatchFullError ? error.message : "The batch could not be stored. Nothing was changed.";
      toast({ title: "Not added to a batch", body, tone: "error" });
    }
  }
  const known = views.slice(0, MAX_BATCHES).map(({ batch }) => ({ id: batch.id, name: batch.name || "Batch" }));
  const add = { ...priceCommands.addToBatch, icon: Layers };
  useCommands([{ ...add, run: () => void addTo(undefined) }]);
  return (
    <div className="sticky bottom-0 flex items-center gap-2 border-line border-t bg-panel px-[22px] py-3.5 tabular-nums max-sm:flex-wrap max-sm:px-4 max-sm:py-2.5 max-sm:[&>button]:flex-1 short:static">
      <p dir="auto" className="m-0 min-w-0 flex-1 leading-[1.35] max-sm:basis-full">
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

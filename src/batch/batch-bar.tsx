import { Link, useNavigate } from "@tanstack/react-router";
import { BookmarkPlus, Copy, Download, Ellipsis, Pencil, TableProperties, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { writeCsv } from "#batch/rows/csv-runs.ts";
import { sentJobId } from "#batch/runner/batch-views.ts";
import { batchTitle } from "#batch/runner/batch-words.ts";
import { redactOwnKey } from "#connection/find-key.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { runWords } from "#runs/status-words.ts";
import { buttonClass, IconButton } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { Menu } from "#ui/menu.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useBatchDocument } from "./batch-document.ts";
import { DeleteBatchDialog, useCopyBatch } from "./batch-list.tsx";
import { batchCommands } from "./commands.ts";
import { SaveTemplateDialog } from "./sources/recipes-dialog.tsx";

const VIEWS = [
  { value: "table", label: "Table" },
  { value: "sheet", label: "Sheet" },
] as const;

/** The line at the top: the name of the batch, its two views, and what can be done with it as a whole. */
export function BatchBar({ view }: { view: "table" | "sheet" }) {
  const { batch, items, isSaving = false } = useBatchDocument();
  const navigate = useNavigate();
  const [isNamingTemplate, setIsNamingTemplate] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const isSavingLong = useIsLasting(isSaving);
  const copy = useCopyBatch();
  const exportCsv = useExportCsv();
  const models = [...new Set(batch.items.map(({ request }) => request.model))];
  const menu = [
    { ...batchCommands.copy, icon: Copy, run: () => copy(batch) },
    { ...batchCommands.saveTemplate, icon: BookmarkPlus, run: () => setIsNamingTemplate(true) },
    { ...batchCommands.delete, icon: Trash2, run: () => setIsDeleting(true) },
  ];
  const show = (next: "table" | "sheet") =>
    void navigate({
      to: "/batch/$batchId",
      params: { batchId: batch.id },
      search: (old) => ({ ...old, view: next === "sheet" ? next : undefined }),
    });
  useCommands([
    ...menu,
    {
      ...batchCommands.prices,
      icon: TableProperties,
      unavailable: models[0] === undefined ? "Add runs first" : undefined,
      run: () => {
        if (models[0] !== undefined) void navigate({ to: "/prices/$modelId", params: { modelId: models[0] } });
      },
    },
    { ...batchCommands.table, run: () => show("table") },
    { ...batchCommands.sheet, run: () => show("sheet") },
  ]);
  return (
    <header className="flex min-h-13 flex-wrap items-center gap-2.5 border-line border-b px-4.5 py-2 max-sm:px-4">
      <BatchName />
      <span className="me-auto text-xs text-ink-3 max-md:hidden">
        {isSavingLong ? "Saving…" : items.some(({ state }) => state.kind !== "draft") ? "Saved" : "Saved as draft"}
      </span>
      <Segmented label="View" options={VIEWS} value={view} onChange={show} className="w-34" />
      {models[0] !== undefined && (
        <Link
          to="/prices/$modelId"
          params={{ modelId: models[0] }}
          data-command={batchCommands.prices.id}
          className={buttonClass({ size: "sm", className: "max-sm:hidden" })}
        >
          <TableProperties aria-hidden="true" className="size-3.5" />
          Price table
        </Link>
      )}
      <CommandButton
        size="sm"
        className="max-sm:hidden"
        command={{
          ...batchCommands.export,
          icon: Download,
          unavailable: items.length === 0 ? "Add runs first" : undefined,
          run: exportCsv,
        }}
      />
      <Menu
        label="More"
        icon={Ellipsis}
        align="end"
        items={menu.map(({ label, icon, run }) => ({ label, icon, onSelect: run }))}
      />
      {isNamingTemplate && <SaveTemplateDialog batch={batch} onClose={() => setIsNamingTemplate(false)} />}
      <DeleteBatchDialog
        batch={isDeleting ? batch : undefined}
        onClose={() => setIsDeleting(false)}
        onDeleted={() => void navigate({ to: "/batch" })}
      />
    </header>
  );
}

/** Whether something has been true for half a second, so that what ends at once is never shown. */
function useIsLasting(isTrue: boolean): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    if (!isTrue) return setIsLasting(false);
    const timer = setTimeout(() => setIsLasting(true), 500);
    return () => clearTimeout(timer);
  }, [isTrue]);
  return isLasting;
}

/** Saves the runs of the batch as a CSV file, with what came of them. */
function useExportCsv(): () => void {
  const { batch, items, schemas } = useBatchDocument();
  return () => {
    const rows = items.map(({ item, state, job }) => {
      return {
        request: item.request,
        priceMicroUsd: item.priceMicroUsd,
        status: runWords(state).word,
        requestId: sentJobId(state),
        results: job?.media.map(({ url }) => url),
      };
    });
    const name = `${visibleLine(batchTitle(batch), 60).replace(/[^\p{L}\p{N} _-]/gu, "") || "batch"}.csv`;
    saveBlob(new Blob([writeCsv(rows, schemas)], { type: "text/csv" }), name);
  };
}

/** The name of the batch, and a field in its place while it is changed. */
function BatchName() {
  const { batch, edit } = useBatchDocument();
  const [typed, setTyped] = useState<string>();
  const title = visibleLine(batchTitle(batch), 80);
  const rename = () => setTyped(batch.name);
  useCommands([{ ...batchCommands.rename, icon: Pencil, run: rename }]);
  if (typed === undefined) {
    return (
      <div className="flex min-w-0 items-center gap-1 max-md:me-auto">
        <h1 dir="auto" className="m-0 truncate font-semibold text-base">
          {batch.name === "" && batch.items.length === 0 ? "New batch" : title}
        </h1>
        <IconButton
          size="sm"
          label={batchCommands.rename.label}
          data-command={batchCommands.rename.id}
          onClick={rename}
        >
          <Pencil aria-hidden="true" className="size-3.5" />
        </IconButton>
      </div>
    );
  }
  const save = () => {
    const name = redactOwnKey(typed.trim().slice(0, 200));
    edit((current) => ({ ...current, name }));
    setTyped(undefined);
  };
  return (
    <TextInput
      aria-label="Batch name"
      autoFocus
      value={typed}
      maxLength={200}
      placeholder={title}
      className="min-h-8 w-56"
      onChange={({ target }) => setTyped(target.value)}
      onBlur={save}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter") save();
        if (event.key === "Escape") {
          event.stopPropagation();
          setTyped(undefined);
        }
      }}
    />
  );
}

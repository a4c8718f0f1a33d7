import { useQuery } from "@tanstack/react-query";
import { Download, Trash2, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { create } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { openRows } from "#storage/database.ts";
import { exportRows, ImportCutOffError, type ImportReport, importPlaceRows, importRows } from "#storage/export-rows.ts";
import { IMPORT_KEY } from "#storage/keys.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { wipe } from "#storage/wipe.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { toast } from "#ui/toast-store.ts";
import { settingsCommands } from "./commands.ts";

async function exportAll(): Promise<void> {
  const file = await exportRows(await openRows());
  saveBlob(file, `safelight-${new Date().toISOString().slice(0, 10)}.json`);
}

/** Shared by the button, the toast and the note about an import that was cut off. */
const useImporting = create(() => ({ isImporting: false }));

/** Imports a file. Rejects where it is no export. If the import is cut off, a toast says so and offers to continue. */
async function importAll(file: File): Promise<void> {
  useImporting.setState({ isImporting: true });
  try {
    toast({ tone: "success", title: "Imported", body: importedText(await importRows(await openRows(), file)) });
  } catch (error) {
    if (!(error instanceof ImportCutOffError)) throw error;
    toast({
      tone: "error",
      title: "Import interrupted",
      body: `${error.message} ${importedText(error.report)} Imported records are saved.`,
      action: { label: "Continue", onAct: () => void importAll(file).catch(toastFailure("Import failed")) },
    });
  } finally {
    useImporting.setState({ isImporting: false });
  }
}

function importedText({ added, existing, unreadable }: ImportReport): string {
  const unreadableText = unreadable > 0 ? ` ${counted(unreadable, "record")} couldn’t be read.` : "";
  return `${counted(added, "record")} added, ${formatNumber(existing)} already here.${unreadableText}`;
}

/** Makes a handler that shows an error in a toast. */
const toastFailure = (title: string) => (error: unknown) =>
  toast({ tone: "error", title, body: error instanceof Error ? error.message : undefined });

/** Exports, imports and deletes the rows of this browser. No row contains the key. */
export function StorageSettings() {
  const accountId = useConnection()?.accountId ?? "";
  const kind = useStorageState((state) => state.kind);
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function deleteAll() {
    setIsAsking(false);
    const wiped = await wipe(accountId);
    toast({
      title: "Local data deleted",
      body: `${counted(wiped, "record")} deleted. Your jobs stay at the service.`,
    });
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-[60ch] text-ink-2">
        {kind === "memory"
          ? "This browser isn’t saving data. Everything is lost when you close or reload this tab."
          : "Your job list, spending, drafts and chats are saved only in this browser."}
      </p>
      <UnreadableRows />
      <CutOffImport />
      <div className="flex flex-wrap gap-2">
        <CommandButton
          size="sm"
          command={{
            ...settingsCommands.export,
            icon: Download,
            run: () => void exportAll().catch(toastFailure("Export failed")),
          }}
        >
          Export
        </CommandButton>
        <CommandButton
          size="sm"
          command={{
            ...settingsCommands.import,
            icon: Upload,
            run: () => input.current?.click(),
          }}
        >
          Import
        </CommandButton>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label="Export file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file) importAll(file).catch(toastFailure("Import failed"));
          }}
        />
        <CommandButton
          size="sm"
          variant="danger"
          command={{
            ...settingsCommands.deleteData,
            icon: Trash2,
            run: () => setIsAsking(true),
          }}
        >
          Delete local data
        </CommandButton>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete local data of this key?"
        description="Spending, the job list, drafts, chats and limits are deleted from this browser. Jobs, files and charges stay at the service. Safelight stops checking unconfirmed runs."
        confirmLabel="Delete"
        danger
        onConfirm={() => void deleteAll().catch(toastFailure("Couldn’t delete local data"))}
      />
    </div>
  );
}

/** Counts rows that this page cannot read. They are not deleted, and an export includes them. */
function UnreadableRows() {
  const newer = useStorageState((state) => state.newerRows);
  const quarantined = useStorageState((state) => state.quarantined);
  if (newer + quarantined === 0) return null;
  return (
    <div role="status" className="flex max-w-[60ch] flex-col gap-1 text-sm text-ink-2">
      {newer > 0 && (
        <p className="m-0">
          {counted(newer, "record")} can’t be read by this version of Safelight. Exports include unreadable records.
          Reload to get the latest version.
        </p>
      )}
      {quarantined > 0 && (
        <p className="m-0">{counted(quarantined, "record")} couldn’t be read. Exports include unreadable records.</p>
      )}
    </div>
  );
}

/** Says that an import, here or in another tab, was cut off when its page was closed. */
function CutOffImport() {
  const { data: place } = useQuery(storedRowQuery(importPlaceRows, IMPORT_KEY));
  const isImporting = useImporting((state) => state.isImporting);
  if (place === undefined || isImporting) return null;
  return (
    <p role="status" className="m-0 max-w-[60ch] text-sm text-ink-2">
      An import was interrupted. At least {formatNumber(place.read)} of {counted(place.total, "record")} are saved.
      Import the same file again to continue.
    </p>
  );
}

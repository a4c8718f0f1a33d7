import { Download, Trash2, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { openRows } from "#storage/database.ts";
import { exportRows, importRows } from "#storage/export-rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { wipe } from "#storage/wipe.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { toast } from "#ui/toast.tsx";

async function exportAll(): Promise<void> {
  const file = await exportRows(await openRows());
  saveBlob(file, `safelight-${new Date().toISOString().slice(0, 10)}.json`);
}

async function importAll(file: File): Promise<void> {
  const { added, existing, unreadable } = await importRows(await openRows(), file);
  const rest = unreadable > 0 ? ` ${unreadable} entries could not be read.` : "";
  toast({ tone: "success", title: "Imported", body: `${added} notes added, ${existing} were here already.${rest}` });
}

/** The rows of this browser: export them, import them, or delete them for this key. The key itself is in none. */
export function StorageSettings() {
  const accountId = useConnection()?.accountId ?? "";
  const kind = useStorageState((state) => state.kind);
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const failed = (title: string) => (error: unknown) =>
    toast({ tone: "error", title, body: error instanceof Error ? error.message : undefined });

  async function deleteAll() {
    setIsAsking(false);
    const wiped = await wipe(accountId);
    toast({ title: "Deleted from this browser", body: `${wiped} notes. The jobs stay at the service.` });
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-[60ch] text-ink-2">
        {kind === "memory"
          ? "This browser gives no storage here: everything is forgotten with the page."
          : "Submits, ledger, watched jobs, drafts and conversations are kept in this browser only."}
      </p>
      <KeptRows />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void exportAll().catch(failed("The export failed"))}>
          <Download aria-hidden="true" className="size-4" />
          Export everything
        </Button>
        <Button size="sm" onClick={() => input.current?.click()}>
          <Upload aria-hidden="true" className="size-4" />
          Import
        </Button>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label="Export file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file) importAll(file).catch(failed("The import failed"));
          }}
        />
        <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
          <Trash2 aria-hidden="true" className="size-4" />
          Delete for this key
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete what this browser keeps for this key?"
        description="The ledger, the watched jobs, drafts, conversations and limits go. Jobs, media and charges stay at the service. A submit that is still unconfirmed would no longer be looked for."
        confirmLabel="Delete"
        danger
        onConfirm={() => void deleteAll().catch(failed("The deletion failed"))}
      />
    </div>
  );
}

/** What is in the database and not understood by this page: nothing of it is deleted, and an export holds it. */
function KeptRows() {
  const newer = useStorageState((state) => state.newerRows);
  const aside = useStorageState((state) => state.quarantined);
  if (newer + aside === 0) return null;
  return (
    <div role="status" className="flex max-w-[60ch] flex-col gap-1 text-[12.5px] text-ink-2">
      {newer > 0 && (
        <p className="m-0">
          {records(newer)} written by a newer version of Safelight, or not readable by this one. They are kept as they
          are. Reload to get the newer version; an export holds them.
        </p>
      )}
      {aside > 0 && <p className="m-0">{records(aside)} not readable and put aside. An export holds them.</p>}
    </div>
  );
}

const records = (count: number) => (count === 1 ? "1 record was" : `${count} records were`);

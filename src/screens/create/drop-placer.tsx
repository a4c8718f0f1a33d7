import { useEffect, useEffectEvent, useState } from "react";
import type { FileSettings } from "#media/metadata/settings-text.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { toast } from "#ui/toast-store.ts";
import { offerFiles } from "./file-desk.ts";
import { type Placement, placeFiles } from "./place-files.ts";

/** Brings dropped files to their field, and asks where that is open. */
export function DropPlacer({
  files,
  store,
  onPut,
  onSettings,
  onDone,
}: {
  files: readonly File[];
  store: FormStore;
  /** The form has to be in view. */
  onPut: () => void;
  onSettings: (settings: FileSettings, fileName: string) => void;
  onDone: () => void;
}) {
  const [asked, setAsked] = useState<Extract<Placement, { act: "ask" }>>();
  const name = files[0]?.name ?? "";

  function put(key: string) {
    onPut();
    const position = store.schema.fields.findIndex((field) => field.key === key);
    store.reveal(store.names[position] ?? "");
    offerFiles(store.id, key, files);
    onDone();
  }
  function restore(settings: FileSettings) {
    onSettings(settings, name);
    onDone();
  }
  const act = useEffectEvent((placement: Placement) => {
    if (placement.act === "ask") setAsked(placement);
    else if (placement.act === "put") put(placement.field.key);
    else if (placement.act === "restore") restore(placement.settings);
    else {
      toast({ title: "Not used", body: placement.reason, tone: "warning" });
      onDone();
    }
  });
  useEffect(() => {
    let isCurrent = true;
    void placeFiles(files, store.schema, store.getPayload()).then((placement) => isCurrent && act(placement));
    return () => {
      isCurrent = false;
    };
  }, [files, store]);

  return (
    <Dialog open={asked !== undefined} onOpenChange={(open) => !open && onDone()} title={`Use ${name}`} size="sm">
      <div className="flex flex-col gap-2">
        {asked?.fields.map((field) => (
          <Button key={field.key} onClick={() => put(field.key)}>
            As {field.label}
          </Button>
        ))}
        {asked?.settings && (
          <Button onClick={() => asked.settings && restore(asked.settings)}>
            Restore the settings it was made with
          </Button>
        )}
      </div>
    </Dialog>
  );
}

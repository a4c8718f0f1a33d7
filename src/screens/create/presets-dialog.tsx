import { type FormEvent, useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { deletePreset, loadPresets, type Preset, renamePreset, savePreset } from "#storage/presets.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { toast } from "#ui/toast-store.ts";
import { CopyLinkButton } from "./copy-link-button.tsx";
import { PresetRow } from "./preset-row.tsx";

export interface PresetsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  modelId: string;
  store: FormStore;
}

/** Named settings of one model: save, use, rename, delete; and the present ones as a link. */
export function PresetsDialog({ open, onOpenChange, ...rest }: PresetsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Presets"
      description={`For ${rest.modelId}, on this device.`}
      size="sm"
    >
      <PresetsBody {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PresetsBody({
  modelId,
  store,
  onClose,
}: Pick<PresetsDialogProps, "modelId" | "store"> & { onClose: () => void }) {
  const accountId = useConnection()?.accountId ?? "";
  const [presets, setPresets] = useState<readonly Preset[]>([]);
  const [name, setName] = useState("");
  useEffect(() => {
    let isCurrent = true;
    void loadPresets(accountId, modelId).then((loaded) => isCurrent && setPresets(loaded));
    return () => {
      isCurrent = false;
    };
  }, [accountId, modelId]);
  const wanted = name.trim();
  const isTaken = presets.some((preset) => preset.name === wanted);

  function show(change: Promise<readonly Preset[]>) {
    change.then(setPresets, () => toast({ title: "This browser could not write it", tone: "error" }));
  }
  function save(event: FormEvent) {
    event.preventDefault();
    // The dialog stands inside the form of the model in React's tree.
    event.stopPropagation();
    if (wanted === "") return;
    show(savePreset(accountId, modelId, { name: wanted, payload: store.getPayload() }));
    setName("");
  }
  function apply(preset: Preset) {
    const before = store.getPayload();
    store.setPayload(preset.payload);
    onClose();
    toast({ title: `${preset.name} is in the form`, action: { label: "Undo", onAct: () => store.setPayload(before) } });
  }
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={save} className="flex gap-2">
        <TextInput
          aria-label="Name for the present settings"
          placeholder="Name for the present settings"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" aria-disabled={wanted === ""}>
          {isTaken ? "Replace" : "Save"}
        </Button>
      </form>
      {presets.length > 0 && (
        <ul aria-label="Presets" className="m-0 flex list-none flex-col gap-0.5 p-0">
          {presets.map((preset) => (
            <PresetRow
              key={preset.name}
              name={preset.name}
              onApply={() => apply(preset)}
              onRename={(to) => show(renamePreset(accountId, modelId, preset.name, to))}
              onDelete={() => show(deletePreset(accountId, modelId, preset.name))}
            />
          ))}
        </ul>
      )}
      <CopyLinkButton modelId={modelId} store={store} accountId={accountId} />
    </div>
  );
}

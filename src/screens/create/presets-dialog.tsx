import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Check, Link2, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import { hasDeletedInput } from "#jobs/job-inputs.ts";
import { withoutPrivate } from "#lib/public-json.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ownAddresses } from "#media/upload/upload-memory.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { deletePreset, type Preset, presetRows, presetsKey, renamePreset, savePreset } from "#storage/presets.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";
import { writeSharedPayload } from "./shared-payload.ts";

const LONGEST_NAME = 80;

interface PresetsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  modelId: string;
  form: FormHandle;
}

/** Named settings of one model: save, use, rename, delete; and the present ones as a link. */
export function PresetsDialog({ open, onOpenChange, ...rest }: PresetsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Presets"
      description={`For ${visibleLine(rest.modelId)}, saved in this browser.`}
      size="sm"
    >
      <PresetsBody {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PresetsBody({
  modelId,
  form,
  onClose,
}: Pick<PresetsDialogProps, "modelId" | "form"> & { onClose: () => void }) {
  const accountId = useConnection()?.accountId ?? "";
  const { data: presets = [] } = useQuery(storedRowQuery(presetRows, presetsKey(accountId, modelId)));
  const { control, register, handleSubmit, reset } = useForm({ defaultValues: { name: "" } });
  const wanted = useWatch({ control, name: "name" }).trim();
  const isTaken = presets.some((preset) => preset.name === wanted);

  function report(change: Promise<void>) {
    change.catch(() => toast({ title: "This browser could not save the preset", tone: "error" }));
  }
  const save = handleSubmit(({ name }) => {
    if (name.trim() === "") return;
    report(savePreset(accountId, modelId, { name: name.trim(), payload: form.getPayload() }));
    reset();
  });
  function apply(preset: Preset) {
    const before = form.getDraft();
    form.setPayload(preset.payload);
    onClose();
    toast({ title: `${preset.name} is in the form`, action: { label: "Undo", onAct: () => form.setDraft(before) } });
  }
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={(event) => submitAlone(event, save)} className="flex gap-2">
        <TextInput aria-label="Preset name" placeholder="Preset name" maxLength={LONGEST_NAME} {...register("name")} />
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
              isGone={hasDeletedInput(preset.payload)}
              onApply={() => apply(preset)}
              onRename={(to) => report(renamePreset(accountId, modelId, preset.name, to))}
              onDelete={() => report(deletePreset(accountId, modelId, preset.name))}
            />
          ))}
        </ul>
      )}
      <CopyLinkButton modelId={modelId} form={form} accountId={accountId} />
    </div>
  );
}

/** Submits a form of the dialog. In React's tree it is inside the form of the model, which must not hear of it. */
function submitAlone(event: FormEvent, submit: (event: FormEvent) => Promise<void>): void {
  event.stopPropagation();
  void submit(event);
}

/** One preset: a press uses it; beside it are the buttons that rename and delete it. */
function PresetRow({
  name,
  isGone,
  onApply,
  onRename,
  onDelete,
}: {
  name: string;
  /** A file that it holds was deleted. */
  isGone: boolean;
  onApply: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
}) {
  const [isRenaming, setIsRenaming] = useState(false);
  const { register, handleSubmit, reset } = useForm({ defaultValues: { next: name } });
  const rename = handleSubmit(({ next }) => {
    setIsRenaming(false);
    const wanted = next.trim();
    if (wanted !== "" && wanted !== name) onRename(wanted);
  });
  if (isRenaming) {
    return (
      <li>
        <form onSubmit={(event) => submitAlone(event, rename)} className="flex gap-1">
          <TextInput aria-label={`New name for ${name}`} autoFocus maxLength={LONGEST_NAME} {...register("next")} />
          <IconButton type="submit" label="Save the name">
            <Check aria-hidden="true" className="size-4" />
          </IconButton>
        </form>
      </li>
    );
  }
  return (
    <li className="flex gap-1">
      <Button variant="ghost" className="min-w-0 flex-1 justify-start!" onClick={onApply} title={`Use ${name}`}>
        <span className="truncate text-ink">{name}</span>
        {isGone && <span className="ml-auto shrink-0 font-normal text-[12px] text-ink-3">file deleted</span>}
      </Button>
      <IconButton
        label={`Rename ${name}`}
        onClick={() => {
          reset();
          setIsRenaming(true);
        }}
      >
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}

/** Copies a link that opens this model with the present settings, for anyone with a key of their own. */
function CopyLinkButton({ modelId, form, accountId }: { modelId: string; form: FormHandle; accountId: string }) {
  const router = useRouter();
  const [message, setMessage] = useState("The link contains the settings, but no key and no files from this device.");
  async function copy() {
    const own = await ownAddresses(accountId).catch(() => undefined);
    if (own === undefined) return setMessage("This browser could not read which files are yours. Nothing was copied.");
    const privacy = { keyShape: getConnection()?.keyShape, ownAddresses: own };
    const { payload, leftOut } = withoutPrivate(form.getPayload(), privacy);
    const words = await writeSharedPayload(payload);
    if (words === undefined) return setMessage("These settings are too long for a link.");
    const { publicHref } = router.buildLocation({ to: "/create/$modelId", params: { modelId }, search: { p: words } });
    const link = new URL(publicHref, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      const values = leftOut === 1 ? "1 value" : `${leftOut} values`;
      setMessage(leftOut === 0 ? "Link copied." : `Link copied without ${values} that may be private.`);
    } catch {
      setMessage("The browser did not allow copying.");
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      <Button onClick={() => void copy()}>
        <Link2 aria-hidden="true" className="size-4" />
        Copy link
      </Button>
      <span role="status" className="min-w-0 flex-1 text-[12.5px] text-ink-2">
        {message}
      </span>
    </div>
  );
}

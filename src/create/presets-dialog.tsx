import { useRouter } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { useNamedList } from "#connection/named-list.ts";
import { counted } from "#lib/numbers.ts";
import { withoutPrivate } from "#lib/redact-secret.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { ownAddresses } from "#media/upload/upload-memory.ts";
import { type Preset, presets } from "#models/presets.ts";
import { hasDeletedInput } from "#runs/job-inputs.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { NamedRows, SaveAs } from "#ui/named-list.tsx";
import { toast } from "#ui/toast-store.ts";
import { writeSharedPayload } from "./create-search.ts";

interface PresetsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  modelId: string;
  form: FormHandle;
}

/** Named settings of one model: save, use, rename, delete; and those of the form as a link. */
export function PresetsDialog({ open, onOpenChange, ...rest }: PresetsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Presets"
      description={`Saved in this browser for ${visibleLine(rest.modelId)}.`}
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
  const list = useNamedList(presets, modelId);
  function apply(preset: Preset) {
    const before = form.getDraft();
    form.setPayload(preset.payload);
    onClose();
    toast({
      title: `Preset applied: ${visibleLine(preset.name, 60)}`,
      action: { label: "Undo", onAct: () => form.setDraft(before) },
    });
  }
  return (
    <div className="flex flex-col gap-4">
      <SaveAs list={list} noun="preset" make={(name) => ({ name, payload: form.getPayload() })} />
      <div className="not-has-[button]:hidden">
        <NamedRows
          list={list}
          noun="preset"
          verb="Use"
          onUse={apply}
          aside={({ payload }) => hasDeletedInput(payload) && "file deleted"}
        />
      </div>
      <CopyLinkButton modelId={modelId} form={form} />
    </div>
  );
}

/** Copies a link that opens this model with the settings of the form, for anyone with a key of their own. */
function CopyLinkButton({ modelId, form }: { modelId: string; form: FormHandle }) {
  const accountId = useConnection()?.accountId ?? "";
  const router = useRouter();
  const [message, setMessage] = useState("Includes your settings, but not your key or files from this device.");
  async function copy() {
    const own = await ownAddresses(accountId).catch(() => undefined);
    if (own === undefined)
      return setMessage("Couldn’t check which files are private, so no link was copied. Try again.");
    const privacy = { keyShape: getConnection()?.keyShape, ownAddresses: own };
    const { payload, leftOut } = withoutPrivate(form.getPayload(), privacy);
    const words = await writeSharedPayload(payload);
    if (words === undefined) return setMessage("These settings are too long for a link.");
    const { publicHref } = router.buildLocation({ to: "/create/$modelId", params: { modelId }, search: { p: words } });
    const link = new URL(publicHref, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      const values = counted(leftOut, "value");
      setMessage(leftOut === 0 ? "Link copied." : `Link copied without ${values} that may be private.`);
    } catch {
      setMessage("Couldn’t copy the link.");
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      <Button onClick={() => void copy()}>
        <Link2 aria-hidden="true" className="size-4" />
        Copy link
      </Button>
      <span role="status" className="min-w-0 flex-1 text-sm text-ink-2">
        {message}
      </span>
    </div>
  );
}

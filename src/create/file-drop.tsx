import { useEffect, useEffectEvent, useState } from "react";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { UnusableFileError } from "#media/file-kind.ts";
import { type FileSettings, readSettings } from "#media/metadata/file-settings.ts";
import { planUpload } from "#media/upload/upload-file.ts";
import { getAccountUploads } from "#media/upload/uploads.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { maxFiles } from "#schema-form/media-value.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { toast } from "#ui/toast-store.ts";
import { dropTargets, putFiles } from "./media-inputs.ts";

/**
 * Takes files that are dropped or pasted anywhere on Create, and shows an outline over the form while one is dragged.
 */
export function FileDrop({
  form,
  onPut,
  onSettings,
}: {
  form: FormHandle;
  onPut: () => void;
  onSettings: (settings: FileSettings, fileName: string) => void;
}) {
  const [files, setFiles] = useState<readonly File[]>();
  const isDragging = useFileDrag(setFiles);
  useFilePaste(setFiles);
  return (
    <>
      {isDragging && (
        // Lets the pointer through, so that a file can still be dropped on one field.
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-2 z-10 flex items-end justify-center rounded-md border-2 border-accent border-dashed bg-accent-soft p-4"
        >
          <span className="rounded-md border border-line-strong bg-panel px-3 py-2 font-medium text-ink shadow-float">
            Drop to add as input
          </span>
        </div>
      )}
      {files && (
        <DropDialog
          files={files}
          form={form}
          onPut={onPut}
          onSettings={onSettings}
          onDone={() => setFiles(undefined)}
        />
      )}
    </>
  );
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Whether a file is being dragged over the window, and the files once they are dropped. A drop that a field has taken
 * is left alone; any other would make the browser leave the page and open the file.
 */
function useFileDrag(onDrop: (files: readonly File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    function over(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    }
    function leave(event: DragEvent) {
      // The pointer goes to no other element only when it leaves the window.
      if (event.relatedTarget === null) setIsDragging(false);
    }
    function drop(event: DragEvent) {
      setIsDragging(false);
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) dropped(files);
    }
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return isDragging;
}

/**
 * Files pasted anywhere that no field has taken. Text that comes with an image, as from a word processor, stays text.
 */
function useFilePaste(onPaste: (files: readonly File[]) => void): void {
  const pasted = useEffectEvent(onPaste);
  useEffect(() => {
    function paste(event: ClipboardEvent) {
      const files = [...(event.clipboardData?.files ?? [])];
      const isInDialog = event.target instanceof Element && event.target.closest("dialog, [role=dialog]");
      if (event.defaultPrevented || files.length === 0 || isInDialog) return;
      if (event.clipboardData?.types.includes("text/plain")) return;
      event.preventDefault();
      pasted(files);
    }
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, []);
}

/** Puts dropped files into the field that takes them, and asks which one where there is a choice. */
function DropDialog({
  files,
  form,
  onPut,
  onSettings,
  onDone,
}: {
  files: readonly File[];
  form: FormHandle;
  /** Called before a field is filled: the form has to be in view. */
  onPut: () => void;
  onSettings: (settings: FileSettings, fileName: string) => void;
  onDone: () => void;
}) {
  const [question, setQuestion] = useState<Extract<Placement, { act: "ask" }>>();
  const uploads = getAccountUploads(useApi(), useConnection()?.accountId ?? "");
  const name = files[0]?.name ?? "";

  function put(field: MediaField) {
    onPut();
    form.reveal(form.nameOf(field.key));
    const unusedCount = putFiles(form, field, files, uploads);
    if (unusedCount > 0) {
      const title = `${counted(unusedCount, "file")} not added`;
      toast({ title, body: `${field.label} is full.`, tone: "warning" });
    }
    onDone();
  }
  function restore(settings: FileSettings) {
    onSettings(settings, name);
    onDone();
  }
  const act = useEffectEvent((placement: Placement) => {
    if (placement.act === "ask") setQuestion(placement);
    else if (placement.act === "put") put(placement.field);
    else if (placement.act === "restore") restore(placement.settings);
    else {
      toast({
        title: files.length > 1 ? "Files not added" : "File not added",
        body: placement.reason,
        tone: "warning",
      });
      onDone();
    }
  });
  useEffect(() => {
    let isCurrent = true;
    const valueAt = (key: string) => form.getValue(form.nameOf(key)).value;
    void placeFiles(files, form.schema, valueAt).then((placement) => isCurrent && act(placement));
    return () => {
      isCurrent = false;
    };
  }, [files, form]);

  return (
    <Dialog open={question !== undefined} onOpenChange={(open) => !open && onDone()} title={`Use ${name}`} size="sm">
      <div className="flex flex-col gap-2">
        {question?.fields.map((field) => (
          <Button key={field.key} onClick={() => put(field)}>
            As {field.label}
          </Button>
        ))}
        {question?.settings && (
          <Button onClick={() => question.settings && restore(question.settings)}>Restore settings</Button>
        )}
      </div>
    </Dialog>
  );
}

/** What is to be done with files that were not dropped on a field. */
type Placement =
  | { act: "put"; field: MediaField }
  /** The person chooses: every field that fits is full, or the file carries settings as well. */
  | { act: "ask"; fields: readonly MediaField[]; settings: FileSettings | undefined }
  | { act: "restore"; settings: FileSettings }
  | { act: "refuse"; reason: string };

/** Decides about dropped files by the kind of the first one. A single file that was made here also has its settings. */
async function placeFiles(
  files: readonly File[],
  schema: FormSchema,
  valueAt: (key: string) => unknown,
): Promise<Placement> {
  const [first] = files;
  if (!first) return { act: "refuse", reason: "No file was dropped." };
  const settings = files.length === 1 ? await readSettings(first).catch(() => undefined) : undefined;
  try {
    const { kind } = await planUpload(first);
    const { free, full } = dropTargets(schema, valueAt, kind);
    const fields = [...free, ...full.filter((field) => maxFiles(field) === 1)];
    if (settings) return fields.length > 0 ? { act: "ask", fields, settings } : { act: "restore", settings };
    if (free[0]) return { act: "put", field: free[0] };
    if (fields.length > 0) return { act: "ask", fields, settings };
    if (full[0]) return { act: "refuse", reason: `${full[0].label} is full.` };
    return { act: "refuse", reason: `This model doesn’t accept ${kind === "other" ? "this file" : `${kind} files`}.` };
  } catch (error) {
    if (settings) return { act: "restore", settings };
    if (error instanceof UnusableFileError) return { act: "refuse", reason: error.message };
    throw error;
  }
}

import { useEffect, useEffectEvent, useState } from "react";
import type { FileSettings } from "#media/metadata/file-settings.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { DropDialog } from "./drop-dialog.tsx";

/** Takes files that are dropped or pasted anywhere on Create, and shows an outline over the form while one is dragged. */
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
            Drop to use it as an input
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
      // Only leaving the window has nothing that the pointer goes to.
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

/** Files pasted anywhere that no field has taken. Text that comes with a picture, as from a word processor, stays text. */
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

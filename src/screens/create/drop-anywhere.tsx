import { lazy, useState } from "react";
import type { FileSettings } from "#media/metadata/settings-text.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { OnDemand } from "#ui/on-demand.tsx";
import { useFileDrag } from "./use-file-drag.ts";
import { useFilePaste } from "./use-file-paste.ts";

const DropPlacer = lazy(() => import("./drop-placer.tsx").then((module) => ({ default: module.DropPlacer })));

/** A file may be dropped or pasted anywhere on Create: shown over the form while one is dragged, then brought to its field. */
export function DropAnywhere({
  store,
  onPut,
  onSettings,
}: {
  store: FormStore;
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
      <OnDemand when={files !== undefined}>
        {files && (
          <DropPlacer
            files={files}
            store={store}
            onPut={onPut}
            onSettings={onSettings}
            onDone={() => setFiles(undefined)}
          />
        )}
      </OnDemand>
    </>
  );
}

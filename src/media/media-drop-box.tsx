import { clsx } from "clsx";
import { type ClipboardEvent, type DragEvent, type ReactNode, useState } from "react";

/** The frame of an input, which takes files that are dropped on it or pasted inside it. */
export function MediaDropBox({
  label,
  invalid,
  onFiles,
  children,
}: {
  label: string;
  invalid: boolean | undefined;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  function take(event: DragEvent | ClipboardEvent, files: FileList) {
    if (files.length === 0) return;
    event.preventDefault();
    onFiles([...files]);
  }
  return (
    // The same two acts are on the button and the address inside: dropping and pasting are a second way for a pointer.
    <fieldset
      aria-label={label}
      onPaste={(event) => take(event, event.clipboardData.files)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        event.preventDefault();
        take(event, event.dataTransfer.files);
      }}
      className={clsx(
        "m-0 flex min-w-0 gap-2.5 rounded-sm border border-dashed p-2",
        isOver ? "border-accent bg-accent-soft" : invalid ? "border-failed" : "border-line-strong",
      )}
    >
      {children}
    </fieldset>
  );
}

import { useEffect, useEffectEvent } from "react";

/** Files pasted anywhere that no field has taken. Text that comes with a picture, as from a word processor, stays text. */
export function useFilePaste(onPaste: (files: readonly File[]) => void): void {
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

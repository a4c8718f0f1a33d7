import { useEffect, useEffectEvent, useState } from "react";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Whether a file is being dragged over the window, and the files once they are dropped. A drop that a field has taken
 * for itself is left alone; any other is kept from opening the file in the page's place.
 */
export function useFileDrag(onDrop: (files: readonly File[]) => void): boolean {
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

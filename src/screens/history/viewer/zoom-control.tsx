import { Minus, Plus } from "lucide-react";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";

interface ZoomControlProps {
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  isFit: boolean;
  /** Before the ids of the commands that do the same. */
  place: "viewer" | "compare";
  onIn: () => void;
  onOut: () => void;
  onFit: () => void;
  onActual: () => void;
}

/** How large the pixels of a file are shown, and the way to change it. */
export function ZoomControl({ percent, isFit, place, onIn, onOut, onFit, onActual }: ZoomControlProps) {
  const out = useCommandProps({ id: `${place}.zoom-out`, keys: "-" });
  const further = useCommandProps({ id: `${place}.zoom-in`, keys: "plus" });
  const toggle = useCommandProps(isFit ? { id: `${place}.actual-size`, keys: "1" } : { id: `${place}.fit`, keys: "0" });
  const words = percent === undefined ? "Fit" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
  return (
    <span className="flex items-center max-lg:hidden">
      <IconButton {...out} label="Zoom out" aria-disabled={isFit || undefined} onClick={onOut}>
        <Minus aria-hidden className="size-4" />
      </IconButton>
      <Button
        {...toggle}
        variant="ghost"
        size="sm"
        title={isFit ? "Actual size" : "Fit to window"}
        aria-label={`${isFit ? "Actual size" : "Fit to window"}, now ${words}`}
        onClick={isFit ? onActual : onFit}
        className="min-w-[58px] tabular-nums"
      >
        {words}
      </Button>
      <IconButton {...further} label="Zoom in" onClick={onIn}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}

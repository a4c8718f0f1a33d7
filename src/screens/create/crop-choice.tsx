import { Crop } from "lucide-react";
import { Button } from "#ui/button.tsx";
import type { AskedShape } from "./asked-shape.ts";

/** A picture of other proportions than the run asks for, before it is stored: cut first, or whole. */
export function CropChoice({
  size,
  shape,
  wholeWords,
  onCrop,
  onWhole,
}: {
  size: { width: number; height: number };
  shape: AskedShape;
  wholeWords: string;
  onCrop: () => void;
  onWhole: () => void;
}) {
  return (
    <>
      <p role="status" className="m-0 text-[12.5px] text-ink-2 tabular-nums">
        {size.width} × {size.height}, and the run makes {shape.label}.
      </p>
      <div data-choice="" className="flex flex-wrap gap-1.5">
        <Button size="sm" onClick={onCrop}>
          <Crop aria-hidden="true" className="size-3.5" />
          Crop to {shape.label}
        </Button>
        <Button size="sm" onClick={onWhole}>
          {wholeWords}
        </Button>
      </div>
    </>
  );
}

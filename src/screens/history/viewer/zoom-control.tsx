import { Minus, Plus } from "lucide-react";
import { resultCommands } from "#jobs/commands.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Acts } from "#ui/command-store.ts";

interface ZoomControlProps {
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  isFit: boolean;
  acts: Acts<typeof resultCommands>;
}

/** How large the pixels of a file are shown, and the way to change it. */
export function ZoomControl({ percent, isFit, acts }: ZoomControlProps) {
  const { zoomIn, zoomOut, actualSize, fit } = resultCommands;
  const toggle = isFit ? actualSize : fit;
  const out = useCommandProps(zoomOut);
  const further = useCommandProps(zoomIn);
  const toggleProps = useCommandProps(toggle);
  const words = percent === undefined ? "Fit" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
  return (
    <span className="flex items-center max-lg:hidden">
      <IconButton {...out} label={zoomOut.label} aria-disabled={isFit || undefined} onClick={acts.zoomOut}>
        <Minus aria-hidden className="size-4" />
      </IconButton>
      <Button
        {...toggleProps}
        variant="ghost"
        size="sm"
        title={toggle.label}
        aria-label={`${toggle.label}, now ${words}`}
        onClick={isFit ? acts.actualSize : acts.fit}
        className="min-w-[58px] tabular-nums"
      >
        {words}
      </Button>
      <IconButton {...further} label={zoomIn.label} onClick={acts.zoomIn}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}

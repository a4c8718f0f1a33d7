import { ArrowLeftRight, Columns3, SlidersHorizontal, X } from "lucide-react";
import { compareCommands, resultCommands } from "#results/commands.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Acts } from "#ui/commands.ts";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { type ViewerZoom, ZoomControl } from "../viewer-zoom.tsx";
import type { CompareMode } from "./compare-modes.ts";
import type { Scale } from "./compare-scale.ts";

interface CompareBarProps {
  acts: Acts<typeof resultCommands>;
  ownActs: Acts<typeof compareCommands>;
  modes: readonly { value: CompareMode; label: string }[];
  mode: CompareMode;
  onMode: (mode: CompareMode) => void;
  scale: Scale;
  /** The files differ in size, so that the scale matters. */
  hasScale: boolean;
  /** Of all of them; its percent are those of the first. Undefined where nothing is zoomed. */
  zoom: ViewerZoom | undefined;
  isTableOpen: boolean;
  /** How many other models have a result of the first prompt. */
  newModels: number;
  onClose: () => void;
}

/** What "Compare models" does in a comparison. */
export const OTHER_MODELS = "Add other models";

const SCALES: Record<Scale, string> = { height: "Same height", pixels: "Same pixel scale" };

/** How the results are compared; each act has its key. */
export function CompareBar({ acts, ownActs, modes, mode, onMode, scale, hasScale, zoom, ...rest }: CompareBarProps) {
  const { swap, scale: scaling } = compareCommands;
  const { details, compareModels: models } = resultCommands;
  const button = {
    swap: useCommandProps(swap),
    scaling: useCommandProps(scaling),
    details: useCommandProps(details),
    models: useCommandProps(models),
  };
  return (
    <div className="flex min-h-[52px] shrink-0 items-start gap-2 border-line border-b px-3 py-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <span className="mr-2 font-medium max-sm:sr-only">Compare</span>
        {modes.length > 1 && <Segmented label="Comparison mode" options={modes} value={mode} onChange={onMode} />}
        <Button {...button.swap} variant="ghost" onClick={ownActs.swap}>
          <ArrowLeftRight aria-hidden className="size-4" />
          {swap.label}
          <Kbd command={swap} />
        </Button>
        {hasScale && (
          <Button
            {...button.scaling}
            variant="ghost"
            title={scaling.label}
            aria-label={`Scale: ${SCALES[scale]}`}
            onClick={ownActs.scale}
          >
            {SCALES[scale]}
            <Kbd command={scaling} />
          </Button>
        )}
        {acts.compareModels && (
          <Button
            {...button.models}
            variant="ghost"
            title={`${rest.newModels} more with a result of this prompt`}
            onClick={acts.compareModels}
          >
            <Columns3 aria-hidden className="size-4" />
            {OTHER_MODELS}
            <Kbd command={models} />
          </Button>
        )}
        <span className="ml-auto flex items-center gap-2">
          {zoom && <ZoomControl zoom={zoom} />}
          <IconButton
            {...button.details}
            label={details.label}
            aria-pressed={rest.isTableOpen}
            className="aria-pressed:bg-selected aria-pressed:text-ink!"
            onClick={acts.details}
          >
            <SlidersHorizontal aria-hidden className="size-4" />
          </IconButton>
        </span>
      </div>
      {/* In its corner, however many lines the others need. */}
      <IconButton label="Close" onClick={rest.onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

import { clsx } from "clsx";
import { Check, Maximize2, Star, X } from "lucide-react";
import { memo, useState } from "react";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import type { MicroUsd } from "#lib/money.ts";
import { counted } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { jobPrompt } from "#runs/job-inputs.ts";
import { Pill } from "#ui/indicators.tsx";
import { rem } from "#ui/rem.ts";
import { type CellLook, CellState } from "./cell-state.tsx";
import { Part } from "./sheet-grid.tsx";
import { type CaptionPart, captionWords, filesMade, isDone, stateText } from "./sheet-results.ts";

interface SheetCellProps {
  result: ItemView;
  isStarred: boolean;
  look: CellLook;
  /** How it differs from the results beside it; may be empty. Undefined: no cell of the sheet has this line. */
  lead: string | undefined;
  seed: string | undefined;
  /** Its headings, for the cell's accessible name. */
  heading: string;
  /** Today's price of a draft. */
  priced: MicroUsd | undefined;
  isSelected: boolean;
  /** The one cell of the sheet that Tab leads to. */
  isTabStop: boolean;
  columnIndex: number;
  width: number;
  /** The height of the picture alone. */
  height: number;
}

/**
 * One result in any state, in a box of its expected shape. Memoized, because a sheet may show hundreds of cells.
 */
export const SheetCell = memo(function SheetCell(props: SheetCellProps) {
  const { result, isStarred, look, lead, seed, heading, priced, isSelected, isTabStop, columnIndex, width, height } =
    props;
  const [isHovered, setIsHovered] = useState(false);
  const { item, state, job } = result;
  const { id, isRejected = false } = item;
  const files = filesMade(result);
  const isDeleted = useIsMediaDeleted(sentJobId(state) ?? "");
  const [file] = files;
  const isShown = isDone(result) && file !== undefined;
  const words = captionWords(result, priced);
  const { model, payload } = item.request;
  const prompt = jobPrompt(payload);
  const marks = [...(isStarred ? ["starred"] : []), ...(isRejected ? ["hidden"] : [])];
  const name = [heading, lead, stateText(result), words.price === "—" ? undefined : words.price, ...marks];
  const has = (part: CaptionPart) => look.captions.includes(part);
  return (
    <Part
      role="gridcell"
      aria-label={name.filter(Boolean).join(", ")}
      aria-selected={isSelected}
      aria-colindex={columnIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-item={id}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      className="group/cell cursor-pointer rounded-md outline-none"
      style={{ width }}
    >
      <div
        className={clsx(
          "@container relative overflow-hidden rounded-md bg-panel",
          !isShown && "border border-line",
          isSelected && "outline-2 outline-accent outline-offset-2",
          "group-focus-visible/cell:outline-3 group-focus-visible/cell:outline-focus group-focus-visible/cell:outline-offset-2",
        )}
        style={{ height }}
      >
        <div className={clsx("absolute inset-0", isRejected && "opacity-30 grayscale")}>
          {isShown ? (
            <CachedThumb
              item={file}
              alt=""
              createdAtSeconds={job?.createdAtSeconds}
              isDeleted={isDeleted}
              isHovered={isHovered}
              className="[&_img]:object-contain [&_video]:object-contain"
            />
          ) : (
            <CellState result={result} look={look} isTabStop={isTabStop} />
          )}
        </div>
        {isSelected && (
          <span className="absolute start-2 top-2 grid size-6 place-items-center rounded-sm bg-accent text-accent-ink forced-color-adjust-none">
            <Check aria-hidden strokeWidth={2.5} className="size-4" />
          </span>
        )}
        {(isStarred || isRejected) && (
          <span className="absolute end-2 top-2 grid size-6 place-items-center rounded-sm bg-black/60 text-white forced-color-adjust-none">
            {isRejected ? <X aria-hidden className="size-4" /> : <Star aria-hidden className="size-3.5 fill-current" />}
          </span>
        )}
        {isShown && files.length > 1 && (
          <Pill overMedia className="absolute start-2 bottom-2">
            {counted(files.length, "file")}
          </Pill>
        )}
        {isShown && (
          <button
            type="button"
            tabIndex={isTabStop ? 0 : -1}
            aria-label="Open"
            title="Open"
            onClick={() => look.onOpen(id)}
            className={clsx(
              "absolute end-2 bottom-2 grid size-7 cursor-pointer place-items-center rounded-sm bg-black/60 text-white opacity-0",
              "group-hover/cell:opacity-100 focus-visible:opacity-100 after:absolute pointer-coarse:opacity-100 pointer-coarse:after:-inset-2",
            )}
          >
            <Maximize2 aria-hidden className="size-3.5" />
          </button>
        )}
      </div>
      {lead !== undefined && (
        <p dir="auto" title={lead} className="m-0 mt-1.5 truncate px-0.5 text-xs text-ink leading-normal">
          {lead || "\u00a0"}
        </p>
      )}
      {has("prompt") && (
        <p dir="auto" className="m-0 mt-1 truncate px-0.5 text-xs text-ink-2 leading-normal">
          {prompt === undefined ? "No prompt" : visibleLine(prompt, 120)}
        </p>
      )}
      {has("model") && (
        <p dir="auto" className="m-0 mt-1 truncate px-0.5 text-xs text-ink-2 leading-normal">
          {visibleLine(model, 80)}
        </p>
      )}
      {(has("seed") || has("price") || has("time")) && (
        <p className="m-0 mt-1.5 flex gap-2 px-0.5 text-xs text-ink-3 leading-normal tabular-nums">
          <span className="min-w-0 flex-1 truncate">{has("seed") && seed !== undefined && `Seed ${seed}`}</span>
          {has("price") && <span className="text-ink-2">{words.price}</span>}
          {has("time") && words.time && <span>{words.time}</span>}
        </p>
      )}
    </Part>
  );
});

/** The height of the lines under a picture, in pixels. Must match the margins and line heights of `SheetCell`. */
export function captionHeight(captions: readonly CaptionPart[], hasLead: boolean): number {
  const line = (part: CaptionPart) => (captions.includes(part) ? 22 : 0);
  const last = captions.some((part) => part === "seed" || part === "price" || part === "time") ? 24 : 0;
  return rem((hasLead ? 24 : 0) + line("prompt") + line("model") + last);
}

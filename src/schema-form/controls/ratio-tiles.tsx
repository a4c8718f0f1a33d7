import { useId } from "react";
import type { FieldIds } from "#ui/field.tsx";
import { ratioOf } from "../read/options.ts";

/** The longest side of a drawn shape. */
const SIDE = 20;
/** About the width of a letter of a label, so that none is cut. */
const LETTER = 7;
/** Between two tiles. */
const GAP = 2;
/** About the width of the group in the form, on a desk and on a phone. */
const ROOM = 336;

/**
 * The columns of a group, for `grid-template-columns`: as many as fit, but where they need several rows, so few that the
 * rows are about equally full, and no tile stands alone below the others.
 */
function columnsFor(labels: readonly string[]): string {
  const least = Math.max(46, Math.max(...labels.map((label) => label.length)) * LETTER + 12);
  const fitting = Math.max(1, Math.floor((ROOM + GAP) / (least + GAP)));
  const most = Math.ceil(labels.length / Math.ceil(labels.length / fitting));
  // Half a pixel less than the share, so that rounding takes no column away.
  const share = labels.length > fitting ? `calc((100% - ${(most - 1) * GAP}px) / ${most} - 0.5px)` : "0px";
  return `repeat(auto-fill, minmax(max(${least}px, ${share}), 1fr))`;
}

function Shape({ text }: { text: string }) {
  const ratio = ratioOf(text);
  const width = ratio === undefined ? SIDE * 0.8 : ratio >= 1 ? SIDE : SIDE * ratio;
  const height = ratio === undefined ? SIDE * 0.8 : ratio >= 1 ? SIDE / ratio : SIDE;
  const line = ratio === undefined ? "border-dashed" : "";
  return (
    <span aria-hidden="true" className="grid h-[22px] place-items-center">
      <span
        className={`block rounded-[2px] border-[1.5px] border-current ${line}`}
        style={{ width: `${Math.max(4, width)}px`, height: `${Math.max(4, height)}px` }}
      />
    </span>
  );
}

interface RatioTilesProps {
  label: string;
  ids: FieldIds;
  tiles: readonly { value: string; label: string; text: string }[];
  value: string | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** A choice of proportions, each drawn to shape. Native radio inputs: one tab stop, arrow keys move and choose. */
export function RatioTiles({ label, ids, tiles, value, onChange, onBlur }: RatioTilesProps) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={ids.labelId ? undefined : label}
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid || undefined}
      style={{ gridTemplateColumns: columnsFor(tiles.map((tile) => tile.label)) }}
      className="grid gap-0.5 rounded-sm border border-line bg-well p-0.5 aria-invalid:border-failed"
    >
      {tiles.map((tile) => (
        <label
          key={tile.value}
          className="relative flex min-h-11 flex-col items-center justify-center gap-0.5 rounded-[5px] px-1 py-1 text-[11.5px] text-ink-2 transition-[background-color,color] duration-150 hover:text-ink has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-checked:shadow-selected has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={tile.value}
            checked={tile.value === value}
            onChange={() => onChange(tile.value)}
            onBlur={onBlur}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-[5px] outline-none"
          />
          <Shape text={tile.text} />
          <span className="pointer-events-none relative max-w-full truncate tabular-nums leading-4">{tile.label}</span>
        </label>
      ))}
    </div>
  );
}

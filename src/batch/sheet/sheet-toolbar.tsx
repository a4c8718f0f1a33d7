import { clsx } from "clsx";
import { ArrowLeftRight, CircleDashed, type LucideIcon, Star, X } from "lucide-react";
import { useId } from "react";
import { resultCommands } from "#results/commands.ts";
import { CommandButton } from "#ui/command-button.tsx";
import type { CommandInfo } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { Slider } from "#ui/slider.tsx";
import { sheetCommands } from "../commands.ts";
import { CaptionMenu } from "./caption-menu.tsx";
import { ExportMenu } from "./selection-bar.tsx";
import { NO_AXIS, type SheetAxis } from "./sheet-axes.ts";
import { type CaptionPart, FILTERS, type SheetFilter } from "./sheet-results.ts";
import type { InnerAxis, Sheet } from "./use-sheet.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface SheetToolbarProps {
  sheet: Sheet;
  acts: SheetActs;
  captions: readonly CaptionPart[];
  onCaptions: (captions: readonly CaptionPart[]) => void;
  /** How wide a cell is, in pixels. */
  zoom: number;
  onZoom: (zoom: number) => void;
}

export const MIN_ZOOM = 100;
export const MAX_ZOOM = 520;

/** What the sheet shows: its axes, its filters, what stands under a cell, and how large cells are. */
export function SheetToolbar({ sheet, acts, captions, onCaptions, zoom, onZoom }: SheetToolbarProps) {
  const { chosen, axes, inner, setAxes, setInner } = sheet;
  const swap = {
    ...sheetCommands.swap,
    icon: ArrowLeftRight,
    unavailable: chosen.columns || chosen.rows ? undefined : "This sheet has neither columns nor rows by a setting.",
    run: () => setAxes(chosen.rows, chosen.columns),
  };
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-2 gap-y-1.5 border-line border-b px-4 py-1.5 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-3">
      {axes.length > 0 && (
        <div className="flex flex-wrap items-center gap-1 max-md:shrink-0 max-md:flex-nowrap">
          <AxisSelect
            label="Columns"
            axes={axes}
            value={chosen.columns}
            onChange={(axis) => setAxes(axis, axis === chosen.rows ? chosen.columns : chosen.rows)}
          />
          <CommandButton isIcon size="sm" variant="ghost" command={swap} className="text-ink-3!" />
          <AxisSelect
            label="Rows"
            axes={axes}
            value={chosen.rows}
            onChange={(axis) => setAxes(axis === chosen.columns ? chosen.rows : chosen.columns, axis)}
          />
          {inner.map((one) => (
            <InnerSelect key={one.axis.id} inner={one} onChange={(value) => setInner(one.axis.id, value)} />
          ))}
        </div>
      )}
      {axes.length > 0 && <span aria-hidden className="mx-1.5 h-5 w-px bg-line max-md:hidden" />}
      <FilterChips sheet={sheet} />
      <div className="ms-auto flex shrink-0 items-center gap-3">
        <ExportMenu hasZip acts={acts} />
        <CaptionMenu captions={captions} onChange={onCaptions} />
        <Slider
          aria-label="Size of the results"
          aria-valuetext={`${Math.round(zoom)} pixels wide`}
          min={MIN_ZOOM}
          max={MAX_ZOOM}
          step={10}
          value={zoom}
          onChange={(event) => onZoom(Number(event.currentTarget.value))}
          className="w-24 max-md:hidden"
        />
      </div>
    </div>
  );
}

interface ChipSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isOutlined?: boolean;
  options: readonly { value: string; label: string }[];
}

/** A choice as a chip: its name and what is chosen, with the platform's own list behind it. */
function ChipSelect({ label, value, onChange, isOutlined = false, options }: ChipSelectProps) {
  const id = useId();
  const chosen = options.find((option) => option.value === value)?.label ?? "";
  return (
    <span
      data-field=""
      className={clsx(
        "relative inline-flex min-h-7 max-w-[260px] items-center gap-1.5 rounded-sm px-2 text-[12.5px] pointer-coarse:min-h-11",
        "hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus",
        isOutlined ? "border border-line" : "bg-raised",
      )}
    >
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <bdi aria-hidden className="min-w-0 truncate text-ink-3">
        {chosen}
      </bdi>
      <select
        id={id}
        value={value}
        title={chosen}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0 [&>option]:bg-panel [&>option]:text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

interface AxisSelectProps {
  label: string;
  axes: readonly SheetAxis[];
  value: SheetAxis | undefined;
  onChange: (axis: SheetAxis | undefined) => void;
}

function AxisSelect({ label, axes, value, onChange }: AxisSelectProps) {
  return (
    <ChipSelect
      label={label}
      value={value?.id ?? NO_AXIS}
      onChange={(id) => onChange(axes.find((axis) => axis.id === id))}
      options={[...axes.map(({ id, label: name }) => ({ value: id, label: name })), { value: NO_AXIS, label: "None" }]}
    />
  );
}

/** The first option stands for all. */
const ALL = "all:";

function InnerSelect({ inner, onChange }: { inner: InnerAxis; onChange: (value: string | undefined) => void }) {
  const { axis, value } = inner;
  return (
    <ChipSelect
      isOutlined
      label={axis.label}
      value={value === undefined ? ALL : `value:${value}`}
      onChange={(chosen) => onChange(chosen === ALL ? undefined : chosen.slice("value:".length))}
      options={[
        { value: ALL, label: "All" },
        ...axis.values.map(({ id, title }) => ({ value: `value:${id}`, label: title })),
      ]}
    />
  );
}

const FILTER_WORDS: Record<SheetFilter, { word: string; icon?: LucideIcon; command?: CommandInfo }> = {
  all: { word: "All" },
  starred: { word: "Starred", icon: Star, command: resultCommands.star },
  rejected: { word: "Rejected", icon: X, command: resultCommands.reject },
  unfinished: { word: "Unfinished", icon: CircleDashed },
};

/** Which results are shown, with how many there are of each kind. The keys are those that make a result one of them. */
function FilterChips({ sheet: { filter, counts, setFilter } }: { sheet: Sheet }) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label="Results shown"
      className="flex flex-wrap items-center gap-0.5 max-md:shrink-0 max-md:flex-nowrap"
    >
      {FILTERS.map((one) => {
        const { word, icon: Icon, command } = FILTER_WORDS[one];
        return (
          <label
            key={one}
            className={clsx(
              "relative inline-flex min-h-7 items-center gap-1.5 rounded-sm px-2 text-[12.5px] text-ink-2 tabular-nums",
              "transition-colors duration-150 hover:text-ink pointer-coarse:min-h-11",
              "has-checked:bg-hover has-checked:font-medium has-checked:text-ink",
              "has-focus-visible:outline-2 has-focus-visible:outline-focus",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={filter === one}
              onChange={() => setFilter(one)}
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-sm outline-none"
            />
            {Icon && <Icon aria-hidden className="size-3.5" />}
            <span className="pointer-events-none relative">
              {word} {counts[one].toLocaleString("en-US")}
            </span>
            {command && <Kbd command={command} className="pointer-events-none relative" />}
          </label>
        );
      })}
    </div>
  );
}

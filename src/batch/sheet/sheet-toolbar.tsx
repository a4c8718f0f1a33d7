import { clsx } from "clsx";
import { ArrowLeftRight, ChevronDown, CircleDashed, Download, type LucideIcon, Star, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { formatNumber } from "#lib/numbers.ts";
import { resultCommands } from "#results/commands.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import type { Command, CommandInfo } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { popupClass, useAnchoredPopover, useLeave } from "#ui/popover.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { Slider } from "#ui/slider.tsx";
import { sheetCommands } from "../commands.ts";
import { NO_AXIS, type SheetAxis } from "./sheet-axes.ts";
import { CAPTION_WORDS, CAPTIONS, type CaptionPart, FILTERS, type SheetFilter } from "./sheet-results.ts";
import type { InnerAxis, Sheet } from "./use-sheet.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface SheetToolbarProps {
  sheet: Sheet;
  acts: SheetActs;
  captions: readonly CaptionPart[];
  onCaptions: (captions: readonly CaptionPart[]) => void;
  /** The width of a cell in pixels. */
  zoom: number;
  onZoom: (zoom: number) => void;
}

/** Widths of a cell in pixels. */
export const MIN_ZOOM = 100;
export const MAX_ZOOM = 520;

/** The controls above the sheet: axes, filters, exports, captions, and the size of cells. */
export function SheetToolbar({ sheet, acts, captions, onCaptions, zoom, onZoom }: SheetToolbarProps) {
  const { chosen, axes, inner, setAxes, setInner } = sheet;
  const swap = {
    ...sheetCommands.swap,
    icon: ArrowLeftRight,
    unavailable: chosen.columns || chosen.rows ? undefined : "Choose a setting for rows or columns first",
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
          aria-label="Result size"
          aria-valuetext={`${formatNumber(Math.round(zoom))} pixels wide`}
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

/** A chip with a name and the chosen value, over an invisible native select. */
function ChipSelect({ label, value, onChange, isOutlined = false, options }: ChipSelectProps) {
  const id = useId();
  const chosen = options.find((option) => option.value === value)?.label ?? "";
  return (
    <span
      data-field=""
      className={clsx(
        "relative inline-flex min-h-7 max-w-65 items-center gap-1.5 rounded-sm px-2 text-sm pointer-coarse:min-h-11",
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

/** The option that shows all values. Others begin with `value:`, so that none can equal it. */
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
  rejected: { word: "Hidden", icon: X, command: resultCommands.reject },
  unfinished: { word: "Unfinished", icon: CircleDashed },
};

/** The filters with their counts. The shortcut on a chip stars or rejects a result; it does not switch the filter. */
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
              "relative inline-flex min-h-7 items-center gap-1.5 rounded-sm px-2 text-sm text-ink-2 tabular-nums",
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
              {word} {formatNumber(counts[one])}
            </span>
            {command && <Kbd command={command} className="pointer-events-none relative" />}
          </label>
        );
      })}
    </div>
  );
}

interface CaptionMenuProps {
  captions: readonly CaptionPart[];
  onChange: (captions: readonly CaptionPart[]) => void;
}

/** A button that says which captions are shown, such as "Seed, price, time", and opens checkboxes for them. */
function CaptionMenu({ captions, onChange }: CaptionMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  useAnchoredPopover({ open: isOpen, anchor: root, popup, align: "end" });
  useLeave(isOpen, root, () => setIsOpen(false));
  useEffect(() => {
    if (isOpen) popup.current?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
  }, [isOpen]);
  const words = captions.map((part) => CAPTION_WORDS[part]).join(", ");
  const shown = words === "" ? "No captions" : `${words.charAt(0)}${words.slice(1).toLowerCase()}`;
  return (
    <span ref={root} className="inline-flex">
      <Button
        ref={anchor}
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`Captions: ${shown}`}
        onClick={() => setIsOpen(!isOpen)}
        className="text-ink-2!"
      >
        {shown}
        <ChevronDown aria-hidden className="-mr-1 size-4 text-ink-3" />
      </Button>
      {isOpen && (
        <fieldset
          ref={popup}
          id={id}
          aria-label="Captions"
          className={popupClass("w-48 p-1.5!")}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            setIsOpen(false);
            anchor.current?.focus();
          }}
        >
          {CAPTIONS.map((part) => (
            <div
              key={part}
              className="relative flex min-h-7.5 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-hover pointer-coarse:min-h-11"
            >
              <Checkbox
                id={`${id}-${part}`}
                checked={captions.includes(part)}
                onChange={() => onChange(CAPTIONS.filter((one) => captions.includes(one) !== (one === part)))}
                className="z-10"
              />
              <label htmlFor={`${id}-${part}`} className="flex-1 cursor-pointer after:absolute after:inset-0">
                {CAPTION_WORDS[part]}
              </label>
            </div>
          ))}
        </fieldset>
      )}
    </span>
  );
}

interface SelectionBarProps {
  selected: readonly ItemView[];
  acts: SheetActs;
}

/** The acts on the selected results. Floats over the sheet. */
export function SelectionBar({ selected, acts }: SelectionBarProps) {
  const { compare, zip, vary, next, join, clear, star, reject } = acts;
  return (
    <div
      role="toolbar"
      aria-label="Selected results"
      className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-1.5 max-md:flex-nowrap max-md:justify-start max-md:overflow-x-auto rounded-lg border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-float max-sm:pl-2"
    >
      <span role="status" className="mr-1.5 shrink-0 whitespace-nowrap font-medium tabular-nums">
        {formatNumber(selected.length)} selected
      </span>
      <Act command={star} isIcon />
      <Act command={reject} isIcon />
      {compare && <Act command={compare} />}
      <Act command={zip} />
      <ExportMenu acts={acts} />
      <Act command={vary} />
      {join && <Act command={join} />}
      <Act command={next} isPrimary />
      <Button size="sm" variant="ghost" onClick={clear.run} {...useCommandProps(clear)} aria-label={clear.label}>
        <Kbd command={clear} className="border-0" />
        <span className="hidden pointer-coarse:inline">Clear</span>
      </Button>
    </div>
  );
}

interface ActProps {
  command: Command;
  isPrimary?: boolean;
  /** Shows only the icon. */
  isIcon?: boolean;
}

function Act({ command, isPrimary = false, isIcon = false }: ActProps) {
  const { icon: Icon, label, unavailable, run } = command;
  return (
    <Button
      size="sm"
      square={isIcon}
      variant={isPrimary ? "primary" : "outline"}
      aria-disabled={unavailable !== undefined || undefined}
      title={unavailable ?? (isIcon ? label : undefined)}
      aria-label={isIcon ? label : undefined}
      onClick={run}
      {...useCommandProps(command)}
      className="whitespace-nowrap!"
    >
      {Icon && <Icon aria-hidden className="size-4" />}
      {!isIcon && label}
    </Button>
  );
}

/** Exports the selected results, or all that are shown, as an image, a web page, or (`hasZip`) a zip. */
function ExportMenu({ acts: { png, html, zip }, hasZip = false }: { acts: SheetActs; hasZip?: boolean }) {
  const items = [png, html, ...(hasZip ? [zip] : [])];
  return (
    <Menu
      label="Export sheet"
      align="end"
      items={items.map(({ id, label, icon, unavailable, run }) => ({
        label,
        icon,
        command: { id },
        disabled: unavailable !== undefined,
        onSelect: run,
      }))}
      className={
        "inline-flex min-h-6.5 shrink-0 cursor-pointer select-none items-center gap-2 whitespace-nowrap rounded-sm border border-line-strong px-2 font-medium text-sm hover:bg-hover pointer-coarse:min-h-11"
      }
    >
      <Download aria-hidden className="size-4" />
      Export sheet
    </Menu>
  );
}

import { X } from "lucide-react";
import { useId } from "react";
import { sameJson } from "#lib/read.ts";
import { IconButton } from "#ui/button.tsx";
import { Checkbox, Switch } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { type FieldIds, Select } from "#ui/field.tsx";
import { rem } from "#ui/rem.ts";
import { Segmented } from "#ui/segmented.tsx";
import type { BooleanField, ChoiceField, ChoicesField, Option } from "../read/field.ts";
import { optionKeys, optionLabel, optionText, readRatio } from "../read/options.ts";
import type { ControlProps } from "./control-props.ts";
import { fitsSegments, fitsTiles, listedOptions } from "./is-group-control.ts";

const indexOf = (options: readonly Option[], value: unknown) =>
  options.findIndex((option) => sameJson(option.value, value));

/**
 * Real listings write a default as 512 and its option as "512" (in-the-wild 5): the option is shown.
 */
function defaultIndex(options: readonly Option[], value: unknown): number {
  const exact = indexOf(options, value);
  if (exact >= 0 || value === undefined) return exact;
  return options.findIndex((option) => optionText(option.value) === optionText(value));
}

/**
 * Options as tiles drawn to shape, as segments (up to five short ones), or as a list that is typed to narrow. The
 * chosen value is sent exactly as listed.
 */
export function ChoiceControl({ field, value, onChange, onBlur, ids }: ControlProps<ChoiceField>) {
  const listed = listedOptions(field);
  // A value that the listing does not know (from a job, or typed as JSON) stays and is shown.
  const isForeign = value !== undefined && indexOf(listed, value) < 0;
  const options = isForeign ? [...listed, { value, label: optionLabel(value) }] : listed;
  const shownIndex = value === undefined ? defaultIndex(options, field.defaultValue) : indexOf(options, value);
  const keys = optionKeys(options);
  const choose = (key: string | undefined) =>
    onChange(key === undefined ? undefined : options[keys.indexOf(key)]?.value);
  const shownKey = shownIndex < 0 ? undefined : keys[shownIndex];
  const choices = options.map((option, index) => ({ value: keys[index] ?? "", label: option.label }));
  if (fitsTiles(field)) {
    const tiles = choices.map((choice, index) => ({ ...choice, text: optionText(options[index]?.value ?? "") }));
    return (
      <RatioTiles label={field.label} ids={ids} tiles={tiles} value={shownKey} onChange={choose} onBlur={onBlur} />
    );
  }
  if (fitsSegments(options)) {
    return (
      <Segmented
        label={field.label}
        labelledBy={ids.labelId}
        describedBy={ids.describedBy}
        invalid={ids.invalid}
        options={choices}
        value={shownKey}
        onChange={choose}
        onBlur={onBlur}
      />
    );
  }
  if (options.length > 5) {
    return (
      <Combobox
        id={ids.id}
        describedBy={ids.describedBy}
        invalid={ids.invalid}
        required={field.required}
        placeholder="Choose or type to search"
        options={choices}
        value={shownKey}
        onChange={choose}
        onBlur={onBlur}
      />
    );
  }
  return (
    <Select
      id={ids.id}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid || undefined}
      aria-required={field.required || undefined}
      value={shownKey ?? ""}
      onChange={(event) =>
        choose(event.target.selectedIndex === 0 && shownKey === undefined ? undefined : event.target.value)
      }
      onBlur={onBlur}
    >
      {shownKey === undefined && <option value="">{field.required ? "Choose one" : "Not set"}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </Select>
  );
}

/** Up to this many options have a checkbox each; of more, those wanted are searched and added. */
const MAX_CHECKBOXES = 12;

/** Several of the options. Their order is the order in which they were taken; a value taken twice stays twice. */
export function ChoicesControl({ field, value, onChange, onBlur, ids }: ControlProps<ChoicesField>) {
  const shown = value === undefined ? field.defaultValue : value;
  const taken: readonly unknown[] = Array.isArray(shown) ? shown : [];
  const keys = optionKeys(field.options);
  const isTaken = (option: unknown) => taken.some((item) => sameJson(item, option));
  const without = (option: unknown) => taken.filter((item) => !sameJson(item, option));
  if (field.options.length <= MAX_CHECKBOXES) {
    return (
      <fieldset
        aria-labelledby={ids.labelId}
        aria-describedby={ids.describedBy}
        className="m-0 flex flex-wrap gap-x-4 gap-y-1 border-0 p-0"
      >
        {field.options.map((option, index) => (
          <span key={keys[index]} className="flex min-h-7 items-center gap-2 text-ink-2">
            <Checkbox
              id={`${ids.id}-${index}`}
              checked={isTaken(option.value)}
              onChange={(event) => onChange(event.target.checked ? [...taken, option.value] : without(option.value))}
              onBlur={onBlur}
            />
            <label htmlFor={`${ids.id}-${index}`}>{option.label}</label>
          </span>
        ))}
      </fieldset>
    );
  }
  const rest = field.options
    .map((option, index) => ({ value: keys[index] ?? "", label: option.label, option }))
    .filter(({ option }) => !isTaken(option.value));
  return (
    <div className="flex flex-col gap-2">
      {taken.length > 0 && (
        <ul className="m-0 flex list-none flex-wrap gap-1.5 p-0">
          {taken.map((item) => (
            <li key={JSON.stringify(item)} className="flex items-center gap-1 rounded-sm bg-raised pl-2 text-sm">
              {field.options.find((option) => sameJson(option.value, item))?.label ?? optionLabel(item)}
              <IconButton label={`Remove ${optionLabel(item)}`} size="sm" onClick={() => onChange(without(item))}>
                <X aria-hidden="true" className="size-3.5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label={`Add to ${field.label}`}
        describedBy={ids.describedBy}
        invalid={ids.invalid}
        placeholder="Choose or type to search"
        options={rest}
        value={undefined}
        onChange={(key) => {
          const found = rest.find((choice) => choice.value === key);
          if (found) onChange([...taken, found.option.value]);
        }}
        onBlur={onBlur}
      />
    </div>
  );
}

/** On or off. Untouched it shows the service's own default and is not sent. */
export function BooleanControl({ field, value, onChange, onBlur, ids }: ControlProps<BooleanField>) {
  const shown = value === undefined ? field.defaultValue : value;
  return (
    <Switch
      id={ids.id}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid || undefined}
      checked={shown === true}
      onChange={(event) => onChange(event.target.checked)}
      onBlur={onBlur}
    />
  );
}

// Lengths of tiles, in px.
/** The longest side of a drawn shape. */
const SIDE = 20;
/** About the width of a letter of a label at a font size of 16 pixels, so that none is cut. */
const LETTER = 7;
/** Between two tiles. */
const GAP = 2;
/** The width of the narrowest tile, and what a tile needs around its label. */
const MIN_TILE = 46;
const TILE_PADDING = 12;
/** About the width of the group in the form, on a desk and on a phone. */
const GROUP_WIDTH = 336;

/**
 * The columns of a group, for `grid-template-columns`: as many as fit, but where they need several rows, so few that
 * the rows are about equally full, and no tile stands alone below the others.
 */
function columnsFor(labels: readonly string[]): string {
  const minWidth = Math.max(MIN_TILE, Math.max(...labels.map((label) => label.length)) * LETTER + TILE_PADDING);
  const fitting = Math.max(1, Math.floor((GROUP_WIDTH + GAP) / (rem(minWidth) + GAP)));
  const columns = Math.ceil(labels.length / Math.ceil(labels.length / fitting));
  // Half a pixel less than the share, so that rounding takes no column away.
  const share = labels.length > fitting ? `calc((100% - ${(columns - 1) * GAP}px) / ${columns} - 0.5px)` : "0px";
  return `repeat(auto-fill, minmax(min(100%, max(${minWidth / 16}rem, ${share})), 1fr))`;
}

function Shape({ text }: { text: string }) {
  const ratio = readRatio(text);
  const width = ratio === undefined ? SIDE * 0.8 : ratio >= 1 ? SIDE : SIDE * ratio;
  const height = ratio === undefined ? SIDE * 0.8 : ratio >= 1 ? SIDE / ratio : SIDE;
  const line = ratio === undefined ? "border-dashed" : "";
  return (
    <span aria-hidden="true" className="grid h-5.5 place-items-center">
      <span
        className={`block rounded-xs border-[1.5px] border-current ${line}`}
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
function RatioTiles({ label, ids, tiles, value, onChange, onBlur }: RatioTilesProps) {
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
          className="relative flex min-h-11 flex-col items-center justify-center gap-0.5 rounded-sm px-1 py-1 text-xs text-ink-2 transition-[background-color,color] duration-150 hover:text-ink has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-checked:shadow-selected has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={tile.value}
            checked={tile.value === value}
            onChange={() => onChange(tile.value)}
            onBlur={onBlur}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-sm outline-none"
          />
          <Shape text={tile.text} />
          <span className="pointer-events-none relative max-w-full truncate tabular-nums leading-tight">
            {tile.label}
          </span>
        </label>
      ))}
    </div>
  );
}

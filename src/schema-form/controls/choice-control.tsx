import { X } from "lucide-react";
import { sameJson } from "#lib/read.ts";
import { IconButton } from "#ui/button.tsx";
import { Checkbox, Switch } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { Select } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import type { BooleanField, ChoiceField, ChoicesField, Option } from "../read/field.ts";
import { optionKeys, optionLabel, optionText } from "../read/options.ts";
import type { ControlProps } from "./control-props.ts";
import { fitsSegments, fitsTiles, listedOptions } from "./is-group-control.ts";
import { RatioTiles } from "./ratio-tiles.tsx";

const indexOf = (options: readonly Option[], value: unknown) =>
  options.findIndex((option) => sameJson(option.value, value));

/** Real listings write a default as 512 and its option as "512" (in-the-wild 5): it is shown as that option. */
function defaultIndex(options: readonly Option[], value: unknown): number {
  const exact = indexOf(options, value);
  if (exact >= 0 || value === undefined) return exact;
  return options.findIndex((option) => optionText(option.value) === optionText(value));
}

/**
 * Options as tiles drawn to shape, as segments (up to five short ones), or as a list that is typed to narrow. The chosen
 * value is sent exactly as listed.
 */
export function ChoiceControl({ field, value, onChange, onBlur, ids }: ControlProps<ChoiceField>) {
  const listed = listedOptions(field);
  // A value that the listing does not know (from a job, or typed as JSON) stays and is shown.
  const foreign = value !== undefined && indexOf(listed, value) < 0;
  const options = foreign ? [...listed, { value, label: optionLabel(value) }] : listed;
  const shown = value === undefined ? defaultIndex(options, field.defaultValue) : indexOf(options, value);
  const keys = optionKeys(options);
  const choose = (key: string | undefined) =>
    onChange(key === undefined ? undefined : options[keys.indexOf(key)]?.value);
  const shownKey = shown < 0 ? undefined : keys[shown];
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

/** How many options are ticked one by one; more are searched and added. */
const TICKED = 12;

/** Several of the options. Their order is the order in which they were taken; a value taken twice stays twice. */
export function ChoicesControl({ field, value, onChange, onBlur, ids }: ControlProps<ChoicesField>) {
  const shown = value === undefined ? field.defaultValue : value;
  const taken: readonly unknown[] = Array.isArray(shown) ? shown : [];
  const keys = optionKeys(field.options);
  const isTaken = (option: unknown) => taken.some((item) => sameJson(item, option));
  const without = (option: unknown) => taken.filter((item) => !sameJson(item, option));
  if (field.options.length <= TICKED) {
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
            <li key={JSON.stringify(item)} className="flex items-center gap-1 rounded-sm bg-raised pl-2 text-[12.5px]">
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

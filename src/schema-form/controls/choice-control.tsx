import { Segmented } from "#ui/segmented.tsx";
import { Select } from "#ui/select.tsx";
import { fitsSegments, fitsTiles, listedOptions } from "../form/is-group-control.ts";
import type { ChoiceField, Option } from "../read/field.ts";
import { optionKeys } from "../read/option-keys.ts";
import { optionLabel, optionText } from "../read/option-label.ts";
import { sameJson } from "../read/same-json.ts";
import type { ControlProps } from "./control-props.ts";
import { LongList } from "./long-list.tsx";
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
      <LongList
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

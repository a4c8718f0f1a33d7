import { X } from "lucide-react";
import { Checkbox } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { ChoicesField } from "../read/field.ts";
import { optionKeys } from "../read/option-keys.ts";
import { optionLabel } from "../read/option-label.ts";
import { sameJson } from "../read/same-json.ts";
import type { ControlProps } from "./control-props.ts";

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

import { Switch } from "#ui/switch.tsx";
import type { BooleanField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";

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

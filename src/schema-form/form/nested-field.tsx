import { type ComponentType, useSyncExternalStore } from "react";
import { Field } from "#ui/field.tsx";
import type { ControlProps } from "../controls/control-props.ts";
import { fieldNote } from "./field-note.ts";
import { useFormContext } from "./form-context.ts";
import { isGroupControl } from "./is-group-control.ts";

/** What a composite control needs to draw the fields inside it. Passed in, so that no two files import each other. */
export type Control = ComponentType<ControlProps>;

export interface NestedFieldProps extends Omit<ControlProps, "ids"> {
  control: Control;
  /** The label is shown by something around it. */
  hideLabel?: boolean | undefined;
  /** Every part of the whole is required: saying it at each would be noise. */
  isPart?: boolean | undefined;
}

/** A field inside a group, a card or a variant: label, control, and the problem at its own place. */
export function NestedField({ control: FieldControl, hideLabel = false, isPart = false, ...props }: NestedFieldProps) {
  const { store } = useFormContext();
  const message = useSyncExternalStore(store.subscribe, () => store.messageAt(props.place));
  return (
    <Field
      label={props.field.label}
      note={fieldNote(props.field)}
      required={props.field.required && !hideLabel && !isPart}
      error={message}
      group={isGroupControl(props.field)}
      className={hideLabel ? "[&>div:first-child]:sr-only [&>div:last-child]:min-h-0" : undefined}
    >
      {(ids) => <FieldControl {...props} ids={ids} />}
    </Field>
  );
}

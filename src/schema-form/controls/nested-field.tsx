import { Field } from "#ui/field.tsx";
import { rangeText } from "../check/problems.ts";
import type { Field as SchemaField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";
import { isGroupControl } from "./is-group-control.ts";

interface NestedFieldProps extends Omit<ControlProps, "ids"> {
  /** The label is shown by something around it. */
  hideLabel?: boolean | undefined;
  /** Every part is required, so that no part shows it by itself. */
  isPart?: boolean | undefined;
}

/** A field inside a group, a card or a variant: label, control, and the problem at its own place. */
export function NestedField({ hideLabel = false, isPart = false, ...props }: NestedFieldProps) {
  const { field, context } = props;
  return (
    <Field
      label={field.label}
      note={fieldNote(field)}
      required={field.required && !hideLabel && !isPart}
      error={context.messageAt(props.place)}
      group={isGroupControl(field)}
      className={hideLabel ? "[&>div:first-child]:sr-only [&>div:last-child]:min-h-0" : undefined}
    >
      {(ids) => <context.Control {...props} ids={ids} />}
    </Field>
  );
}

/** A few words beside a label: the range with its unit, how many, how long. Undefined where there is nothing to add. */
export function fieldNote(field: SchemaField): string | undefined {
  if (field.kind === "number") {
    // The range of a 32-bit seed helps nobody.
    return field.role === "seed" ? undefined : (rangeText(field) ?? field.unit);
  }
  if (field.kind === "media" || field.kind === "list" || field.kind === "choices")
    return itemsText(field.minItems, field.maxItems);
  const units: Record<string, string> = { s: "in seconds", ms: "in milliseconds" };
  return field.unit === undefined ? undefined : (units[field.unit] ?? field.unit);
}

function itemsText(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined && least > 1)
    return least === most ? `exactly ${most}` : `${least} to ${most}`;
  if (most !== undefined) return `up to ${most}`;
  return least !== undefined && least > 1 ? `at least ${least}` : undefined;
}

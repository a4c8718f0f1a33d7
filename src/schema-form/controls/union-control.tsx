import { useState } from "react";
import { Segmented } from "#ui/segmented.tsx";
import { fitsField, variantOf } from "../check/fits-field.ts";
import { type Control, NestedField } from "../form/nested-field.tsx";
import { newValue } from "../form/new-value.ts";
import type { Field, UnionField } from "../read/field.ts";
import { pixelsOf } from "../read/ratio-of.ts";
import type { ControlProps } from "./control-props.ts";
import { GroupFields } from "./group-control.tsx";

/** What a newly chosen shape starts with: a custom size takes the pixels of the preset before it where it names them. */
function startOf(variant: Field, before: unknown): unknown {
  if (variant.kind === "choice" && variant.defaultValue === undefined) return undefined;
  if (variant.kind !== "group") return newValue(variant);
  const pixels = typeof before === "string" ? pixelsOf(before) : undefined;
  const sized = variant.fields.filter((inner) => inner.role === "width" || inner.role === "height");
  if (sized.length !== 2) return newValue(variant);
  const value = sized.map((inner) => {
    const known = inner.role === "width" ? pixels?.width : pixels?.height;
    const start = known ?? inner.defaultValue ?? Math.max(1024, inner.kind === "number" ? (inner.min ?? 0) : 0);
    return [inner.key, start];
  });
  return Object.fromEntries(value);
}

/** A value of one of several shapes: which one, and its own control. */
export function UnionControl({
  field,
  value,
  onChange,
  control,
  ids,
  ...props
}: ControlProps<UnionField> & { control: Control }) {
  const shown = value === undefined ? field.defaultValue : value;
  const told = variantOf(field.variants, shown);
  const [picked, setPicked] = useState<number>();
  const pickedVariant = picked === undefined ? undefined : field.variants[picked];
  const still = pickedVariant && (value === undefined || fitsField(pickedVariant, value));
  const index = still && picked !== undefined ? picked : Math.max(0, told);
  const variant = field.variants[index];
  const options = field.variants.map((each, at) => ({ value: String(at), label: each.label }));
  return (
    <div className="flex flex-col gap-2">
      <Segmented
        label={field.label}
        labelledBy={ids.labelId}
        describedBy={ids.describedBy}
        invalid={ids.invalid}
        options={options}
        value={String(index)}
        onChange={(next) => {
          const chosen = field.variants[Number(next)];
          setPicked(Number(next));
          if (chosen) onChange(startOf(chosen, shown));
        }}
        onBlur={props.onBlur}
      />
      {variant?.kind === "group" ? (
        <GroupFields {...props} field={variant} value={value} onChange={onChange} control={control} />
      ) : (
        variant && (
          <NestedField
            {...props}
            key={index}
            control={control}
            hideLabel
            field={{
              ...variant,
              label: field.label,
              required: false,
              defaultValue: variant.defaultValue ?? defaultFor(variant, field.defaultValue),
            }}
            value={value}
            onChange={onChange}
          />
        )
      )}
    </div>
  );
}

const defaultFor = (variant: Field, value: unknown) =>
  value !== undefined && fitsField(variant, value) ? value : undefined;

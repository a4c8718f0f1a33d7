import { type Control, NestedField } from "../form/nested-field.tsx";
import { newValue } from "../form/new-value.ts";
import type { TupleField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";

/** A fixed row of values. The first edit fills the others with what they start with. */
export function TupleControl({
  field,
  value,
  onChange,
  control,
  ids,
  ...props
}: ControlProps<TupleField> & { control: Control }) {
  const shown = value === undefined ? field.defaultValue : value;
  const items: readonly unknown[] = Array.isArray(shown) ? shown : [];
  function set(position: number, next: unknown) {
    const length = Math.max(items.length, field.items.length);
    const whole = Array.from({ length }, (_, at) => {
      const own = field.items[at];
      return at === position ? (next ?? null) : (items[at] ?? (own ? newValue(own) : null));
    });
    onChange(whole);
  }
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 grid grid-cols-[repeat(auto-fit,minmax(72px,1fr))] gap-3 border-0 p-0"
    >
      {field.items
        .map((item, position) => ({ item, position, id: `value${position}` }))
        .map(({ item, position, id }) => (
          <NestedField
            {...props}
            key={id}
            control={control}
            isPart
            field={item}
            value={items[position]}
            onChange={(next) => set(position, next)}
            place={`${props.place}/${position}`}
          />
        ))}
    </fieldset>
  );
}

import { useState } from "react";
import { isRecord } from "#lib/json.ts";
import { FoldButton } from "#ui/fold-button.tsx";
import { type Control, NestedField } from "../form/nested-field.tsx";
import type { Field, GroupField } from "../read/field.ts";
import { ownValue, withKey, withoutKey } from "../read/own-value.ts";
import type { ControlProps } from "./control-props.ts";

/** Groups of up to this many fields are open from the start. */
const OPEN_UP_TO = 3;

/** An object's fields without a fold: inside a card, and for width and height side by side. */
export function GroupFields({
  field,
  value,
  onChange,
  control,
  ...props
}: Omit<ControlProps<GroupField>, "ids"> & { control: Control }) {
  const record = isRecord(value) ? value : {};
  function set(inner: Field, next: unknown) {
    const changed = next === undefined ? withoutKey(record, inner.key) : withKey(record, inner.key, next);
    onChange(Object.keys(changed).length === 0 && !field.required ? undefined : changed);
  }
  const isPair = field.fields.length === 2 && field.fields.every((inner) => inner.kind === "number" && inner.role);
  return (
    <div className={isPair ? "grid grid-cols-2 gap-3" : "flex flex-col"}>
      {field.fields.map((inner) => (
        <NestedField
          {...props}
          key={inner.key}
          control={control}
          isPart={isPair}
          field={inner}
          value={ownValue(record, inner.key)}
          onChange={(next) => set(inner, next)}
          place={`${props.place}/${inner.key}`}
        />
      ))}
    </div>
  );
}

/** An object as a group that folds. Keys that the listing does not know stay in the object. */
export function GroupControl(props: ControlProps<GroupField> & { control: Control }) {
  const { field, value, ids } = props;
  const set = isRecord(value) ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useState(field.required || set > 0 || field.fields.length <= OPEN_UP_TO);
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 min-w-0 rounded-md border border-line p-0"
    >
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-md px-2 text-[12.5px] text-ink-2">
        {field.fields.length} {field.fields.length === 1 ? "setting" : "settings"}
        {set > 0 && <span className="ml-auto text-ink-3">{set} set</span>}
      </FoldButton>
      {isOpen && (
        <div className="px-3 pt-1">
          <GroupFields {...props} />
        </div>
      )}
    </fieldset>
  );
}

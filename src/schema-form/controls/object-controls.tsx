import { Plus, X } from "lucide-react";
import { useEffect, useState } from "react";
import { isRecord, type JsonRecord, ownValue, withKey, withoutKey } from "#lib/read.ts";
import { Button, FoldButton, IconButton } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { fitsField, variantOf } from "../check/fits-field.ts";
import type { Field, GroupField, MapField, UnionField } from "../read/field.ts";
import { pixelsOf } from "../read/options.ts";
import { type ControlProps, placeIn } from "./control-props.ts";
import { NestedField } from "./nested-field.tsx";
import { newValue } from "./new-value.ts";

/** Groups of up to this many fields are open from the start. */
const OPEN_UP_TO = 3;

/** An object's fields without a fold: inside a card, and for width and height side by side. */
export function GroupFields({ field, value, onChange, ...props }: Omit<ControlProps<GroupField>, "ids">) {
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
          isPart={isPair}
          field={inner}
          value={ownValue(record, inner.key)}
          onChange={(next) => set(inner, next)}
          place={placeIn(props.place, inner.key)}
        />
      ))}
    </div>
  );
}

/** An object as a group that folds. Keys that the listing does not know stay in the object. */
export function GroupControl(props: ControlProps<GroupField>) {
  const { field, value, ids, place } = props;
  const { onRevealInside } = props.context;
  const set = isRecord(value) ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useState(field.required || set > 0 || field.fields.length <= OPEN_UP_TO);
  useEffect(() => onRevealInside(place, () => setOpen(true)), [onRevealInside, place]);
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
export function UnionControl({ field, value, onChange, ids, ...props }: ControlProps<UnionField>) {
  const shown = value === undefined ? field.defaultValue : value;
  const fitting = variantOf(field.variants, shown);
  const [picked, setPicked] = useState<number>();
  const pickedVariant = picked === undefined ? undefined : field.variants[picked];
  const still = pickedVariant && (value === undefined || fitsField(pickedVariant, value));
  const index = still && picked !== undefined ? picked : Math.max(0, fitting);
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
        <GroupFields {...props} field={variant} value={value} onChange={onChange} />
      ) : (
        variant && (
          <NestedField
            {...props}
            key={index}
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

function renameKey(record: JsonRecord, from: string, to: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

/** Names and values of the person's own: an object of any keys whose values share one shape. */
export function MapControl({ field, value, onChange, ids, ...props }: ControlProps<MapField>) {
  const record = isRecord(value) ? value : {};
  const [name, setName] = useState("");
  const taken = Object.hasOwn(record, name);
  function add() {
    if (name === "" || taken) return;
    onChange(withKey(record, name, newValue(field.item)));
    setName("");
  }
  function remove(key: string) {
    const rest = withoutKey(record, key);
    onChange(Object.keys(rest).length === 0 && !field.required ? undefined : rest);
  }
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0"
    >
      {Object.entries(record).map(([key, item]) => (
        <div key={key} className="flex items-start gap-1">
          <TextInput
            mono
            className="w-2/5 flex-none"
            aria-label={`Name ${key}`}
            defaultValue={key}
            onBlur={(event) => {
              const next = event.target.value;
              if (next !== key && !Object.hasOwn(record, next)) onChange(renameKey(record, key, next));
            }}
          />
          <div className="min-w-0 flex-1">
            <NestedField
              {...props}
              field={{ ...field.item, label: key || "Value" }}
              hideLabel
              value={item}
              onChange={(next) => onChange(withKey(record, key, next ?? newValue(field.item)))}
              place={placeIn(props.place, key)}
            />
          </div>
          <IconButton label={`Remove ${key}`} onClick={() => remove(key)}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      <div className="flex items-center gap-2">
        <TextInput
          mono
          aria-label={`New name in ${field.label}`}
          placeholder="Name"
          aria-invalid={taken || undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="outline" aria-disabled={name === "" || taken || undefined} onClick={add}>
          <Plus aria-hidden="true" className="size-4" />
          Add
        </Button>
      </div>
    </fieldset>
  );
}

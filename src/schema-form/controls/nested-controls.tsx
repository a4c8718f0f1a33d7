import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { counted } from "#lib/numbers.ts";
import { isRecord, type JsonRecord, ownValue, withKey, withoutKey } from "#lib/read.ts";
import { Button, FoldButton, IconButton } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { findBestVariantIndex, fitsField } from "../check/fits-field.ts";
import { rangeText } from "../check/problems.ts";
import { followEntries } from "../follow-entries.ts";
import type { GroupField, ListField, MapField, Field as SchemaField, TupleField, UnionField } from "../read/field.ts";
import { readPixels } from "../read/options.ts";
import { type ControlProps, placeIn } from "./control-props.ts";
import { isGroupControl } from "./is-group-control.ts";

let createdIds = 0;
const newId = () => {
  createdIds += 1;
  return `item${createdIds}`;
};

const NONE: readonly unknown[] = [];

/** The ids of a list's rows after a change from outside: an entry that is recognized has the same id. */
function followedIds(old: { items: readonly unknown[]; ids: readonly string[] }, items: readonly unknown[]): string[] {
  const newPositions = followEntries(old.items, items);
  return items.map((_, position) => old.ids[newPositions.indexOf(position)] ?? newId());
}

/** Repeated values as rows, repeated objects as cards: added, removed and put in order. */
export function ListControl({ field, value, onChange, ids, ...props }: ControlProps<ListField>) {
  const items: readonly unknown[] = Array.isArray(value) ? value : NONE;
  const [state, setState] = useState(() => ({ items, ids: items.map(newId) as readonly string[] }));
  const box = useRef<HTMLDivElement>(null);
  let rows = state.ids;
  // Changed from outside: a recognized entry stays in its row, and so does the focus.
  if (state.items !== items) {
    rows = followedIds(state, items);
    setState({ items, ids: rows });
  }
  const isObject = field.item.kind === "group";
  const name = field.item.label;

  function put(ids: readonly string[], next: readonly unknown[]) {
    setState({ items: next.length === 0 ? NONE : next, ids });
    onChange(next.length === 0 && !field.required ? undefined : next);
  }
  function move(position: number, step: number) {
    const reorder = <T,>(list: readonly T[]) => {
      const copy = [...list];
      const [moved] = copy.splice(position, 1);
      if (moved !== undefined) copy.splice(position + step, 0, moved);
      return copy;
    };
    const order = reorder(items.map((_, at) => at));
    put(
      reorder(rows),
      order.map((at) => items[at]),
    );
  }
  function remove(position: number) {
    put(
      rows.filter((_, at) => at !== position),
      items.filter((_, at) => at !== position),
    );
    box.current?.querySelector<HTMLElement>("[data-add]")?.focus();
  }
  const isFull = field.maxItems !== undefined && items.length >= field.maxItems;
  return (
    <div ref={box} className="flex flex-col gap-2">
      {items.map((item, position) => (
        <Row
          {...props}
          key={rows[position]}
          field={field.item}
          name={`${name} ${position + 1}`}
          isObject={isObject}
          value={item}
          onChange={(next) =>
            put(
              rows,
              items.map((old, at) => (at === position ? (next ?? newValue(field.item)) : old)),
            )
          }
          place={placeIn(props.place, position)}
          isFirst={position === 0}
          isLast={position === items.length - 1}
          onMove={(step) => move(position, step)}
          onRemove={() => remove(position)}
        />
      ))}
      <Button
        data-add=""
        variant="outline"
        size="sm"
        className="self-start"
        aria-disabled={isFull || undefined}
        aria-describedby={ids.describedBy}
        onClick={() => put([...rows, newId()], [...items, newValue(field.item)])}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add {name}
      </Button>
    </div>
  );
}

interface RowProps extends Omit<ControlProps, "ids"> {
  field: SchemaField;
  name: string;
  isObject: boolean;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: number) => void;
  onRemove: () => void;
}

function Row({ name, isObject, isFirst, isLast, onMove, onRemove, ...props }: RowProps) {
  const { field } = props;
  const buttons = (
    <span className="flex flex-none">
      <IconButton label={`Move ${name} up`} size="sm" aria-disabled={isFirst || undefined} onClick={() => onMove(-1)}>
        <ArrowUp aria-hidden="true" className="size-3.5" />
      </IconButton>
      <IconButton label={`Move ${name} down`} size="sm" aria-disabled={isLast || undefined} onClick={() => onMove(1)}>
        <ArrowDown aria-hidden="true" className="size-3.5" />
      </IconButton>
      <IconButton label={`Remove ${name}`} size="sm" onClick={onRemove}>
        <X aria-hidden="true" className="size-3.5" />
      </IconButton>
    </span>
  );
  if (isObject && field.kind === "group") {
    return (
      <fieldset aria-label={name} className="m-0 min-w-0 rounded-md border border-line px-3 pt-1.5 pb-0">
        <div className="flex items-center justify-between text-sm text-ink-2">
          {name}
          {buttons}
        </div>
        <GroupFields {...props} field={field} />
      </fieldset>
    );
  }
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <NestedField {...props} field={{ ...field, label: name }} hideLabel />
      </div>
      <div className="pt-1">{buttons}</div>
    </div>
  );
}

/** A fixed row of values. The first edit gives the others their starting values. */
export function TupleControl({ field, value, onChange, ids, ...props }: ControlProps<TupleField>) {
  const shown = value === undefined ? field.defaultValue : value;
  const items: readonly unknown[] = Array.isArray(shown) ? shown : [];
  function set(position: number, next: unknown) {
    const length = Math.max(items.length, field.items.length);
    const filled = Array.from({ length }, (_, at) => {
      const own = field.items[at];
      return at === position ? (next ?? null) : (items[at] ?? (own ? newValue(own) : null));
    });
    onChange(filled);
  }
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 grid grid-cols-[repeat(auto-fit,minmax(--spacing(18),1fr))] gap-3 border-0 p-0"
    >
      {field.items
        .map((item, position) => ({ item, position, id: `value${position}` }))
        .map(({ item, position, id }) => (
          <NestedField
            {...props}
            key={id}
            isPart
            field={item}
            value={items[position]}
            onChange={(next) => set(position, next)}
            place={placeIn(props.place, position)}
          />
        ))}
    </fieldset>
  );
}

/** Groups of up to this many fields are open from the start. */
const OPEN_UP_TO = 3;

/** An object's fields without a fold: inside a card, and for width and height side by side. */
function GroupFields({ field, value, onChange, ...props }: Omit<ControlProps<GroupField>, "ids">) {
  const record = isRecord(value) ? value : {};
  function set(inner: SchemaField, next: unknown) {
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
  const setCount = isRecord(value) ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useState(field.required || setCount > 0 || field.fields.length <= OPEN_UP_TO);
  useEffect(() => onRevealInside(place, () => setOpen(true)), [onRevealInside, place]);
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 min-w-0 rounded-md border border-line p-0"
    >
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-md px-2 text-sm text-ink-2">
        {counted(field.fields.length, "setting")}
        {setCount > 0 && <span className="ml-auto text-ink-3">{setCount} set</span>}
      </FoldButton>
      {isOpen && (
        <div className="px-3 pt-1">
          <GroupFields {...props} />
        </div>
      )}
    </fieldset>
  );
}

/**
 * The value that a newly chosen variant starts with. A custom size starts with the pixels that the old value (`before`)
 * names, such as a preset, else with 1024.
 */
function startOf(variant: SchemaField, before: unknown): unknown {
  if (variant.kind === "choice" && variant.defaultValue === undefined) return undefined;
  if (variant.kind !== "group") return newValue(variant);
  const pixels = typeof before === "string" ? readPixels(before) : undefined;
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
  const fitting = findBestVariantIndex(field.variants, shown);
  const [picked, setPicked] = useState<number>();
  const pickedVariant = picked === undefined ? undefined : field.variants[picked];
  const isPickValid = pickedVariant && (value === undefined || fitsField(pickedVariant, value));
  const index = isPickValid && picked !== undefined ? picked : Math.max(0, fitting);
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

const defaultFor = (variant: SchemaField, value: unknown) =>
  value !== undefined && fitsField(variant, value) ? value : undefined;

function renameKey(record: JsonRecord, from: string, to: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

/** Names and values of the person's own: an object of any keys whose values share one shape. */
export function MapControl({ field, value, onChange, ids, ...props }: ControlProps<MapField>) {
  const record = isRecord(value) ? value : {};
  const [name, setName] = useState("");
  const isNameTaken = Object.hasOwn(record, name);
  function add() {
    if (name === "" || isNameTaken) return;
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
          aria-label={`New ${field.label} name`}
          placeholder="Name"
          aria-invalid={isNameTaken || undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="outline" aria-disabled={name === "" || isNameTaken || undefined} onClick={add}>
          <Plus aria-hidden="true" className="size-4" />
          Add
        </Button>
      </div>
    </fieldset>
  );
}

/**
 * What a new item or a newly chosen shape starts with: its default, else the smallest value of its kind.
 */
function newValue(field: SchemaField): unknown {
  if (field.defaultValue !== undefined && field.defaultValue !== null) return field.defaultValue;
  switch (field.kind) {
    case "number":
      return field.asString ? String(field.min ?? 0) : (field.min ?? 0);
    case "boolean":
      return false;
    case "choice":
      return field.options[0]?.value ?? null;
    case "choices":
    case "list":
      return [];
    case "tuple":
      return field.items.map(newValue);
    case "group": {
      const required = field.fields.filter((inner) => inner.required);
      return Object.fromEntries(required.map((inner) => [inner.key, newValue(inner)]));
    }
    case "map":
      return {};
    case "media":
      return field.shape === "many" ? [] : "";
    case "colour":
      return field.form === "hex" ? "#000000" : field.form === "tuple" ? [0, 0, 0] : { r: 0, g: 0, b: 0 };
    case "union":
      return field.variants[0] ? newValue(field.variants[0]) : null;
    case "json":
      return null;
    case "text":
      return "";
    default:
      return field satisfies never;
  }
}

interface NestedFieldProps extends Omit<ControlProps, "ids"> {
  /** The label is shown by something around it. */
  hideLabel?: boolean | undefined;
  /** A part of a whole that needs all its parts, so none is marked as required by itself. */
  isPart?: boolean | undefined;
}

/** A field inside a group, a card or a variant: label, control, and the problem at its own place. */
function NestedField({ hideLabel = false, isPart = false, ...props }: NestedFieldProps) {
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

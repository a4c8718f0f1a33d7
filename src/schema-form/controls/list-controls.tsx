import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { Button, IconButton } from "#ui/button.tsx";
import { followEntries } from "../follow-entries.ts";
import type { Field, ListField, TupleField } from "../read/field.ts";
import { type ControlProps, placeIn } from "./control-props.ts";
import { NestedField } from "./nested-field.tsx";
import { newValue } from "./new-value.ts";
import { GroupFields } from "./object-controls.tsx";

let made = 0;
const newId = () => {
  made += 1;
  return `item${made}`;
};

const NONE: readonly unknown[] = [];

function followedIds(old: { items: readonly unknown[]; ids: readonly string[] }, items: readonly unknown[]): string[] {
  const places = followEntries(old.items, items);
  return items.map((_, position) => old.ids[places.indexOf(position)] ?? newId());
}

/** Repeated values as rows, repeated objects as cards: added, removed and put in order. */
export function ListControl({ field, value, onChange, ids, ...props }: ControlProps<ListField>) {
  const items: readonly unknown[] = Array.isArray(value) ? value : NONE;
  const [state, setState] = useState(() => ({ items, ids: items.map(newId) as readonly string[] }));
  const box = useRef<HTMLDivElement>(null);
  let rows = state.ids;
  // Set from outside: an entry keeps its row, and the focus in it, where it can be recognized.
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
    const swap = <T,>(list: readonly T[]) => {
      const copy = [...list];
      const [moved] = copy.splice(position, 1);
      if (moved !== undefined) copy.splice(position + step, 0, moved);
      return copy;
    };
    const order = swap(items.map((_, at) => at));
    put(
      swap(rows),
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
  const full = field.maxItems !== undefined && items.length >= field.maxItems;
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
        aria-disabled={full || undefined}
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
  field: Field;
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
        <div className="flex items-center justify-between text-[12.5px] text-ink-2">
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

/** A fixed row of values. The first edit fills the others with what they start with. */
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
      className="m-0 grid grid-cols-[repeat(auto-fit,minmax(72px,1fr))] gap-3 border-0 p-0"
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

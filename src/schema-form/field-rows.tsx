import { memo, useSyncExternalStore } from "react";
import type { Field } from "./field.ts";
import { FieldRow } from "./field-row.tsx";
import type { FormStore } from "./form-store.ts";
import { useProgressiveCount } from "./use-progressive-count.ts";

export interface NamedField {
  name: string;
  field: Field;
}

const GROUP = 10;
/** A form of more fields than this is long. */
const LONG = 30;

/** Ten rows that render together: a longer form renders only the groups that are new. */
const RowGroup = memo(function RowGroup({ rows, isLong }: { rows: readonly NamedField[]; isLong: boolean }) {
  return (
    // What is out of sight is not laid out. The margin gives focus rings the room that containment would cut off.
    <div className={isLong ? "-mx-1 px-1 [contain-intrinsic-size:auto_800px] [content-visibility:auto]" : undefined}>
      {rows.map(({ name, field }) => (
        <FieldRow key={name} name={name} field={field} />
      ))}
    </div>
  );
});

/** The rows of fields, the first at once and the others between other work; all of them once one is looked for. */
export function FieldRows({ store, groups }: { store: FormStore; groups: readonly (readonly NamedField[])[] }) {
  const isLookedFor = useSyncExternalStore(store.subscribe, store.isAttempted);
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const count = useProgressiveCount(total, isLookedFor);
  return groups
    .slice(0, Math.ceil(count / GROUP))
    .map((rows) => <RowGroup key={rows[0]?.name} rows={rows} isLong={total > LONG} />);
}

/** Fields in groups of ten. */
export function inGroups(fields: readonly NamedField[]): NamedField[][] {
  return Array.from({ length: Math.ceil(fields.length / GROUP) }, (_, at) =>
    fields.slice(at * GROUP, (at + 1) * GROUP),
  );
}

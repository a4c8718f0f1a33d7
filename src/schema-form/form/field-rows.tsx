import { memo, useCallback, useState, useSyncExternalStore } from "react";
import type { Field } from "../read/field.ts";
import { FieldRow } from "./field-row.tsx";
import type { FormStore } from "./form-store.ts";
import { GroupStandIn } from "./group-stand-in.tsx";
import { useProgressiveCount } from "./use-progressive-count.ts";

export interface NamedField {
  name: string;
  field: Field;
}

const GROUP = 6;
/** Groups that a long form has with its first paint. */
const FIRST_GROUPS = 2;
/** Groups that are siblings of each other. */
const LINK = 3;
/** A form of more fields than this is long. */
const LONG = 12;

/**
 * What is out of sight is not laid out. The groups of the first paint are in sight: asking whether they are is a second
 * layout. The margin gives focus rings the room that containment would cut off.
 */
const EARLY_LOOK = "-mx-1 px-1 contain-content";
const LATE_LOOK = "-mx-1 px-1 [contain-intrinsic-size:auto_400px] [content-visibility:auto]";

/** A few rows that render together: a longer form renders only the groups that are new. */
const RowGroup = memo(function RowGroup({ rows, look }: { rows: readonly NamedField[]; look: string | undefined }) {
  return (
    <div className={look}>
      {rows.map(({ name, field }) => (
        <FieldRow key={name} name={name} field={field} />
      ))}
    </div>
  );
});

/** A group of a long form: its controls are made when they come near, or when all of them are looked for. */
const LateGroup = memo(function LateGroup({
  rows,
  isLookedFor,
}: {
  rows: readonly NamedField[];
  isLookedFor: boolean;
}) {
  const [isWanted, setWanted] = useState(false);
  const want = useCallback(() => setWanted(true), []);
  if (!isWanted && isLookedFor) setWanted(true);
  return (
    <div>{isWanted ? <RowGroup rows={rows} look={LATE_LOOK} /> : <GroupStandIn rows={rows} onWanted={want} />}</div>
  );
});

interface ChainProps {
  groups: readonly (readonly NamedField[])[];
  /** How many groups stand before these. */
  before: number;
  isLong: boolean;
  isLate: boolean;
  isLookedFor: boolean;
}

/**
 * A few groups, and the rest of them one level down: React copies all siblings on the way to the field that is typed
 * into, so a flat list of forty groups costs a keystroke more than the field itself.
 */
function GroupChain({ groups, before, ...form }: ChainProps) {
  const { isLong, isLate, isLookedFor } = form;
  const rest = groups.slice(LINK);
  return (
    <>
      {groups
        .slice(0, LINK)
        .map((rows, at) =>
          isLate && before + at >= FIRST_GROUPS ? (
            <LateGroup key={rows[0]?.name} rows={rows} isLookedFor={isLookedFor} />
          ) : (
            <RowGroup key={rows[0]?.name} rows={rows} look={isLong ? EARLY_LOOK : undefined} />
          ),
        )}
      {rest.length > 0 && <GroupChain groups={rest} before={before + LINK} {...form} />}
    </>
  );
}

/**
 * The rows of fields. A short form has them all after the first paint; a long one makes the controls that are near, and
 * all of them once one is looked for.
 */
export function FieldRows({ store, groups }: { store: FormStore; groups: readonly (readonly NamedField[])[] }) {
  const isLookedFor = useSyncExternalStore(store.subscribe, store.isAttempted);
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const isLong = total > LONG;
  const isLate = isLong && typeof IntersectionObserver !== "undefined";
  const count = useProgressiveCount(total, isLookedFor || isLate);
  const shown = groups.slice(0, Math.ceil(count / GROUP));
  return <GroupChain groups={shown} before={0} isLong={isLong} isLate={isLate} isLookedFor={isLookedFor} />;
}

/** Fields in the groups that are drawn together. */
export function inGroups(fields: readonly NamedField[]): NamedField[][] {
  return Array.from({ length: Math.ceil(fields.length / GROUP) }, (_, at) =>
    fields.slice(at * GROUP, (at + 1) * GROUP),
  );
}

import { type FocusEvent, memo, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Field } from "../read/field.ts";
import { FieldRow } from "./field-row.tsx";
import { FOCUSABLE, type FormHandle } from "./form-handle.ts";
import { useIsSubmitted } from "./use-schema-form.ts";

export interface NamedField {
  name: string;
  field: Field;
}

const FIELDS_PER_GROUP = 6;
/** Groups that a long form has with its first paint. */
const FIRST_GROUPS = 2;
/** Groups side by side on one level of the tree: see `GroupChain`. */
const SIBLING_GROUPS = 3;
/** Fields. A form of more is long. */
const MAX_SHORT_FORM = 12;

/**
 * Groups out of sight are not laid out. Those of the first paint go without `content-visibility`, because to find out
 * whether they are in sight costs a second layout. The margin leaves room for focus rings, which containment would cut.
 */
const FIRST_CLASS = "-mx-1 px-1 contain-content";
const DEFERRED_CLASS = "-mx-1 px-1 [content-visibility:auto]";
/** About the height of a field in px. A line of the placeholder is as high, so that nothing jumps. */
const FIELD_HEIGHT = 72;

/** A few rows that render together: a longer form renders only the groups that are new. */
const RowGroup = memo(function RowGroup({
  rows,
  className,
}: {
  rows: readonly NamedField[];
  className: string | undefined;
}) {
  const isDeferred = className === DEFERRED_CLASS;
  return (
    <div
      className={className}
      style={isDeferred ? { containIntrinsicSize: `auto ${rows.length * FIELD_HEIGHT}px` } : undefined}
    >
      {rows.map(({ name, field }) => (
        <FieldRow key={name} name={name} field={field} />
      ))}
    </div>
  );
});

/** A group of a long form: its controls are made when they come near, or all of them once Run was pressed. */
const DeferredGroup = memo(function DeferredGroup({
  rows,
  isWhole,
}: {
  rows: readonly NamedField[];
  isWhole: boolean;
}) {
  const [isMade, setMade] = useState(false);
  const make = useCallback(() => setMade(true), []);
  if (!isMade && isWhole) setMade(true);
  return (
    <div>
      {isMade ? <RowGroup rows={rows} className={DEFERRED_CLASS} /> : <FieldPlaceholder rows={rows} onNeeded={make} />}
    </div>
  );
});

interface ChainProps {
  groups: readonly (readonly NamedField[])[];
  /** How many groups stand before these. */
  before: number;
  isLong: boolean;
  isDeferred: boolean;
  isWhole: boolean;
}

/**
 * A few groups, and the rest of them one level down: React copies all siblings on the way to the field that is typed
 * into, so a flat list of forty groups costs a keystroke more than the field itself.
 */
function GroupChain({ groups, before, ...shared }: ChainProps) {
  const { isLong, isDeferred, isWhole } = shared;
  const rest = groups.slice(SIBLING_GROUPS);
  return (
    <>
      {groups
        .slice(0, SIBLING_GROUPS)
        .map((rows, at) =>
          isDeferred && before + at >= FIRST_GROUPS ? (
            <DeferredGroup key={rows[0]?.name} rows={rows} isWhole={isWhole} />
          ) : (
            <RowGroup key={rows[0]?.name} rows={rows} className={isLong ? FIRST_CLASS : undefined} />
          ),
        )}
      {rest.length > 0 && <GroupChain groups={rest} before={before + SIBLING_GROUPS} {...shared} />}
    </>
  );
}

/**
 * The rows of fields. A short form has them all with the first paint; a long one makes the controls that are near, and
 * all of them once Run was pressed.
 */
export function FieldGroups({ form, groups }: { form: FormHandle; groups: readonly (readonly NamedField[])[] }) {
  const isWhole = useIsSubmitted(form);
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const isLong = total > MAX_SHORT_FORM;
  const isDeferred = isLong && typeof IntersectionObserver !== "undefined";
  return <GroupChain groups={groups} before={0} isLong={isLong} isDeferred={isDeferred} isWhole={isWhole} />;
}

/** Fields in the groups that are drawn together. */
export function inGroups(fields: readonly NamedField[]): NamedField[][] {
  return Array.from({ length: Math.ceil(fields.length / FIELDS_PER_GROUP) }, (_, at) =>
    fields.slice(at * FIELDS_PER_GROUP, (at + 1) * FIELDS_PER_GROUP),
  );
}

/**
 * Controls are made this far from the edges of the scrolling pane, or of the window in browsers without `scrollMargin`.
 */
const NEAR = "200px";
const margins = () =>
  "scrollMargin" in IntersectionObserver.prototype ? { scrollMargin: NEAR } : { rootMargin: NEAR };

interface FieldPlaceholderProps {
  rows: readonly NamedField[];
  /** Called once, when the controls of the group are needed. */
  onNeeded: () => void;
}

/**
 * The placeholder of a group of fields that is far out of sight: their labels, so that the page's own search finds
 * them, at about their height. It asks for the controls as it comes near, and when Tab or a press reaches it; the focus
 * then goes on to the first of them, or to the last where it came from below.
 */
function FieldPlaceholder({ rows, onNeeded }: FieldPlaceholderProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = ref;
    if (!current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onNeeded(),
      margins(),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [onNeeded]);

  function enter(event: FocusEvent<HTMLButtonElement>) {
    const { parentElement } = event.currentTarget;
    const from = event.relatedTarget;
    const isFromBelow =
      from instanceof Node && event.currentTarget.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING;
    flushSync(onNeeded);
    const controls = [...(parentElement?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    controls.at(isFromBelow ? -1 : 0)?.focus();
  }

  return (
    // One text, a line for each field: a long form has many of these, and every element is styled and laid out.
    <button
      type="button"
      ref={ref}
      onFocus={enter}
      className="block w-full overflow-hidden whitespace-pre text-left text-sm text-ink-3"
      style={{ lineHeight: `${FIELD_HEIGHT}px` }}
    >
      {rows.map(({ field }) => field.label.replaceAll("\n", " ")).join("\n")}
    </button>
  );
}

import { Dices } from "lucide-react";
import { useId, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { cellText, readCell } from "#batch/rows/cell-value.ts";
import { sameJson } from "#lib/read.ts";
import type { BooleanField, ChoiceField, NumberField, Field as ParameterField } from "#schema-form/read/field.ts";
import type { ParameterAxis } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { filterOptions } from "#ui/filter-options.ts";
import { hasValue, randomSeeds } from "./axis-edits.ts";
import { numberListText, readNumberList } from "./number-list.ts";

interface AxisEditorProps<F> {
  axis: ParameterAxis;
  field: F;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}

/** From so many options on there is a search. */
const MANY_OPTIONS = 12;

/** The options of a parameter, each of which can be taken, in the order of the listing. */
export function OptionsAxisEditor({ axis, field, label, onChange }: AxisEditorProps<ChoiceField>) {
  const [search, setSearch] = useState("");
  // A value that the listing does not know stays until it is taken out.
  const foreign = axis.values.filter((value) => !field.options.some((option) => sameJson(option.value, value)));
  const options = [...field.options, ...foreign.map((value) => ({ value, label: cellText(value) }))];
  const keyed = options.map((option, at) => ({ value: String(at), label: option.label, option }));
  const set = (wanted: (value: unknown) => boolean) =>
    onChange({ key: axis.key, values: options.map(({ value }) => value).filter(wanted) });
  const isAll = options.every(({ value }) => hasValue(axis.values, value));
  return (
    <CheckList
      label={label}
      search={options.length > MANY_OPTIONS ? { text: search, onChange: setSearch } : undefined}
      isAll={isAll}
      isSome={axis.values.length > 0}
      onAll={() => set(() => !isAll)}
      entries={filterOptions(keyed, search).map(({ value, label: name, option }) => ({
        id: value,
        label: name,
        isTaken: hasValue(axis.values, option.value),
        onToggle: () => {
          const isTaken = hasValue(axis.values, option.value);
          set((one) => (sameJson(one, option.value) ? !isTaken : hasValue(axis.values, one)));
        },
      }))}
    />
  );
}

/** A switch: on, off, or one run with each. */
export function BooleansAxisEditor({ axis, label, onChange }: AxisEditorProps<BooleanField>) {
  const toggle = (value: boolean) =>
    onChange({
      key: axis.key,
      values: [true, false].filter((one) => (one === value) !== hasValue(axis.values, one)),
    });
  return (
    <CheckList
      label={label}
      entries={[true, false].map((value) => ({
        id: String(value),
        label: value ? "On" : "Off",
        isTaken: hasValue(axis.values, value),
        onToggle: () => toggle(value),
      }))}
    />
  );
}

interface CheckListProps {
  label: string;
  search?: { text: string; onChange: (text: string) => void } | undefined;
  isAll?: boolean;
  isSome?: boolean;
  onAll?: () => void;
  entries: readonly { id: string; label: string; isTaken: boolean; onToggle: () => void }[];
}

function CheckList({ label, search, isAll = false, isSome = false, onAll, entries }: CheckListProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      {search && (
        <TextInput
          type="search"
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={search.text}
          onChange={(event) => search.onChange(event.target.value)}
        />
      )}
      <fieldset aria-label={label} className="m-0 flex min-w-0 flex-col border-0 p-0">
        {onAll && (
          <Row id={`${id}-all`} label="All" isTaken={isAll} isSome={isSome && !isAll} onToggle={onAll} isFirst />
        )}
        {entries.map((entry) => (
          <Row key={entry.id} {...entry} id={`${id}-${entry.id}`} />
        ))}
        {entries.length === 0 && <p className="m-0 py-2 text-ink-3">No matching options</p>}
      </fieldset>
    </div>
  );
}

function Row({
  id,
  label,
  isTaken,
  isSome = false,
  isFirst = false,
  onToggle,
}: {
  id: string;
  label: string;
  isTaken: boolean;
  isSome?: boolean;
  isFirst?: boolean;
  onToggle: () => void;
}) {
  return (
    <label
      htmlFor={id}
      className={`flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover pointer-coarse:min-h-11 ${isFirst ? "mb-1 text-ink-2" : ""}`}
    >
      <Checkbox id={id} checked={isTaken} indeterminate={isSome} onChange={onToggle} />
      <span dir="auto" className="wrap-anywhere">
        {label}
      </span>
    </label>
  );
}

/** Numbers as a list or a range. */
export function NumbersAxisEditor({ axis, field, label, onChange }: AxisEditorProps<NumberField>) {
  const { control, register } = useForm({ defaultValues: { text: numberListText(axis.values) } });
  const { values, problem } = readNumberList(field, useWatch({ control, name: "text" }));
  const bounds =
    field.min !== undefined && field.max !== undefined
      ? `${field.min} to ${field.max}${field.unit ? ` ${field.unit}` : ""}`
      : field.unit;
  return (
    <Field
      label={label}
      note={bounds}
      aside={<Count count={values.length} />}
      error={problem}
      hint="Numbers such as 1, 2.5, 5, or a range: 1..4, or 0..1..0.25 in steps."
    >
      {({ id, describedBy, invalid }) => (
        <TextInput
          id={id}
          mono
          autoComplete="off"
          aria-describedby={describedBy}
          aria-invalid={invalid}
          {...register("text", {
            onChange: ({ target }: { target: HTMLInputElement }) => {
              const read = readNumberList(field, target.value);
              if (read.problem === undefined) onChange({ key: axis.key, values: read.values });
            },
          })}
        />
      )}
    </Field>
  );
}

const MAX_SEEDS = 500;

const countText = (values: readonly unknown[]) => String(Math.max(1, values.length));

/** How many seeds are wanted; undefined where it is no number of the range. */
function readCount(text: string): number | undefined {
  const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= MAX_SEEDS ? count : undefined;
}

/** Seeds: so many random ones, or a list. They stay as they are until others are drawn. */
export function SeedsAxisEditor({ axis, field, label, onChange }: AxisEditorProps<NumberField>) {
  const { control, register, setValue } = useForm({
    defaultValues: { count: countText(axis.values), text: numberListText(axis.values) },
  });
  const [count, text] = useWatch({ control, name: ["count", "text"] });
  const wanted = readCount(count);
  const { values, problem } = readNumberList(field, text);
  function take(next: readonly unknown[]) {
    setValue("text", numberListText(next));
    onChange({ key: axis.key, values: next });
  }
  return (
    <div className="flex flex-col">
      <Field
        label="Random seeds"
        note={`1 to ${MAX_SEEDS}`}
        error={wanted !== undefined ? undefined : `A whole number from 1 to ${MAX_SEEDS}`}
      >
        {({ id, describedBy, invalid }) => (
          <div className="flex gap-2">
            <TextInput
              id={id}
              inputMode="numeric"
              className="w-24"
              aria-describedby={describedBy}
              aria-invalid={invalid}
              {...register("count", {
                onChange: ({ target }: { target: HTMLInputElement }) => {
                  const next = readCount(target.value);
                  if (next === undefined) return;
                  // Those that are there stay: fewer are the first of them, and others come behind.
                  const more = Math.max(0, next - values.length);
                  take([...values.slice(0, next), ...randomSeeds(field, more)]);
                },
              })}
            />
            <Button aria-disabled={wanted === undefined} onClick={() => take(randomSeeds(field, wanted ?? 0))}>
              <Dices aria-hidden="true" className="size-4" />
              Shuffle
            </Button>
          </div>
        )}
      </Field>
      <Field
        label={label}
        aside={<Count count={values.length} />}
        error={problem}
        hint="These seeds stay the same until you shuffle or change them."
      >
        {({ id, describedBy, invalid }) => (
          <TextArea
            id={id}
            mono
            rows={2}
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            {...register("text", {
              onChange: ({ target }: { target: HTMLTextAreaElement }) => {
                const read = readNumberList(field, target.value);
                if (read.problem !== undefined) return;
                setValue("count", countText(read.values));
                onChange({ key: axis.key, values: read.values });
              },
            })}
          />
        )}
      </Field>
    </div>
  );
}

/** One value per line, as a cell of the table has it: for parameters of any other kind. */
export function LinesAxisEditor({ axis, field, label, onChange }: AxisEditorProps<ParameterField | undefined>) {
  const { register } = useForm({ defaultValues: { text: axis.values.map((value) => cellText(value)).join("\n") } });
  return (
    <Field
      label={label}
      note="one value per line"
      aside={<Count count={axis.values.length} />}
      hint={field && field.kind !== "colour" ? "Lists and objects are written as JSON, each in one line." : undefined}
    >
      {({ id, describedBy }) => (
        <TextArea
          id={id}
          mono
          rows={4}
          spellCheck={false}
          aria-describedby={describedBy}
          {...register("text", {
            onChange: ({ target }: { target: HTMLTextAreaElement }) => {
              const lines = target.value.split("\n").filter((line) => line.trim() !== "");
              const values = lines.map((line) => readCell(field, line.trim())).filter((value) => value !== undefined);
              onChange({ key: axis.key, values });
            },
          })}
        />
      )}
    </Field>
  );
}

const Count = ({ count }: { count: number }) => (
  <span role="status" className="text-ink-2 tabular-nums">
    {count === 1 ? "1 value" : `${count} values`}
  </span>
);

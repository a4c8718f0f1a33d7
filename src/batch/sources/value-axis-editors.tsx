import { Dices, Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { cellText, readCell } from "#batch/rows/cell-value.ts";
import { counted } from "#lib/numbers.ts";
import { sameJson } from "#lib/read.ts";
import type { BooleanField, ChoiceField, NumberField, Field as ParameterField } from "#schema-form/read/field.ts";
import type { ParameterAxis } from "#storage/stored-batches.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { filterOptions } from "#ui/filter-options.ts";
import { Segmented } from "#ui/segmented.tsx";
import { hasValue, numberListText, randomSeeds, readNumberList, repeated, textAxis, unrepeated } from "./axis-edits.ts";
import { PromptLines, TextPreview } from "./prompt-lines.tsx";

interface AxisEditorProps<F> {
  axis: ParameterAxis;
  field: F;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}

/** With more options there is a search field. */
const MAX_UNSEARCHED = 12;

/** Chooses options of a parameter, which stay in the order of the model's list. */
export function OptionsAxisEditor({ axis, field, label, onChange }: AxisEditorProps<ChoiceField>) {
  const [search, setSearch] = useState("");
  // Values that are no options of the model are listed as well, so that they can be removed.
  const foreign = axis.values.filter((value) => !field.options.some((option) => sameJson(option.value, value)));
  const options = [...field.options, ...foreign.map((value) => ({ value, label: cellText(value) }))];
  const keyed = options.map((option, at) => ({ value: String(at), label: option.label, option }));
  const set = (wanted: (value: unknown) => boolean) =>
    onChange({ key: axis.key, values: options.map(({ value }) => value).filter(wanted) });
  const isAll = options.every(({ value }) => hasValue(axis.values, value));
  return (
    <CheckList
      label={label}
      search={options.length > MAX_UNSEARCHED ? { text: search, onChange: setSearch } : undefined}
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

/** Chooses on, off, or both. */
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

/** A text field for numbers and ranges. */
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
      hint="Enter numbers (1, 2.5, 5), a range (1..4) or a range with steps (0..1..0.25)."
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

/** Reads the number of seeds; undefined where it is not a whole number from 1 to `MAX_SEEDS`. */
function readCount(text: string): number | undefined {
  const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= MAX_SEEDS ? count : undefined;
}

/** Chooses random seeds by their number, or a list of seeds. Seeds stay the same until Shuffle is pressed. */
export function SeedsAxisEditor({ axis, field, label, onChange }: AxisEditorProps<NumberField>) {
  const { control, register, setValue } = useForm({
    defaultValues: { count: countText(axis.values), text: numberListText(axis.values) },
  });
  const [count, text] = useWatch({ control, name: ["count", "text"] });
  const wantedCount = readCount(count);
  const { values, problem } = readNumberList(field, text);
  function setSeeds(next: readonly unknown[]) {
    setValue("text", numberListText(next));
    onChange({ key: axis.key, values: next });
  }
  return (
    <div className="flex flex-col">
      <Field
        label="Random seeds"
        note={`1 to ${MAX_SEEDS}`}
        error={wantedCount !== undefined ? undefined : `Enter a whole number from 1 to ${MAX_SEEDS}`}
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
                  // Existing seeds stay: a smaller number leaves the first ones, a larger one adds new ones.
                  const more = Math.max(0, next - values.length);
                  setSeeds([...values.slice(0, next), ...randomSeeds(field, more)]);
                },
              })}
            />
            <Button
              aria-disabled={wantedCount === undefined}
              onClick={() => setSeeds(randomSeeds(field, wantedCount ?? 0))}
            >
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

/** For any other kind of parameter: a text area with one value per line, written as in a cell of the table. */
export function LinesAxisEditor({ axis, field, label, onChange }: AxisEditorProps<ParameterField | undefined>) {
  const { register } = useForm({
    defaultValues: { text: axis.values.map((value) => cellText(value, field)).join("\n") },
  });
  return (
    <Field
      label={label}
      note="one value per line"
      aside={<Count count={axis.values.length} />}
      hint={field && field.kind !== "colour" ? "Write each list or object as JSON on its own line." : undefined}
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
    {counted(count, "value")}
  </span>
);

const MAX_REPEATS = 100;

const PROMPT_WAYS = [
  { value: "lines", label: "One prompt per line" },
  { value: "boxes", label: "One prompt per box" },
] as const;
const VALUE_WAYS = [
  { value: "lines", label: "One value per line" },
  { value: "boxes", label: "One value per box" },
] as const;

/** The texts of an axis: one per line, with `{a|b}` and `{1..4}`; or each in its own box, where it can have line breaks. */
export function TextAxisEditor({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [way, setWay] = useState<"lines" | "boxes">(
    axis.text === undefined && axis.values.length > 0 ? "boxes" : "lines",
  );
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={`How ${label} is entered`}
        options={/^prompts?$/i.test(label) ? PROMPT_WAYS : VALUE_WAYS}
        value={way}
        onChange={(next) => {
          setWay(next);
          if (next === "lines") onChange(textAxis(axis.key, createTemplateText(axis.values)));
          else onChange({ key: axis.key, values: axis.values });
        }}
      />
      {way === "lines" ? (
        <TextLines axis={axis} label={label} onChange={onChange} />
      ) : (
        <TextBoxes axis={axis} label={label} onChange={onChange} />
      )}
    </div>
  );
}

/** Texts as lines of a template: line breaks inside a text become spaces, and braces are escaped. */
const createTemplateText = (values: readonly unknown[]): string =>
  values
    .map((value) => (typeof value === "string" ? value : "").trim().replace(/\s*[\r\n]+\s*/g, " "))
    .map((line) => line.replace(/[{}|]/g, "\\$&"))
    .join("\n");

function TextLines({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [start] = useState(() => unrepeated(axis.text ?? ""));
  const { control, register, setValue } = useForm({
    defaultValues: { text: start.text, times: String(start.times) },
  });
  const [text, times] = useWatch({ control, name: ["text", "times"] });
  const repeats = readTimes(times);
  const change = (nextText: string, nextTimes: number) =>
    onChange(textAxis(axis.key, nextTimes === 1 ? nextText : repeated(nextText, nextTimes)));
  return (
    <>
      <PromptLines
        label={label}
        text={text}
        onChange={(next) => {
          setValue("text", next);
          change(next, repeats ?? 1);
        }}
      />
      <Field
        label="Repeat each"
        note={`1 to ${MAX_REPEATS}`}
        hint="Repeated runs differ if the seed is random."
        error={repeats === undefined ? `Enter a whole number from 1 to ${MAX_REPEATS}` : undefined}
      >
        {({ id, describedBy, invalid }) => (
          <TextInput
            id={id}
            inputMode="numeric"
            className="w-24"
            aria-describedby={describedBy}
            aria-invalid={invalid}
            {...register("times", {
              onChange: ({ target }: { target: HTMLInputElement }) => change(text, readTimes(target.value) ?? 1),
            })}
          />
        )}
      </Field>
      <TextPreview text={text} />
    </>
  );
}

/** Each text in its own box. Braces have no meaning there. */
function TextBoxes({
  axis,
  label,
  onChange,
}: {
  axis: ParameterAxis;
  label: string;
  onChange: (axis: ParameterAxis) => void;
}) {
  const [boxes, setBoxes] = useState(() =>
    (axis.values.length > 0 ? axis.values : [""]).map((value, id) => ({
      id,
      text: typeof value === "string" ? value : "",
    })),
  );
  const change = (next: typeof boxes) => {
    setBoxes(next);
    onChange({ key: axis.key, values: next.map(({ text }) => text).filter((text) => text.trim() !== "") });
  };
  return (
    <div className="flex flex-col gap-2">
      {boxes.map(({ id, text }, at) => (
        <div key={id} className="flex items-start gap-1">
          <TextArea
            aria-label={`${label} ${at + 1}`}
            rows={2}
            value={text}
            onChange={(event) => change(boxes.map((box) => (box.id === id ? { id, text: event.target.value } : box)))}
          />
          <IconButton
            label={`Remove ${label} ${at + 1}`}
            disabled={boxes.length === 1}
            onClick={() => change(boxes.filter((box) => box.id !== id))}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      <Button
        variant="ghost"
        size="sm"
        className="self-start"
        onClick={() => setBoxes([...boxes, { id: Math.max(0, ...boxes.map(({ id }) => id)) + 1, text: "" }])}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add another
      </Button>
    </div>
  );
}

const readTimes = (text: string): number | undefined => {
  const times = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return times >= 1 && times <= MAX_REPEATS ? times : undefined;
};

import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { ParameterAxis } from "#storage/stored-batches.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { textAxis } from "./axis-edits.ts";
import { PromptLines, TextPreview } from "./prompt-lines.tsx";
import { repeated, unrepeated } from "./repeated-lines.ts";

const MAX_REPEATS = 100;

const PROMPT_WAYS = [
  { value: "lines", label: "One prompt per line" },
  { value: "boxes", label: "One prompt per box" },
] as const;
const VALUE_WAYS = [
  { value: "lines", label: "One value per line" },
  { value: "boxes", label: "One value per box" },
] as const;

/** The texts of an axis: one per line with `{a|b}` and `{1..4}`, or each in a box of its own, where it may have lines. */
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
          if (next === "lines") onChange(textAxis(axis.key, textOfValues(axis.values)));
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

/** Texts as lines. A line break inside of one becomes a space, and braces are no alternatives. */
const textOfValues = (values: readonly unknown[]): string =>
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
        hint="Equal runs differ where the seed is random."
        error={repeats === undefined ? `A whole number from 1 to ${MAX_REPEATS}` : undefined}
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

/** Each text in a box of its own. Braces are no alternatives there. */
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

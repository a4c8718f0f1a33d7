import { Dices, Lock, LockOpen } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { visibleText } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { fitHeight, TextArea, TextInput } from "#ui/field.tsx";
import { Slider } from "#ui/slider.tsx";
import { guessStep, numberFromText, numberText, stepNumber } from "../check/number-text.ts";
import type { NumberField, TextField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";
import { useLocalText, useOwnText } from "./control-text.ts";
import { type PromptWalk, rememberedPrompts, walkPrompts } from "./prompt-memory.ts";
import { randomSeed, useSeedLock } from "./seed.ts";

const toText = (value: unknown) =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

const INPUT_TYPES: Record<string, string> = { password: "password", email: "email", date: "date", time: "time" };

function placeholderOf(field: TextField): string | undefined {
  if (typeof field.defaultValue === "string" && field.defaultValue)
    return visibleText(field.defaultValue.slice(0, 2000));
  const example = field.examples.find((value) => typeof value === "string");
  return typeof example === "string" ? visibleText(example.slice(0, 2000)) : undefined;
}

/** A text: a growing area (`multiline`), a list of suggestions that takes other texts too, or one line. */
export function TextControl({ field, value, onChange, onBlur, ids }: ControlProps<TextField>) {
  const { box, defaultValue, setSent } = useOwnText(value, toText);
  const walk = useRef<PromptWalk>(undefined);
  function type(next: string) {
    // An emptied field is left out, so that the service's own default applies and the estimate equals the charge.
    const sent = next === "" ? undefined : next;
    setSent(sent);
    walk.current = undefined;
    onChange(sent, true);
  }
  // Alt and the arrows walk through the prompts of earlier runs.
  function recall(event: KeyboardEvent) {
    if (field.role !== "prompt" || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const text = box.current?.value ?? "";
    const next = walkPrompts(rememberedPrompts(), walk.current, text, event.key === "ArrowUp" ? "up" : "down");
    if (!next || !box.current) return;
    box.current.value = next.text;
    fitHeight(box.current);
    type(next.text);
    walk.current = next.walk;
  }
  const shared = {
    onKeyDown: recall,
    id: ids.id,
    "aria-describedby": ids.describedBy,
    "aria-invalid": ids.invalid || undefined,
    "aria-required": field.required || undefined,
    placeholder: placeholderOf(field),
    ref: box,
    defaultValue,
    onBlur,
  };
  if (field.multiline) {
    const rows = field.role === "prompt" ? 5 : 2;
    return <TextArea {...shared} rows={rows} onChange={(event) => type(event.target.value)} />;
  }
  if (field.suggestions.length > 0) {
    return (
      <Combobox
        id={ids.id}
        describedBy={ids.describedBy}
        invalid={ids.invalid}
        required={field.required}
        allowCustom
        placeholder={placeholderOf(field) ?? "Choose or type your own"}
        options={field.suggestions.map((option) => ({ value: String(option.value), label: option.label }))}
        value={typeof value === "string" ? value : undefined}
        onChange={(next) => onChange(next)}
        onBlur={onBlur}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      type={INPUT_TYPES[field.format] ?? "text"}
      autoComplete="off"
      onChange={(event) => type(event.target.value)}
    />
  );
}

const STEPS_BY_KEY: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** Whether a slider helps: both ends are known and a hand can hit the values. */
function hasSlider(field: NumberField): boolean {
  if (field.min === undefined || field.max === undefined || field.role === "width" || field.role === "height")
    return false;
  return field.max > field.min && field.max - field.min <= 10_000;
}

/** A number box; with a slider beside it where the range is known. Arrow keys step by the field's step. */
export function NumberControl({ field, value, onChange, onBlur, ids }: ControlProps<NumberField>) {
  const [text, setText] = useLocalText(value, numberText);
  function type(next: string) {
    const sent = numberFromText(field, next);
    setText(next, sent);
    onChange(sent);
  }
  function step(event: KeyboardEvent) {
    const steps = STEPS_BY_KEY[event.key];
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    type(stepNumber(field, text, event.shiftKey ? steps * 10 : steps));
  }
  const showsSlider = hasSlider(field);
  const shown = Number(text === "" ? numberText(field.defaultValue) : text);
  return (
    <div className="flex items-center gap-3.5">
      {showsSlider && (
        // The box is the accessible control: it has the same range and steps by arrow keys. The slider is for hands.
        <Slider
          aria-hidden="true"
          tabIndex={-1}
          className="min-w-0 flex-1"
          min={field.min ?? 0}
          max={field.max ?? 1}
          step={field.step ?? guessStep(field)}
          value={Number.isFinite(shown) ? shown : (field.min ?? 0)}
          onChange={(event) => type(event.target.value)}
          onPointerUp={onBlur}
        />
      )}
      <TextInput
        id={ids.id}
        inputMode={field.integer && (field.min ?? -1) >= 0 ? "numeric" : "decimal"}
        autoComplete="off"
        aria-describedby={ids.describedBy}
        aria-invalid={ids.invalid || undefined}
        aria-required={field.required || undefined}
        className={showsSlider ? "w-19 flex-none text-right tabular-nums" : "tabular-nums"}
        placeholder={numberText(field.defaultValue)}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={step}
        onBlur={onBlur}
      />
    </div>
  );
}

/** A seed with a button for another one, and a lock: an unlocked seed is replaced for the next run. */
export function SeedControl({ field, value, onChange, onBlur, ids, place, context }: ControlProps<NumberField>) {
  // The lock of a seed inside a group is named by its place, because its key alone may be that of a parameter.
  const [locked, setLocked] = useSeedLock(context.modelId, place.includes("/") ? place : field.key);
  const [text, setText] = useLocalText(value, numberText);
  function type(next: string) {
    const sent = numberFromText(field, next);
    setText(next, sent);
    onChange(sent);
  }
  return (
    <div className="flex items-center gap-2">
      <TextInput
        id={ids.id}
        mono
        inputMode="numeric"
        autoComplete="off"
        aria-describedby={ids.describedBy}
        aria-invalid={ids.invalid || undefined}
        aria-required={field.required || undefined}
        placeholder="Random"
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
      <Button variant="outline" onClick={() => type(String(randomSeed(field)))}>
        <Dices aria-hidden="true" className="size-4" />
        Shuffle
      </Button>
      <Button
        variant="outline"
        aria-pressed={locked}
        title={locked ? "Every run uses this seed." : "Replaced after each run. Press Lock to keep using this seed."}
        onClick={() => setLocked(!locked)}
      >
        {locked ? <Lock aria-hidden="true" className="size-4" /> : <LockOpen aria-hidden="true" className="size-4" />}
        Lock
      </Button>
    </div>
  );
}

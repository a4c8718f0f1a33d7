import { type KeyboardEvent, useRef } from "react";
import { visibleText } from "#lib/visible-text.ts";
import { Combobox } from "#ui/combobox.tsx";
import { fitHeight, TextArea, TextInput } from "#ui/field.tsx";
import type { TextField } from "../read/field.ts";
import type { ControlProps } from "./control-props.ts";
import { useOwnText } from "./control-text.ts";
import { type PromptWalk, rememberedPrompts, walkPrompts } from "./prompt-memory.ts";

const toText = (value: unknown) =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

const INPUT_TYPES: Record<string, string> = { password: "password", email: "email", date: "date", time: "time" };

function placeholderOf(field: TextField): string | undefined {
  if (typeof field.defaultValue === "string" && field.defaultValue)
    return visibleText(field.defaultValue.slice(0, 2000));
  const example = field.examples.find((value) => typeof value === "string");
  return typeof example === "string" ? visibleText(example.slice(0, 2000)) : undefined;
}

/** One line or a growing area by the field's role; with suggestions where any other text is fine too. */
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

import { useState } from "react";
import type { TextEndpoint } from "#api/text-types.ts";
import { otherFields, type Parameter, withOtherFields } from "#chat/parameters.ts";
import type { JsonRecord } from "#lib/read.ts";
import { Field } from "#ui/field.tsx";
import { Select } from "#ui/select.tsx";
import { Switch } from "#ui/switch.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { TextInput } from "#ui/text-input.tsx";

/** One field of the request body. Empty means: not sent. */
export function ParameterField({
  parameter,
  value,
  onChange,
}: {
  parameter: Parameter;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { name, inside, label, kind, hint, min, max } = parameter;
  const [text, setText] = useState(() => textOf(value));
  const [problem, setProblem] = useState<string>();
  const typeNumber = (typed: string) => {
    setText(typed);
    const read = readNumber(typed, parameter);
    setProblem(read.problem);
    if (read.problem === undefined) onChange(read.value);
  };
  const path = inside === undefined ? name : `${inside}.${name}`;
  return (
    <Field
      label={label}
      note={<span className="font-mono text-[11.5px]">{path}</span>}
      hint={hint}
      error={problem}
      changed={value !== undefined}
    >
      {({ id, describedBy, invalid }) => {
        const common = { id, "aria-describedby": describedBy, "aria-invalid": invalid };
        switch (kind) {
          case "count":
          case "number":
            return (
              <TextInput
                {...common}
                inputMode={kind === "count" ? "numeric" : "decimal"}
                placeholder={min !== undefined && max !== undefined ? `Not sent (${min} to ${max})` : "Not sent"}
                value={text}
                onChange={(event) => typeNumber(event.target.value)}
              />
            );
          case "texts":
            return (
              <TextArea
                {...common}
                mono
                rows={2}
                placeholder="Not sent"
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  const lines = event.target.value.split("\n").filter((line) => line !== "");
                  // What cannot be typed into one line is written as its escape.
                  onChange(lines.length === 0 ? undefined : lines.map((line) => line.replaceAll("\\n", "\n")));
                }}
              />
            );
          case "choice":
            return (
              <Select
                {...common}
                value={typeof value === "string" ? value : ""}
                onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
              >
                <option value="">Not sent</option>
                {parameter.choices?.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </Select>
            );
          case "switch":
            return (
              <Switch
                {...common}
                checked={value === true}
                onChange={(event) => onChange(event.target.checked ? true : undefined)}
              />
            );
        }
      }}
    </Field>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((line) => String(line).replaceAll("\n", "\\n")).join("\n");
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

function readNumber(typed: string, { kind, min, max }: Parameter): { value?: number | undefined; problem?: string } {
  if (typed.trim() === "") return {};
  const value = Number(typed);
  if (!Number.isFinite(value)) return { problem: "Not a number." };
  if (kind === "count" && !Number.isInteger(value)) return { problem: "A whole number." };
  if (min !== undefined && value < min) return { problem: `At least ${min}.` };
  if (max !== undefined && value > max) return { problem: `At most ${max}.` };
  return { value };
}

/** Every field without a control of its own, as JSON. */
export function OtherFields({
  endpoint,
  params,
  onChange,
}: {
  endpoint: TextEndpoint;
  params: JsonRecord;
  onChange: (params: JsonRecord) => void;
}) {
  const [text, setText] = useState(() => {
    const others = otherFields(endpoint, params);
    return Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2);
  });
  const [problem, setProblem] = useState<string>();
  return (
    <Field label="Further fields" hint="A JSON object that is added to the request body." error={problem}>
      {({ id, describedBy, invalid }) => (
        <TextArea
          id={id}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          mono
          rows={2}
          spellCheck={false}
          placeholder={'{ "metadata": { "run": "a" } }'}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const read = withOtherFields(endpoint, params, event.target.value);
            setProblem("problem" in read ? read.problem : undefined);
            if ("params" in read) onChange(read.params);
          }}
        />
      )}
    </Field>
  );
}

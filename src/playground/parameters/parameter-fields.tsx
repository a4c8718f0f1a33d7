import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { type UseFormRegisterReturn, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import type { TextEndpoint } from "#api/text/text-types.ts";
import { asList, asTexts, isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { Field, inputClass, Select, TextArea, TextInput } from "#ui/field.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import {
  otherFields,
  PARAMETERS,
  type Parameter,
  parameterInput,
  parseParameter,
  readParameter,
  withOtherFields,
  writeParameter,
} from "./parameters.ts";
import { runsTool } from "./proposal-instructions.ts";

/** The values of the settings form. `parameters` are in the order of `PARAMETERS` of the endpoint. */
export interface SettingsValues {
  system: string;
  parameters: (string | boolean)[];
  /** The fields without a control, as JSON. */
  others: string;
}

export function settingsValues({ endpoint, system, params }: Column): SettingsValues {
  const others = otherFields(endpoint, params);
  return {
    system,
    parameters: PARAMETERS[endpoint].map((parameter) => parameterInput(parameter, readParameter(params, parameter))),
    others: Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2),
  };
}

/**
 * The fields of the request body. Each valid input takes effect at once; an invalid one shows why and changes nothing.
 */
export function ParameterFields({
  form: { register, formState },
  column: { endpoint, params },
  changed,
  onChange,
}: {
  form: UseFormReturn<SettingsValues>;
  column: Column;
  /** The names of the fields that differ from the preset. */
  changed: ReadonlySet<string>;
  onChange: (params: JsonRecord) => void;
}) {
  const { errors } = formState;
  const isEmpty = Object.keys(otherFields(endpoint, params)).length === 0;
  return (
    <>
      <div className="grid grid-cols-2 gap-x-2.5 gap-y-2.5">
        {PARAMETERS[endpoint].map((parameter, index) => {
          const parse = (input: string | boolean) => parseParameter(parameter, input);
          const input = register(`parameters.${index}`, {
            validate: (input) => problemOf(parse(input)),
            onChange: ({ target }: { target: HTMLInputElement }) => {
              const parsed = parse(parameter.kind === "switch" ? target.checked : target.value);
              if ("value" in parsed) onChange(writeParameter(params, parameter, parsed.value));
            },
          });
          return (
            <ParameterField
              key={input.name}
              parameter={parameter}
              endpoint={endpoint}
              value={readParameter(params, parameter)}
              isChanged={changed.has(parameter.inside ?? parameter.name)}
              onValue={(value) => onChange(writeParameter(params, parameter, value))}
              error={errors.parameters?.[index]?.message}
              input={input}
            />
          );
        })}
      </div>
      <Field
        label="Extra JSON"
        hint="JSON object merged into the request body"
        error={errors.others?.message}
        aside={
          !isEmpty &&
          !errors.others && (
            <span className="flex items-center gap-1.5 text-xs text-ink-2">
              <StatusDot tone="success" /> Valid
            </span>
          )
        }
      >
        {({ id, describedBy, invalid }) => (
          <TextArea
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            mono
            rows={3}
            className="max-h-[40dvh]"
            spellCheck={false}
            placeholder={'{ "metadata": { "run": "a" } }'}
            {...register("others", {
              validate: (text) => problemOf(withOtherFields(endpoint, params, text)),
              onChange: ({ target }: { target: HTMLTextAreaElement }) => {
                const parsed = withOtherFields(endpoint, params, target.value);
                if ("params" in parsed) onChange(parsed.params);
              },
            })}
          />
        )}
      </Field>
    </>
  );
}

function problemOf(parsed: object | { problem: string }): string | true {
  return "problem" in parsed ? parsed.problem : true;
}

/** One field of the request body. Empty means: not sent. */
function ParameterField({
  parameter: { name, inside, label, kind, hint, min, max, choices },
  endpoint,
  value,
  isChanged,
  onValue,
  error,
  input,
}: {
  parameter: Parameter;
  endpoint: TextEndpoint;
  /** The value that is sent; undefined where none is. */
  value: unknown;
  /** Whether it differs from the preset. */
  isChanged: boolean;
  /** Called by fields with a list; with undefined if it is empty. */
  onValue: (value: unknown) => void;
  error: string | undefined;
  input: UseFormRegisterReturn;
}) {
  const path = inside === undefined ? name : `${inside}.${name}`;
  const isShort = kind === "count" || kind === "number" || (kind === "choice" && inside !== undefined);
  return (
    <Field label={label} hint={hint} error={error} changed={isChanged} className={isShort ? undefined : "col-span-2"}>
      {({ id, describedBy, invalid }) => {
        // The title shows the name in the request, by which developers know the field.
        const common = { id, title: path, "aria-describedby": describedBy, "aria-invalid": invalid, ...input };
        switch (kind) {
          case "count":
          case "number":
            return (
              <TextInput
                {...common}
                inputMode={kind === "count" ? "numeric" : "decimal"}
                placeholder={min !== undefined && max !== undefined ? `${min} to ${max}` : "Not sent"}
                className="w-full min-w-0"
              />
            );
          case "texts":
            return (
              <ChipField
                id={id}
                describedBy={describedBy}
                noun="stop sequence"
                values={asTexts(value)}
                onChange={(values) => onValue(values.length === 0 ? undefined : values)}
              />
            );
          case "tools":
            return (
              <ToolsField
                id={id}
                describedBy={describedBy}
                tools={asList(value)}
                known={runsTool(endpoint)}
                onChange={onValue}
              />
            );
          case "choice":
            return (
              <Select {...common}>
                <option value="">Not sent</option>
                {choices?.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </Select>
            );
          case "switch":
            return <Switch {...common} checked={value === true} />;
        }
      }}
    </Field>
  );
}

interface ChipFieldProps {
  id: string;
  describedBy: string | undefined;
  /** What a value is, such as "stop sequence", for the labels of the buttons. */
  noun: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

const escapeLines = (text: string) => text.replaceAll("\n", "\\n");
const unescapeLines = (text: string) => text.replaceAll("\\n", "\n");

/**
 * A field for a few short texts, each with a button that removes it. Enter or leaving the input adds the typed text;
 * Backspace in an empty input removes the last text. `\n` stands for a line end.
 */
function ChipField({ id, describedBy, noun, values, onChange }: ChipFieldProps) {
  const [text, setText] = useState("");
  const line = useRef<HTMLInputElement>(null);
  const add = () => {
    const value = unescapeLines(text);
    if (value !== "" && !values.includes(value)) onChange([...values, value]);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && text !== "") {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && text === "" && values.length > 0) onChange(values.slice(0, -1));
  };
  return (
    <div
      data-field
      className={inputClass(
        "flex min-h-8.5 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus pointer-coarse:min-h-11",
      )}
    >
      {values.map((value) => (
        <span
          key={value}
          className="inline-flex max-w-full items-center gap-0.5 rounded-sm bg-hover ps-1.5 font-mono text-xs"
        >
          <span className="truncate">{visibleLine(escapeLines(value), 60)}</span>
          <button
            type="button"
            aria-label={`Remove ${noun} ${visibleLine(escapeLines(value), 60)}`}
            onClick={() => {
              onChange(values.filter((other) => other !== value));
              line.current?.focus();
            }}
            className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-sm text-ink-3 hover:text-ink pointer-coarse:size-11"
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <input
        ref={line}
        id={id}
        aria-describedby={describedBy}
        autoComplete="off"
        spellCheck={false}
        placeholder="Add"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
        className="min-h-6 w-16 min-w-0 flex-1 border-0 bg-transparent px-1 font-mono text-xs text-ink outline-none placeholder:font-sans placeholder:text-ink-3 pointer-coarse:text-lg"
      />
    </div>
  );
}

interface ToolsFieldProps {
  id: string;
  describedBy: string | undefined;
  tools: readonly unknown[];
  /** A definition that can be added with one press. */
  known?: JsonRecord | undefined;
  /** Called with undefined if no tool is left: the field is then not sent. */
  onChange: (tools: readonly unknown[] | undefined) => void;
}

/** The tools that are sent, by name. The person pastes further definitions as JSON. */
function ToolsField({ id, describedBy, tools, known, onChange }: ToolsFieldProps) {
  const [isAdding, setIsAdding] = useState(false);
  const put = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  const canAddKnown = known && !tools.some((tool) => toolName(tool) === toolName(known));
  const keyed = tools.map((tool, index) => ({ index, key: `${index} ${toolName(tool)}`, name: toolName(tool) }));
  return (
    <div data-field className="flex flex-col gap-1.5">
      <div className={inputClass("flex min-h-8.5 flex-wrap items-center gap-1.5 px-1.5 py-1 pointer-coarse:min-h-11")}>
        {keyed.map(({ index, key, name }) => (
          <span
            key={key}
            className="inline-flex max-w-full items-center gap-0.5 rounded-sm bg-hover ps-1.5 font-mono text-xs"
          >
            <span className="truncate">{name}</span>
            <button
              type="button"
              aria-label={`Remove tool ${name}`}
              onClick={() => put(tools.filter((_, other) => other !== index))}
              className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-sm text-ink-3 hover:text-ink pointer-coarse:size-11"
            >
              <X aria-hidden className="size-3" />
            </button>
          </span>
        ))}
        <button
          type="button"
          id={id}
          aria-expanded={isAdding}
          onClick={() => setIsAdding(!isAdding)}
          className="flex min-h-6 cursor-pointer items-center gap-1 rounded-sm px-1 text-sm text-ink-3 hover:text-ink pointer-coarse:min-h-11"
        >
          <Plus aria-hidden className="size-3" /> Add
        </button>
        {canAddKnown && (
          <button
            type="button"
            title="Lets the model propose runs that open in Batch"
            aria-label={`Add tool ${toolName(known)}`}
            onClick={() => put([...tools, known])}
            className="flex min-h-6 cursor-pointer items-center gap-1 rounded-sm px-1 font-mono text-xs text-ink-3 hover:text-ink pointer-coarse:min-h-11"
          >
            <Plus aria-hidden className="size-3" /> {toolName(known)}
          </button>
        )}
      </div>
      {isAdding && (
        <AddTool
          describedBy={describedBy}
          onAdd={(added) => {
            put([...tools, ...added]);
            setIsAdding(false);
          }}
        />
      )}
    </div>
  );
}

function AddTool({
  describedBy,
  onAdd,
}: {
  describedBy: string | undefined;
  onAdd: (tools: readonly JsonRecord[]) => void;
}) {
  const statusId = useId();
  const { control, register, handleSubmit } = useForm({ defaultValues: { text: "" } });
  const text = useWatch({ control, name: "text" });
  const isUnreadable = readTools(text) === undefined;
  const isWrong = text.trim() !== "" && isUnreadable;
  const add = handleSubmit((values) => onAdd(readTools(values.text) ?? []));
  return (
    <>
      <TextArea
        aria-label="Tool definition"
        aria-describedby={[describedBy, isWrong && statusId].filter(Boolean).join(" ") || undefined}
        aria-invalid={isWrong}
        mono
        rows={4}
        className="max-h-[30dvh]"
        spellCheck={false}
        autoFocus
        placeholder={'{ "name": "tide_table", … }'}
        {...register("text")}
      />
      <div className="flex items-center gap-2">
        <span id={statusId} role="status" className="min-w-0 flex-1 text-xs text-failed">
          {isWrong && "Enter a JSON object or a list of objects."}
        </span>
        <Button size="sm" aria-disabled={isUnreadable} onClick={add}>
          Add tool
        </Button>
      </div>
    </>
  );
}

/** Reads one definition or a list of them; undefined where the text is neither. */
function readTools(text: string): JsonRecord[] | undefined {
  const parsed = text.trim() === "" ? undefined : tryParseJson(text);
  const list = Array.isArray(parsed) ? parsed : [parsed];
  return list.length > 0 && list.every(isRecord) ? list : undefined;
}

/** The name of the tool in a definition, in the formats of all endpoints. */
function toolName(tool: unknown): string {
  if (!isRecord(tool)) return "unnamed";
  const inner = isRecord(tool.function) ? tool.function.name : undefined;
  const name = [tool.name, inner, tool.type].find((value) => typeof value === "string" && value !== "");
  return visibleLine(String(name ?? "unnamed"), 60);
}

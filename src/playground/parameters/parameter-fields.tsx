import type { UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import type { TextEndpoint } from "#api/text/text-types.ts";
import { asList, asTexts, type JsonRecord } from "#lib/read.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { Switch } from "#ui/checkbox.tsx";
import { Field, Select, TextArea, TextInput } from "#ui/field.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { ChipField } from "./chip-field.tsx";
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
import { ToolsField } from "./tools-field.tsx";

/** What is typed into a column's settings. Parameters go by their position in `PARAMETERS` of the endpoint. */
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
        hint="A JSON object that is merged into the request body."
        error={errors.others?.message}
        aside={
          !isEmpty &&
          !errors.others && (
            <span className="flex items-center gap-1.5 text-[12px] text-ink-2">
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
  /** What is sent; undefined where nothing is. */
  value: unknown;
  /** Whether it differs from the preset. */
  isChanged: boolean;
  /** For the fields that hold a list: undefined where it is empty. */
  onValue: (value: unknown) => void;
  error: string | undefined;
  input: UseFormRegisterReturn;
}) {
  const path = inside === undefined ? name : `${inside}.${name}`;
  const isShort = kind === "count" || kind === "number" || (kind === "choice" && inside !== undefined);
  return (
    <Field label={label} hint={hint} error={error} changed={isChanged} className={isShort ? undefined : "col-span-2"}>
      {({ id, describedBy, invalid }) => {
        // Developers know a field by its name in the request.
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

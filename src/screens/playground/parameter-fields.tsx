import type { UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import type { Column } from "#chat/conversation.ts";
import {
  otherFields,
  PARAMETERS,
  type Parameter,
  parameterInput,
  parseParameter,
  readParameter,
  withOtherFields,
  writeParameter,
} from "#chat/parameters.ts";
import type { JsonRecord } from "#lib/read.ts";
import { Switch } from "#ui/checkbox.tsx";
import { Field, Select, TextArea, TextInput } from "#ui/field.tsx";

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
  onChange,
}: {
  form: UseFormReturn<SettingsValues>;
  column: Column;
  onChange: (params: JsonRecord) => void;
}) {
  const { errors } = formState;
  return (
    <>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 max-sm:grid-cols-1">
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
              value={readParameter(params, parameter)}
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
      >
        {({ id, describedBy, invalid }) => (
          <TextArea
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            mono
            rows={2}
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
  value,
  error,
  input,
}: {
  parameter: Parameter;
  /** What is sent; undefined where nothing is. */
  value: unknown;
  error: string | undefined;
  input: UseFormRegisterReturn;
}) {
  const path = inside === undefined ? name : `${inside}.${name}`;
  return (
    <Field
      label={label}
      note={<span className="font-mono text-[11.5px]">{path}</span>}
      hint={hint}
      error={error}
      changed={value !== undefined}
    >
      {({ id, describedBy, invalid }) => {
        const common = { id, "aria-describedby": describedBy, "aria-invalid": invalid, ...input };
        switch (kind) {
          case "count":
          case "number":
            return (
              <TextInput
                {...common}
                inputMode={kind === "count" ? "numeric" : "decimal"}
                placeholder={min !== undefined && max !== undefined ? `Not sent (${min} to ${max})` : "Not sent"}
              />
            );
          case "texts":
            return <TextArea {...common} mono rows={2} placeholder="Not sent" />;
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

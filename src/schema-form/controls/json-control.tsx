import { useEffect, useState } from "react";
import { TextArea } from "#ui/text-area.tsx";
import { useFormContext } from "../form/form-context.ts";
import type { Field } from "../read/field.ts";
import { parseJson } from "../read/parse-json.ts";
import type { ControlProps } from "./control-props.ts";
import { useLocalText } from "./use-local-text.ts";

const toText = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));

/** A value of any shape as JSON. While the text is no JSON the last value stays and the form cannot run. */
export function JsonControl({ field, value, version, onChange, onBlur, ids, place }: ControlProps<Field>) {
  const { store } = useFormContext();
  const [text, setText] = useLocalText(value, version, toText);
  const [broken, setBroken] = useState<string>();
  const name = place.split("/")[0] ?? place;
  useEffect(() => {
    store.block(place, name, broken === undefined ? undefined : `${field.label} is not JSON yet: ${broken}`);
  }, [store, place, name, broken, field.label]);
  useEffect(() => () => store.block(place, name, undefined), [store, place, name]);
  function type(next: string) {
    const read = next.trim() === "" ? { value: undefined } : parseJson(next);
    setBroken(read.problem);
    setText(next, read.problem === undefined ? read.value : value);
    if (read.problem === undefined) onChange(read.value, true);
  }
  return (
    <TextArea
      id={ids.id}
      mono
      rows={3}
      spellCheck={false}
      placeholder={field.defaultValue === undefined ? "{ }" : JSON.stringify(field.defaultValue)}
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid || broken !== undefined || undefined}
      aria-required={field.required || undefined}
      value={text}
      onChange={(event) => type(event.target.value)}
      onBlur={onBlur}
    />
  );
}

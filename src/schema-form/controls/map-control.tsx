import { Plus, X } from "lucide-react";
import { useState } from "react";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { type Control, NestedField } from "../form/nested-field.tsx";
import { newValue } from "../form/new-value.ts";
import type { MapField } from "../read/field.ts";
import { withKey, withoutKey } from "../read/own-value.ts";
import type { ControlProps } from "./control-props.ts";

function renameKey(record: JsonRecord, from: string, to: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

/** Names and values of the person's own: an object of any keys whose values share one shape. */
export function MapControl({
  field,
  value,
  onChange,
  control,
  ids,
  ...props
}: ControlProps<MapField> & { control: Control }) {
  const record = isRecord(value) ? value : {};
  const [name, setName] = useState("");
  const taken = Object.hasOwn(record, name);
  function add() {
    if (name === "" || taken) return;
    onChange(withKey(record, name, newValue(field.item)));
    setName("");
  }
  function remove(key: string) {
    const rest = withoutKey(record, key);
    onChange(Object.keys(rest).length === 0 && !field.required ? undefined : rest);
  }
  return (
    <fieldset
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0"
    >
      {Object.entries(record).map(([key, item]) => (
        <div key={key} className="flex items-start gap-1">
          <TextInput
            mono
            className="w-2/5 flex-none"
            aria-label={`Name ${key}`}
            defaultValue={key}
            onBlur={(event) => {
              const next = event.target.value;
              if (next !== key && !Object.hasOwn(record, next)) onChange(renameKey(record, key, next));
            }}
          />
          <div className="min-w-0 flex-1">
            <NestedField
              {...props}
              control={control}
              field={{ ...field.item, label: key || "Value" }}
              hideLabel
              value={item}
              onChange={(next) => onChange(withKey(record, key, next ?? newValue(field.item)))}
              place={`${props.place}/${key}`}
            />
          </div>
          <IconButton label={`Remove ${key}`} onClick={() => remove(key)}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      <div className="flex items-center gap-2">
        <TextInput
          mono
          aria-label={`New name in ${field.label}`}
          placeholder="Name"
          aria-invalid={taken || undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="outline" aria-disabled={name === "" || taken || undefined} onClick={add}>
          <Plus aria-hidden="true" className="size-4" />
          Add
        </Button>
      </div>
    </fieldset>
  );
}

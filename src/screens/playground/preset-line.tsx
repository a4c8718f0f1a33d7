import { useState } from "react";
import type { Column } from "#chat/conversation.ts";
import { type Preset, readPresets, removePreset, savePreset } from "#chat/presets.ts";
import { Button } from "#ui/button.tsx";
import { Field } from "#ui/field.tsx";
import { Select } from "#ui/select.tsx";
import { TextInput } from "#ui/text-input.tsx";

/** Sets of parameters kept under a name, for this endpoint. */
export function PresetLine({ column, onApply }: { column: Column; onApply: (patch: Partial<Column>) => void }) {
  const [presets, setPresets] = useState(readPresets);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const fitting = presets.filter(({ endpoint }) => endpoint === column.endpoint);
  const preset: Preset | undefined = fitting.find((one) => one.name === chosen);
  return (
    <div className="flex flex-col gap-2">
      <Field label="Presets">
        {({ id }) => (
          <div className="flex gap-2">
            <Select id={id} className="flex-1" value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">{fitting.length === 0 ? "None kept yet" : "Choose one"}</option>
              {fitting.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </Select>
            <Button
              aria-disabled={!preset}
              onClick={() => preset && onApply({ params: preset.params, system: preset.system })}
            >
              Use
            </Button>
            <Button aria-disabled={!preset} onClick={() => preset && setPresets(removePreset(preset))}>
              Delete
            </Button>
          </div>
        )}
      </Field>
      <Field label="Keep these settings as">
        {({ id }) => (
          <div className="flex gap-2">
            <TextInput id={id} className="flex-1" value={name} onChange={(event) => setName(event.target.value)} />
            <Button
              aria-disabled={name.trim() === ""}
              onClick={() => {
                const { endpoint, params, system } = column;
                setPresets(savePreset({ name: name.trim(), endpoint, params, system }));
                setChosen(name.trim());
                setName("");
              }}
            >
              Keep
            </Button>
          </div>
        )}
      </Field>
    </div>
  );
}

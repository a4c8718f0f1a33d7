import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Column } from "#chat/conversations/conversation.ts";
import { type Preset, presetChanges, readPresets, removePreset, savePreset } from "#chat/presets.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Field, Select, TextInput } from "#ui/field.tsx";
import { playgroundCommands } from "../commands.ts";

/** The presets of a column's endpoint, the one that is chosen, and what differs from it. */
export function usePresets(column: Column) {
  const [all, setAll] = useState(readPresets);
  const presets = all.filter(({ endpoint }) => endpoint === column.endpoint);
  const chosen = presets.find(({ name }) => name === column.preset);
  return { presets, chosen, changes: presetChanges(column, chosen), setAll };
}

type Presets = ReturnType<typeof usePresets>;

/** Chooses a preset, which takes effect at once, and says how much was changed since. */
export function PresetField({
  state: { presets, chosen, changes, setAll },
  onUse,
}: {
  state: Presets;
  /** Undefined: the values that every column begins with. */
  onUse: (preset: Preset | undefined) => void;
}) {
  return (
    <Field
      label="Preset"
      changed={changes > 0}
      errorless
      aside={changes > 0 && `${changes} ${changes === 1 ? "change" : "changes"}`}
    >
      {({ id, describedBy }) => (
        <div className="flex gap-1.5">
          <Select
            id={id}
            aria-describedby={describedBy}
            className="min-w-0 flex-1"
            value={chosen?.name ?? ""}
            onChange={(event) => onUse(presets.find(({ name }) => name === event.target.value))}
          >
            <option value="">Default</option>
            {presets.map(({ name }) => (
              <option key={name} value={name}>
                {visibleLine(name)}
              </option>
            ))}
          </Select>
          {chosen && (
            <IconButton
              label="Delete preset"
              data-command={playgroundCommands.deletePreset.id}
              onClick={() => setAll(removePreset(chosen))}
            >
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
      )}
    </Field>
  );
}

/** The line under the settings: back to the preset, and what is set as a preset of its own. */
export function PresetFoot({
  column,
  state: { chosen, changes, setAll },
  onUse,
  onSaved,
}: {
  column: Column;
  state: Presets;
  onUse: (preset: Preset | undefined) => void;
  onSaved: (name: string) => void;
}) {
  const [isNaming, setIsNaming] = useState(false);
  const { register, handleSubmit, formState, reset } = useForm({
    mode: "onChange",
    values: { name: chosen?.name ?? "" },
  });
  const save = handleSubmit(({ name: typed }) => {
    const { endpoint, params, system } = column;
    const name = typed.trim();
    setAll(savePreset({ name, endpoint, params, system }));
    onSaved(name);
    setIsNaming(false);
    reset();
  });
  const restore = {
    ...playgroundCommands.resetPreset,
    ...(changes === 0 ? { unavailable: "Nothing differs from the preset" } : {}),
    run: () => onUse(chosen),
  };
  const begin = { ...playgroundCommands.savePreset, run: () => setIsNaming(true) };
  const remove = {
    ...playgroundCommands.deletePreset,
    label: `Delete preset: ${visibleLine(chosen?.name ?? "")}`,
    run: () => chosen && setAll(removePreset(chosen)),
  };
  useCommands([restore, begin, ...(chosen ? [remove] : [])]);
  if (isNaming) {
    return (
      <form className="shrink-0 border-line border-t px-4 py-2.5" onSubmit={save}>
        <Field label="Name of the preset" hint={chosen && "The same name replaces the preset."}>
          {({ id, describedBy }) => (
            <TextInput
              id={id}
              aria-describedby={describedBy}
              autoComplete="off"
              autoFocus
              {...register("name", { validate: (name) => name.trim() !== "" })}
              onKeyDown={(event) => {
                if (event.key !== "Escape") return;
                event.stopPropagation();
                setIsNaming(false);
              }}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button size="sm" variant="ghost" onClick={() => setIsNaming(false)}>
            Cancel
          </Button>
          <Button
            size="sm"
            type="submit"
            data-command={playgroundCommands.savePreset.id}
            aria-disabled={!formState.isValid}
          >
            Save
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-2 border-line border-t px-2.5 py-2.5">
      <Button size="sm" variant="ghost" data-command={restore.id} aria-disabled={changes === 0} onClick={restore.run}>
        Reset to preset
      </Button>
      <Button size="sm" data-command={begin.id} onClick={begin.run}>
        Save as preset
      </Button>
    </div>
  );
}

import { Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Field, Select } from "#ui/field.tsx";
import { orToast, SaveAs } from "#ui/named-list.tsx";
import { toast } from "#ui/toast-store.ts";
import { playgroundCommands } from "../commands.ts";
import { changedFields, type TextPreset, useTextPresets } from "./presets.ts";

/** The presets of a column's endpoint, the one that is chosen, and what differs from it. */
export function usePresets(column: Column) {
  const list = useTextPresets(column.endpoint);
  const chosen = list.items.find(({ name }) => name === column.preset);
  return { list, chosen, changed: changedFields(column, chosen), endpoint: column.endpoint };
}

type Presets = ReturnType<typeof usePresets>;

async function remove(list: Presets["list"], preset: TextPreset, endpoint: string): Promise<void> {
  const removed = await orToast(
    "preset",
    list.remove(preset.name).then(() => preset),
  );
  if (!removed) return;
  toast({
    title: `Deleted: ${visibleLine(preset.name, 60)}`,
    body: `A preset of ${endpoint}`,
    action: { label: "Undo", onAct: () => void orToast("preset", list.restore(preset)) },
  });
}

/** Chooses a preset, which takes effect at once, and says how much was changed since. */
export function PresetField({
  state: { list, chosen, changed, endpoint },
  onUse,
}: {
  state: Presets;
  /** Undefined: the values that every column begins with. */
  onUse: (preset: TextPreset | undefined) => void;
}) {
  const select = useRef<HTMLSelectElement>(null);
  return (
    <Field
      label="Preset"
      changed={changed.size > 0}
      errorless
      aside={changed.size > 0 && `${changed.size} ${changed.size === 1 ? "change" : "changes"}`}
    >
      {({ id, describedBy }) => (
        <div className="flex gap-1.5">
          <Select
            ref={select}
            id={id}
            aria-describedby={describedBy}
            className="min-w-0 flex-1"
            value={chosen?.name ?? ""}
            onChange={(event) => onUse(list.items.find(({ name }) => name === event.target.value))}
          >
            <option value="">Default</option>
            {list.items.map(({ name }) => (
              <option key={name} value={name}>
                {visibleLine(name)}
              </option>
            ))}
          </Select>
          {chosen && (
            <IconButton
              label="Delete preset"
              data-command={playgroundCommands.deletePreset.id}
              onClick={() => {
                // The button goes with the preset.
                select.current?.focus();
                void remove(list, chosen, endpoint);
              }}
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
  state: { list, chosen, changed },
  onUse,
  onSaved,
}: {
  column: Column;
  state: Presets;
  onUse: (preset: TextPreset | undefined) => void;
  onSaved: (name: string) => void;
}) {
  const [isNaming, setIsNaming] = useState(false);
  const restore = {
    ...playgroundCommands.resetPreset,
    ...(changed.size === 0 ? { unavailable: "Nothing differs from the preset" } : {}),
    run: () => onUse(chosen),
  };
  const begin = { ...playgroundCommands.savePreset, run: () => setIsNaming(true) };
  const removal = {
    ...playgroundCommands.deletePreset,
    label: `Delete preset: ${visibleLine(chosen?.name ?? "")}`,
    run: () => chosen && void remove(list, chosen, column.endpoint),
  };
  useCommands([restore, begin, ...(chosen ? [removal] : [])]);
  if (isNaming) {
    const { params, system } = column;
    return (
      <div className="shrink-0 border-line border-t px-4 py-2.5">
        <SaveAs
          list={list}
          noun="preset"
          initial={chosen?.name ?? ""}
          make={(name) => ({ name, params, system })}
          onSaved={({ name }) => {
            onSaved(name);
            setIsNaming(false);
          }}
          onCancel={() => setIsNaming(false)}
        />
      </div>
    );
  }
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-2 border-line border-t px-2.5 py-2.5">
      <Button
        size="sm"
        variant="ghost"
        data-command={restore.id}
        aria-disabled={changed.size === 0}
        onClick={restore.run}
      >
        Reset to preset
      </Button>
      <Button size="sm" data-command={begin.id} onClick={begin.run}>
        Save as preset
      </Button>
    </div>
  );
}

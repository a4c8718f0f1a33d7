import { Trash2 } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { createActs } from "#connection/named-list.ts";
import type { Named, NamedList } from "#lib/named-list.ts";
import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { onStoredChange, readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type Column, createColumn } from "#text/conversations/conversation.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Field, Select } from "#ui/field.tsx";
import { orToast, SaveAs } from "#ui/named-list.tsx";
import { toast } from "#ui/toast-store.ts";
import { playgroundCommands } from "../commands.ts";

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

/** Parameters and a system prompt under a name. */
export interface TextPreset extends Named {
  params: JsonRecord;
  system: string;
}

type StoredPresets = Readonly<Record<TextEndpoint, readonly TextPreset[]>>;

/** They belong to this device and to no account: a text that is worth a name outlives a key. */
const useStored = create<{ presets: StoredPresets }>(() => ({ presets: readPresets() }));
if (typeof window !== "undefined") {
  onStoredChange(KEYS.textPresets, () => useStored.setState({ presets: readPresets() }));
}

function readPresets(): StoredPresets {
  const all = asList(readJson(KEYS.textPresets));
  const of = (endpoint: TextEndpoint) => all.flatMap((raw) => readPreset(raw, endpoint) ?? []);
  return { completions: of("completions"), responses: of("responses"), messages: of("messages") };
}

function readPreset(raw: unknown, endpoint: TextEndpoint): TextPreset | undefined {
  if (!isRecord(raw) || raw.endpoint !== endpoint || typeof raw.name !== "string" || !isRecord(raw.params)) {
    return undefined;
  }
  return { name: raw.name, params: raw.params, system: typeof raw.system === "string" ? raw.system : "" };
}

/** Changes the presets of one endpoint, from what is stored now: another tab may have changed it. */
function change(
  endpoint: TextEndpoint,
  next: (items: readonly TextPreset[]) => readonly TextPreset[],
): readonly TextPreset[] {
  const stored = readPresets();
  const items = next(stored[endpoint]);
  const presets = { ...stored, [endpoint]: items };
  const all = TEXT_ENDPOINTS.flatMap((of) => presets[of].map((one) => ({ ...one, endpoint: of })));
  if (!writeJson(KEYS.textPresets, all)) throw new Error("This browser could not write to its storage.");
  useStored.setState({ presets });
  return items;
}

/** The presets of an endpoint, live over all tabs. */
export function useTextPresets(endpoint: TextEndpoint): NamedList<TextPreset> {
  const items = useStored(({ presets }) => presets[endpoint]);
  return useMemo(
    () => ({
      items,
      isRead: true,
      hasFailed: false,
      ...createActs<TextPreset>(async (next) => change(endpoint, next)),
    }),
    [endpoint, items],
  );
}

/**
 * The fields in which a column differs from a preset, or without one from what a column of its endpoint begins with: names of
 * fields of the request, and `system` for the system prompt.
 */
function changedFields({ endpoint, model, params, system }: Column, preset: TextPreset | undefined): Set<string> {
  const base = preset ?? createColumn({ endpoint, model });
  const names = [...Object.keys(params), ...Object.keys(base.params)];
  const changed = new Set(names.filter((name) => JSON.stringify(params[name]) !== JSON.stringify(base.params[name])));
  if (system !== base.system) changed.add("system");
  return changed;
}

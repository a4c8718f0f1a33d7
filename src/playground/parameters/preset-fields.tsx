import { Trash2 } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { createActs } from "#connection/named-list.ts";
import type { Named, NamedList } from "#lib/named-list.ts";
import { counted } from "#lib/numbers.ts";
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

/** The presets of a column's endpoint, the chosen one, and the fields that differ from it. */
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
    body: `Preset for ${endpoint}`,
    action: { label: "Undo", onAct: () => void orToast("preset", list.restore(preset)) },
  });
}

/** The list of presets. A choice takes effect at once. Shows how many fields differ from the preset. */
export function PresetField({
  state: { list, chosen, changed, endpoint },
  onUse,
}: {
  state: Presets;
  /** Called with undefined for the values with which every column begins. */
  onUse: (preset: TextPreset | undefined) => void;
}) {
  const select = useRef<HTMLSelectElement>(null);
  return (
    <Field
      label="Preset"
      changed={changed.size > 0}
      errorless
      aside={changed.size > 0 && counted(changed.size, "change")}
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
              label={playgroundCommands.deletePreset.label}
              data-command={playgroundCommands.deletePreset.id}
              onClick={() => {
                // The focus must move, because the button disappears with the preset.
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

/** The line under the settings: resets them to the preset, or saves them as a preset. */
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
    ...(changed.size === 0 ? { unavailable: "No changes" } : {}),
    run: () => onUse(chosen),
  };
  const begin = { ...playgroundCommands.savePreset, run: () => setIsNaming(true) };
  const removal = {
    ...playgroundCommands.deletePreset,
    label: `${playgroundCommands.deletePreset.label}: ${visibleLine(chosen?.name ?? "")}`,
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
        {restore.label}
      </Button>
      <Button size="sm" data-command={begin.id} onClick={begin.run}>
        {begin.label}
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

/** The presets of this device. They belong to no account, so they stay when a key is removed. */
const useStored = create<{ presets: StoredPresets }>(() => ({ presets: readPresets() }));
if (typeof window !== "undefined") {
  onStoredChange(KEYS.textPresets, () => useStored.setState({ presets: readPresets() }));
}

function readPresets(): StoredPresets {
  const all = asList(readJson(KEYS.textPresets));
  const readFor = (endpoint: TextEndpoint) => all.flatMap((raw) => readPreset(raw, endpoint) ?? []);
  return { completions: readFor("completions"), responses: readFor("responses"), messages: readFor("messages") };
}

function readPreset(raw: unknown, endpoint: TextEndpoint): TextPreset | undefined {
  if (!isRecord(raw) || raw.endpoint !== endpoint || typeof raw.name !== "string" || !isRecord(raw.params)) {
    return undefined;
  }
  return { name: raw.name, params: raw.params, system: typeof raw.system === "string" ? raw.system : "" };
}

/**
 * Changes the presets of one endpoint. Reads them from storage first, because another tab may have changed them. Throws
 * where the storage cannot be written.
 */
function changePresets(
  endpoint: TextEndpoint,
  change: (items: readonly TextPreset[]) => readonly TextPreset[],
): readonly TextPreset[] {
  const stored = readPresets();
  const items = change(stored[endpoint]);
  const presets = { ...stored, [endpoint]: items };
  const all = TEXT_ENDPOINTS.flatMap((name) => presets[name].map((preset) => ({ ...preset, endpoint: name })));
  if (!writeJson(KEYS.textPresets, all)) throw new Error("This browser couldn’t write to its storage.");
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
      ...createActs<TextPreset>(async (change) => changePresets(endpoint, change)),
    }),
    [endpoint, items],
  );
}

/**
 * The fields in which a column differs from a preset, or without one from a new column of its endpoint: the names of
 * fields of the request, and `system` for the system prompt.
 */
function changedFields({ endpoint, model, params, system }: Column, preset: TextPreset | undefined): Set<string> {
  const base = preset ?? createColumn({ endpoint, model });
  const names = [...Object.keys(params), ...Object.keys(base.params)];
  const changed = new Set(names.filter((name) => JSON.stringify(params[name]) !== JSON.stringify(base.params[name])));
  if (system !== base.system) changed.add("system");
  return changed;
}

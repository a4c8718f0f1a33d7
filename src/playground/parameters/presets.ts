import { useMemo } from "react";
import { create } from "zustand";
import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { createActs } from "#connection/named-list.ts";
import type { Named, NamedList } from "#lib/named-list.ts";
import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { onStoredChange, readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type Column, createColumn } from "#text/conversations/conversation.ts";

/** Parameters and a system prompt under a name. */
export interface TextPreset extends Named {
  params: JsonRecord;
  system: string;
}

type Presets = Readonly<Record<TextEndpoint, readonly TextPreset[]>>;

/** They belong to this device and to no account: a text that is worth a name outlives a key. */
const useStored = create<{ presets: Presets }>(() => ({ presets: readPresets() }));
if (typeof window !== "undefined") {
  onStoredChange(KEYS.textPresets, () => useStored.setState({ presets: readPresets() }));
}

function readPresets(): Presets {
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
export function changedFields(
  { endpoint, model, params, system }: Column,
  preset: TextPreset | undefined,
): Set<string> {
  const base = preset ?? createColumn({ endpoint, model });
  const names = [...Object.keys(params), ...Object.keys(base.params)];
  const changed = new Set(names.filter((name) => JSON.stringify(params[name]) !== JSON.stringify(base.params[name])));
  if (system !== base.system) changed.add("system");
  return changed;
}

import { type Named, namedKind } from "#connection/named-list.ts";
import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { readJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type Column, createColumn } from "./conversations/conversation.ts";

/** Parameters and a system prompt under a name. */
export interface Preset extends Named {
  params: JsonRecord;
  system: string;
}

/**
 * The presets of an account: a list for each endpoint. Until the first change a list has those that an earlier version saved
 * for the whole device; they stay there, for that version.
 */
export const textPresets = namedKind<Preset>("text-presets", readPreset, {
  beforeFirstChange: (endpoint) =>
    asList(readJson(KEYS.textPresets)).filter((raw) => isRecord(raw) && raw.endpoint === endpoint),
});

function readPreset(raw: Record<string, unknown>, name: string): Preset | undefined {
  const system = typeof raw.system === "string" ? raw.system : "";
  return isRecord(raw.params) ? { name, params: raw.params, system } : undefined;
}

/**
 * The fields in which a column differs from a preset, or without one from what a column of its endpoint begins with: names of
 * fields of the request, and `system` for the system prompt.
 */
export function changedFields({ endpoint, model, params, system }: Column, preset: Preset | undefined): Set<string> {
  const base = preset ?? createColumn({ endpoint, model });
  const names = [...Object.keys(params), ...Object.keys(base.params)];
  const changed = new Set(names.filter((name) => JSON.stringify(params[name]) !== JSON.stringify(base.params[name])));
  if (system !== base.system) changed.add("system");
  return changed;
}

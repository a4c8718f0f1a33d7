import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type Column, createColumn } from "./conversations/conversation.ts";

/** Parameters and a system prompt under a name, for one endpoint. */
export interface Preset {
  name: string;
  endpoint: TextEndpoint;
  params: JsonRecord;
  system: string;
}

/** Every preset of this device, read as untrusted data. */
export function readPresets(): Preset[] {
  return asList(readJson(KEYS.textPresets)).flatMap((one) => readPreset(one) ?? []);
}

/** Stores a preset in place of one with the same name and endpoint; gives all of them. */
export function savePreset(preset: Preset): Preset[] {
  return write([...without(preset), preset]);
}

export function removePreset(preset: Preset): Preset[] {
  return write(without(preset));
}

/**
 * How many settings of a column differ from a preset, or without one from what a column of its endpoint begins with. Each
 * field of the request and the system prompt count as one.
 */
export function presetChanges(column: Column, preset: Preset | undefined): number {
  return changedFields(column, preset).size;
}

/** The names of the fields that differ, with `system` for the system prompt. */
export function changedFields({ endpoint, model, params, system }: Column, preset: Preset | undefined): Set<string> {
  const base = preset ?? createColumn({ endpoint, model });
  const names = [...Object.keys(params), ...Object.keys(base.params)];
  const changed = new Set(names.filter((name) => JSON.stringify(params[name]) !== JSON.stringify(base.params[name])));
  if (system !== base.system) changed.add("system");
  return changed;
}

function without({ name, endpoint }: Preset): Preset[] {
  return readPresets().filter((one) => one.name !== name || one.endpoint !== endpoint);
}

function write(presets: Preset[]): Preset[] {
  writeJson(KEYS.textPresets, presets);
  return presets;
}

function readPreset(raw: unknown): Preset | undefined {
  if (!isRecord(raw) || typeof raw.name !== "string" || !isRecord(raw.params)) return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name) => name === raw.endpoint);
  const system = typeof raw.system === "string" ? raw.system : "";
  return endpoint && { name: raw.name, endpoint, params: raw.params, system };
}

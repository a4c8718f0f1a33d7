import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

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

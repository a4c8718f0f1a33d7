import type { TextEndpoint } from "#api/text-types.ts";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import { TEXT_ENDPOINTS } from "./conversation.ts";

/** Parameters and a system prompt under a name, for one endpoint. */
export interface Preset {
  name: string;
  endpoint: TextEndpoint;
  params: JsonRecord;
  system: string;
}

const KEY = "safelight:text-presets";

/** Every preset of this device, read as untrusted data. */
export function readPresets(): Preset[] {
  try {
    const raw: unknown = JSON.parse(safeLocalStorage.getItem(KEY) ?? "[]");
    return Array.isArray(raw) ? raw.flatMap((one) => readPreset(one) ?? []) : [];
  } catch {
    return [];
  }
}

/** Keeps a preset in place of one with the same name and endpoint; gives all of them. */
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
  safeLocalStorage.setItem(KEY, JSON.stringify(presets));
  return presets;
}

function readPreset(raw: unknown): Preset | undefined {
  if (!isRecord(raw) || typeof raw.name !== "string" || !isRecord(raw.params)) return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name) => name === raw.endpoint);
  const system = typeof raw.system === "string" ? raw.system : "";
  return endpoint && { name: raw.name, endpoint, params: raw.params, system };
}

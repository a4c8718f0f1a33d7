import { isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { putChange, type RowKind, refuseNewer } from "./typed-rows.ts";

/** Settings of one model that a person gave a name. Names are unique within a model. */
export interface Preset {
  name: string;
  payload: JsonRecord;
}

// One row for each model and key: exported and wiped with the other rows.
export const presetRows: RowKind<readonly Preset[]> = {
  store: "settings",
  version: 1,
  read: (body) => (Array.isArray(body) ? body.flatMap(readPreset) : undefined),
};
/** The key of the row of a model's presets. */
export const presetsKey = (accountId: string, modelId: string) => `presets|${accountId}|${modelId}`;

/**
 * Stores settings under a name; one of the same name is replaced. Rejects with `StorageError` where nothing was written.
 */
export function savePreset(accountId: string, modelId: string, preset: Preset): Promise<void> {
  return change(accountId, modelId, (presets) => [...presets.filter(({ name }) => name !== preset.name), preset]);
}

/**
 * Gives a preset another name, in the place of one that had it. Rejects with `StorageError` where nothing was written.
 */
export function renamePreset(accountId: string, modelId: string, from: string, to: string): Promise<void> {
  return change(accountId, modelId, (presets) =>
    presets
      .filter(({ name }) => name === from || name !== to)
      .map((preset) => (preset.name === from ? { ...preset, name: to } : preset)),
  );
}

/** Deletes a preset, if it is there. Rejects with `StorageError` where nothing was written. */
export function deletePreset(accountId: string, modelId: string, name: string): Promise<void> {
  return change(accountId, modelId, (presets) => presets.filter((preset) => preset.name !== name));
}

async function change(
  accountId: string,
  modelId: string,
  next: (presets: readonly Preset[]) => readonly Preset[],
): Promise<void> {
  const key = presetsKey(accountId, modelId);
  await (await openRows()).edit({ store: presetRows.store, key }, (row) => {
    refuseNewer(presetRows, row);
    const presets = next((row && presetRows.read(row.body, row)) ?? []).toSorted((a, b) =>
      a.name.localeCompare(b.name),
    );
    return { changes: [putChange(presetRows, accountId, key, presets)], result: undefined };
  });
}

function readPreset(raw: unknown): Preset[] {
  return isRecord(raw) && typeof raw.name === "string" && isRecord(raw.payload)
    ? [{ name: raw.name, payload: raw.payload }]
    : [];
}

/** Every preset of a key, with the model that it belongs to. Rejects where the database cannot be read. */
export async function allPresets(accountId: string): Promise<readonly (Preset & { modelId: string })[]> {
  const start = presetsKey(accountId, "");
  const rows = await (await openRows()).all(presetRows.store, accountId);
  return rows.flatMap((row) => {
    const presets = row.key.startsWith(start) ? (presetRows.read(row.body, row) ?? []) : [];
    return presets.map((preset) => ({ ...preset, modelId: row.key.slice(start.length) }));
  });
}

import { isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { putChange, type RowKind, readOne, refuseNewer } from "./typed-rows.ts";

/** Settings of one model that a person gave a name. Names are unique within a model. */
export interface Preset {
  name: string;
  payload: JsonRecord;
}

// One row for each model and key: exported and wiped with the other rows.
const rowKind: RowKind<readonly Preset[]> = {
  store: "settings",
  version: 1,
  read: (body) => (Array.isArray(body) ? body.flatMap(readPreset) : undefined),
};
const rowKey = (accountId: string, modelId: string) => `presets|${accountId}|${modelId}`;

/** The presets of a model, by name. Rejects where the database cannot be read. */
export async function loadPresets(accountId: string, modelId: string): Promise<readonly Preset[]> {
  return (await readOne(await openRows(), rowKind, rowKey(accountId, modelId))) ?? [];
}

/**
 * Stores settings under a name; one of the same name is replaced. Resolves with the presets afterwards. Rejects with
 * `StorageError` where nothing was written.
 */
export function savePreset(accountId: string, modelId: string, preset: Preset): Promise<readonly Preset[]> {
  return change(accountId, modelId, (presets) => [...presets.filter(({ name }) => name !== preset.name), preset]);
}

/**
 * Gives a preset another name, in the place of one that had it. Resolves with the presets afterwards. Rejects with
 * `StorageError` where nothing was written.
 */
export function renamePreset(accountId: string, modelId: string, from: string, to: string): Promise<readonly Preset[]> {
  return change(accountId, modelId, (presets) =>
    presets
      .filter(({ name }) => name === from || name !== to)
      .map((preset) => (preset.name === from ? { ...preset, name: to } : preset)),
  );
}

/**
 * Deletes a preset, if it is there. Resolves with the presets afterwards. Rejects with `StorageError` where nothing was
 * written.
 */
export function deletePreset(accountId: string, modelId: string, name: string): Promise<readonly Preset[]> {
  return change(accountId, modelId, (presets) => presets.filter((preset) => preset.name !== name));
}

async function change(
  accountId: string,
  modelId: string,
  next: (presets: readonly Preset[]) => readonly Preset[],
): Promise<readonly Preset[]> {
  const key = rowKey(accountId, modelId);
  return (await openRows()).edit<readonly Preset[]>({ store: rowKind.store, key }, (row) => {
    refuseNewer(rowKind, row);
    const presets = next((row && rowKind.read(row.body, row)) ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
    return { changes: [putChange(rowKind, accountId, key, presets)], result: presets };
  });
}

function readPreset(raw: unknown): Preset[] {
  return isRecord(raw) && typeof raw.name === "string" && isRecord(raw.payload)
    ? [{ name: raw.name, payload: raw.payload }]
    : [];
}

/** Every preset of a key, with the model that it belongs to. Rejects where the database cannot be read. */
export async function allPresets(accountId: string): Promise<readonly (Preset & { modelId: string })[]> {
  const start = rowKey(accountId, "");
  const rows = await (await openRows()).all(rowKind.store, accountId);
  return rows.flatMap((row) => {
    const presets = row.key.startsWith(start) ? (rowKind.read(row.body, row) ?? []) : [];
    return presets.map((preset) => ({ ...preset, modelId: row.key.slice(start.length) }));
  });
}

import { counted, formatNumber } from "#lib/numbers.ts";
import { asList, asNumber, isRecord, parseSafely, tryParseJson } from "#lib/read.ts";
import { IDENTITY_KEY, IMPORT_KEY, STORE_NAMES, type StoreName } from "./keys.ts";
import { isStoredRow, type RowStore, type StoredRow } from "./rows.ts";
import { putChange, type RowKind } from "./typed-rows.ts";

const FORMAT = "safelight-rows";
const VERSION = 1;

/**
 * Every row of this browser as one JSON file. The key is in none of the rows, so it is in no export
 * either. Rejects where the database cannot be read.
 */
export async function exportRows(rows: RowStore): Promise<Blob> {
  const stores: Partial<Record<StoreName, StoredRow[]>> = {};
  for (const name of STORE_NAMES) {
    stores[name] = (await rows.all(name)).filter(({ key }) => !OWN_ROWS.includes(key));
  }
  return new Blob([JSON.stringify({ format: FORMAT, version: VERSION, stores })], { type: "application/json" });
}

/** Rows about this very database: they are in no export, and none is taken from one. */
const OWN_ROWS = [IDENTITY_KEY, IMPORT_KEY];

export interface ImportReport {
  added: number;
  /** Rows whose key was here already. Those stay as they are. */
  existing: number;
  /** Entries that are no rows. */
  unreadable: number;
}

/** How much of a file was read. */
interface ImportPlace {
  read: number;
  total: number;
}

/** The import of a file ended before its end. What was read stays, and the same file goes on from there. */
export class ImportCutOffError extends Error {
  override readonly name = "ImportCutOffError";
  readonly report: ImportReport;
  readonly place: ImportPlace;
  constructor(report: ImportReport, place: ImportPlace, cause: unknown) {
    super(`${formatNumber(place.read)} of ${counted(place.total, "record was", "records were")} read.`, { cause });
    this.report = report;
    this.place = place;
  }
}

/** How far the import of a file came that ended with its page: one row, of the key `IMPORT_KEY`. */
export const importPlaceRows: RowKind<ImportPlace> = {
  store: "settings",
  version: 1,
  read: (raw) => {
    const [read, total] = isRecord(raw) ? [asNumber(raw.read), asNumber(raw.total)] : [];
    return read === undefined || total === undefined ? undefined : { read, total };
  },
};

/** How many rows are imported between two notes of the place. */
const NOTE_EVERY = 200;

/**
 * Imports an export. A row that is here already stays as it is, because it may have moved on since. Rejects with an
 * `Error` or a `SyntaxError` where the file is no export, and with `ImportCutOffError` where a row cannot be written;
 * those before it stay. A page that is closed meanwhile leaves its place (`importPlaceRows`).
 */
export async function importRows(rows: RowStore, file: Blob): Promise<ImportReport> {
  const raw: unknown = parseSafely(await file.text());
  if (!isRecord(raw) || raw.format !== FORMAT || !isRecord(raw.stores))
    throw new Error("This file isn’t a Safelight export.");
  const { stores } = raw;
  const entries = STORE_NAMES.flatMap((store) => asList(stores[store]).map((entry) => ({ store, entry })));
  const report: ImportReport = { added: 0, existing: 0, unreadable: 0 };
  let read = 0;
  try {
    for (const { store, entry } of entries) {
      if (read % NOTE_EVERY === 0) await notePlace(rows, { read, total: entries.length });
      report[await importRow(rows, store, entry)] += 1;
      read += 1;
    }
  } catch (error) {
    throw new ImportCutOffError(report, { read, total: entries.length }, error);
  }
  await rows.edit({ store: "settings", key: IMPORT_KEY }, () => ({
    changes: [{ kind: "remove", store: "settings", key: IMPORT_KEY }],
    result: undefined,
  }));
  return report;
}

function notePlace(rows: RowStore, place: ImportPlace): Promise<void> {
  return rows.edit({ store: "settings", key: IMPORT_KEY }, () => ({
    changes: [putChange(importPlaceRows, "", IMPORT_KEY, place)],
    result: undefined,
  }));
}

/**
 * Marks the media of jobs in an imported file, so that none is loaded unasked: loading it shows its host the URL of
 * the person.
 */
function withForeignMedia(body: unknown, depth = 0): unknown {
  if (typeof body === "string" && depth === 0) {
    const parsed = tryParseJson(body);
    return parsed === undefined ? body : JSON.stringify(withForeignMedia(parsed, 1));
  }
  if (Array.isArray(body)) return body.map((item) => withForeignMedia(item, depth + 1));
  if (!isRecord(body) || depth > MAX_MEDIA_DEPTH) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key !== "media") return [key, key === "job" ? withForeignMedia(value, depth + 1) : value];
      return [key, asList(value).map((item) => (isRecord(item) ? { ...item, isElsewhere: true } : item))];
    }),
  );
}

/** How deep media may stand in a body: in a list of entries, in a job's row, in the job within it. */
const MAX_MEDIA_DEPTH = 4;

async function importRow(rows: RowStore, store: StoreName, entry: unknown): Promise<keyof ImportReport> {
  if (!isStoredRow(entry)) return "unreadable";
  if (OWN_ROWS.includes(entry.key)) return "existing";
  // The attempt that took the slot belongs to the browser that wrote it.
  const { slot: _slot, ...rest } = entry;
  const row = store === "jobs" || store === "seen" ? { ...rest, body: withForeignMedia(rest.body) } : rest;
  return rows.edit<keyof ImportReport>({ store, key: row.key }, (current) =>
    current === undefined
      ? { changes: [{ kind: "put", store, row }], result: "added" }
      : { changes: [], result: "existing" },
  );
}

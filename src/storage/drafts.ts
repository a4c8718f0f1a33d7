import { asList, isRecord, type JsonRecord } from "#lib/read.ts";
import { readJson, removeStored, writeJson } from "./browser-store.ts";
import { openRows } from "./database.ts";
import { KEYS, ROW_VERSIONS } from "./keys.ts";
import { putChange, type RowKind, readOne, refuseNewer, saveOne } from "./typed-rows.ts";

/** What a person had entered for one model. */
interface StoredDraft {
  payload: JsonRecord;
  savedAtMs: number;
}

export const draftRows: RowKind<StoredDraft> = {
  store: "drafts",
  version: ROW_VERSIONS.drafts,
  read: (body) =>
    isRecord(body) && isRecord(body.payload) && typeof body.savedAtMs === "number"
      ? { payload: body.payload, savedAtMs: body.savedAtMs }
      : undefined,
};

/** The key of the row of a model's draft. */
export const draftKey = (accountId: string, modelId: string) => `${accountId}|${modelId}`;

/** The draft of one model, where there is one. Rejects where the database cannot be read. */
export async function loadDraft(accountId: string, modelId: string): Promise<StoredDraft | undefined> {
  return readOne(await openRows(), draftRows, draftKey(accountId, modelId));
}

/** Stores a draft. Resolves with whether it was written; it does not reject, because the form works without. */
export async function saveDraft(
  accountId: string,
  modelId: string,
  payload: JsonRecord,
  nowMs = Date.now(),
): Promise<boolean> {
  try {
    await saveOne(draftRows, accountId, draftKey(accountId, modelId), { payload, savedAtMs: nowMs });
    return true;
  } catch {
    return false;
  }
}

/**
 * Changes a stored draft in one transaction; `change` gets an empty payload where there is none. Resolves with whether it
 * was written; it does not reject.
 */
export async function changeDraft(
  accountId: string,
  modelId: string,
  change: (payload: JsonRecord) => JsonRecord,
  nowMs = Date.now(),
): Promise<boolean> {
  const key = draftKey(accountId, modelId);
  try {
    const rows = await openRows();
    return await rows.edit({ store: draftRows.store, key }, (row) => {
      refuseNewer(draftRows, row);
      const stored = row && draftRows.read(row.body, row);
      const next = { payload: change(stored?.payload ?? {}), savedAtMs: nowMs };
      return { changes: [putChange(draftRows, accountId, key, next)], result: true };
    });
  } catch {
    return false;
  }
}

// IndexedDB does not finish a write that is under way as the page is left. sessionStorage does, until the tab is closed.

/** The draft of a form as the page was left. */
export interface UnloadDraft {
  accountId: string;
  modelId: string;
  payload: JsonRecord;
  /** Whether the payload was in the database before. */
  isStored: boolean;
  /** The uploads that ended with the page, as `create/drafts.ts` writes and reads them. */
  uploads: readonly unknown[];
}

/** Stores drafts as the page is left, beside those that are stored. A full or forbidden storage loses them. */
export function storeUnloadDrafts(drafts: readonly UnloadDraft[]): void {
  const all = readUnloadDrafts();
  for (const draft of drafts) all.set(draftKey(draft.accountId, draft.modelId), draft);
  writeUnloadDrafts(all);
}

/** The draft of a model that the page before stored as it was left. */
export const readUnloadDraft = (accountId: string, modelId: string): UnloadDraft | undefined =>
  readUnloadDrafts().get(draftKey(accountId, modelId));

/** Removes the draft of a model from sessionStorage, once it is in the database. */
export function removeUnloadDraft(accountId: string, modelId: string): void {
  const all = readUnloadDrafts();
  if (all.delete(draftKey(accountId, modelId))) writeUnloadDrafts(all);
}

function writeUnloadDrafts(drafts: ReadonlyMap<string, UnloadDraft>): void {
  const list = [...drafts.values()].map(({ accountId, modelId, payload, isStored, uploads }) => ({
    scope: accountId,
    modelId,
    payload,
    ...(isStored ? { isStored } : {}),
    ...(uploads.length > 0 ? { uploads } : {}),
  }));
  if (list.length > 0) writeJson(KEYS.unloadDraft, list);
  else removeStored(KEYS.unloadDraft);
}

/** What was stored when the page was left: a list, or one draft alone, as a tab of an older version stores it. */
function readUnloadDrafts(): Map<string, UnloadDraft> {
  const drafts = new Map<string, UnloadDraft>();
  for (const value of [readJson(KEYS.unloadDraft)].flat()) {
    if (!isRecord(value) || !isRecord(value.payload)) continue;
    const { scope: accountId, modelId, payload, isStored, uploads } = value;
    if (typeof accountId !== "string" || typeof modelId !== "string") continue;
    const draft = { accountId, modelId, payload, isStored: isStored === true, uploads: asList(uploads) };
    drafts.set(draftKey(accountId, modelId), draft);
  }
  return drafts;
}

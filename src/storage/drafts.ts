import { isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import { putChange, type RowKind, readOne, refuseNewer, saveOne } from "./typed-rows.ts";

/** What a person had typed for one model. */
interface Draft {
  payload: JsonRecord;
  savedAtMs: number;
}

export const draftRows: RowKind<Draft> = {
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
export async function loadDraft(accountId: string, modelId: string): Promise<Draft | undefined> {
  return readOne(await openRows(), draftRows, draftKey(accountId, modelId));
}

/** Stores a draft. Resolves with whether it was written: the form goes on working without. */
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
 * Changes a draft where it is stored, between no other change of it; `change` gets an empty payload where there is none.
 * Never rejects: what cannot be written is lost.
 */
export async function changeDraft(
  accountId: string,
  modelId: string,
  change: (payload: JsonRecord) => JsonRecord,
  nowMs = Date.now(),
): Promise<void> {
  const key = draftKey(accountId, modelId);
  const rows = await openRows();
  await rows
    .edit({ store: draftRows.store, key }, (row) => {
      refuseNewer(draftRows, row);
      const before = row && draftRows.read(row.body, row);
      const after = { payload: change(before?.payload ?? {}), savedAtMs: nowMs };
      return { changes: [putChange(draftRows, accountId, key, after)], result: undefined };
    })
    .catch(() => {});
}

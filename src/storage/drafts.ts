import { isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import { type RowKind, readOne, saveOne } from "./typed-rows.ts";

/** What a person had typed for one model. */
interface Draft {
  payload: JsonRecord;
  savedAtMs: number;
}

const draftRows: RowKind<Draft> = {
  store: "drafts",
  version: ROW_VERSIONS.drafts,
  read: (body) =>
    isRecord(body) && isRecord(body.payload) && typeof body.savedAtMs === "number"
      ? { payload: body.payload, savedAtMs: body.savedAtMs }
      : undefined,
};

const draftKey = (accountId: string, modelId: string) => `${accountId}|${modelId}`;

/** The draft of one model, where there is one. Rejects where the database cannot be read. */
export async function loadDraft(accountId: string, modelId: string): Promise<Draft | undefined> {
  return readOne(await openRows(), draftRows, draftKey(accountId, modelId));
}

/** Stores a draft. Never rejects: one that cannot be written is lost with the page, and the form goes on working. */
export async function saveDraft(
  accountId: string,
  modelId: string,
  payload: JsonRecord,
  nowMs = Date.now(),
): Promise<void> {
  await saveOne(draftRows, accountId, draftKey(accountId, modelId), { payload, savedAtMs: nowMs }).catch(() => {});
}

import { isRecord, type JsonRecord } from "#lib/json.ts";
import { parseJson } from "#schema-form/read/parse-json.ts";

// IndexedDB does not finish a write that begins as the page is left. This does, and lasts until the tab is closed.
const PLACE = "safelight.late-draft";

/** Keeps what was typed in the last moment before a reload. A full or forbidden storage loses only that moment. */
export function keepLateDraft(accountId: string, modelId: string, payload: JsonRecord): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ scope: accountId, modelId, payload }));
  } catch {
    // The draft of a moment before is in the database.
  }
}

/** What was kept for a model when the page was left. */
export function lateDraft(accountId: string, modelId: string): JsonRecord | undefined {
  try {
    const { value } = parseJson(sessionStorage.getItem(PLACE) ?? "");
    if (!isRecord(value) || value.scope !== accountId || value.modelId !== modelId) return undefined;
    return isRecord(value.payload) ? value.payload : undefined;
  } catch {
    return undefined;
  }
}

/** A later draft is in the database. */
export function dropLateDraft(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept either.
  }
}

import { isRecord, type JsonRecord } from "#lib/json.ts";

/** What is written into a file, or beside it, so that its settings can be used again. */
export interface FileSettings {
  model: string;
  payload: JsonRecord;
  requestId?: string | undefined;
}

/** The keyword of the PNG text and the name of the XMP property. */
export const SETTINGS_KEYWORD = "Safelight";

/** The settings as JSON. */
export function settingsText({ model, payload, requestId }: FileSettings): string {
  return JSON.stringify({ model, payload, ...(requestId ? { request_id: requestId } : {}) });
}

/** Settings read back from any file: untrusted, so undefined for whatever is not of their shape. */
export function readSettingsText(text: string): FileSettings | undefined {
  try {
    const raw: unknown = JSON.parse(text);
    if (!isRecord(raw) || typeof raw.model !== "string" || raw.model === "" || !isRecord(raw.payload)) return undefined;
    const requestId = typeof raw.request_id === "string" ? raw.request_id : undefined;
    return { model: raw.model, payload: raw.payload, requestId };
  } catch {
    return undefined;
  }
}

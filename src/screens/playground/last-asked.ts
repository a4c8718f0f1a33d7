import { type Asked, TEXT_ENDPOINTS } from "#chat/conversation.ts";
import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";

const KEY = "safelight:last-asked";

/** The endpoint and model that were chosen last on this device. */
export function readLastAsked(): Asked | undefined {
  try {
    const raw: unknown = JSON.parse(safeLocalStorage.getItem(KEY) ?? "null");
    if (!isRecord(raw) || typeof raw.model !== "string") return undefined;
    const endpoint = TEXT_ENDPOINTS.find((name) => name === raw.endpoint);
    return endpoint && { endpoint, model: raw.model };
  } catch {
    return undefined;
  }
}

export function rememberAsked({ endpoint, model }: Asked): void {
  safeLocalStorage.setItem(KEY, JSON.stringify({ endpoint, model }));
}

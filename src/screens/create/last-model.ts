import { safeLocalStorage } from "#lib/safe-storage.ts";

const KEY = "safelight:last-model";

/** The model the person used last on this device, so that Create opens where they left it. */
export function readLastModel(): string | undefined {
  return safeLocalStorage.getItem(KEY) ?? undefined;
}

export function rememberLastModel(id: string): void {
  safeLocalStorage.setItem(KEY, id);
}

import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";

const NAME = "safelight.addresses";

interface Addresses {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
}

/** The addresses used last on this device, read back as untrusted text. The key is never among them. */
export function loadAddresses(): Addresses {
  try {
    const raw: unknown = JSON.parse(safeLocalStorage.getItem(NAME) ?? "null");
    if (isRecord(raw))
      return { queueBaseUrl: textOf(raw.queueBaseUrl), inferenceBaseUrl: textOf(raw.inferenceBaseUrl) };
  } catch {
    // Not ours, or broken: start empty.
  }
  return { queueBaseUrl: "", inferenceBaseUrl: "" };
}

export function saveAddresses({ queueBaseUrl, inferenceBaseUrl }: Addresses): void {
  safeLocalStorage.setItem(NAME, JSON.stringify({ queueBaseUrl, inferenceBaseUrl }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 500) : "";
}

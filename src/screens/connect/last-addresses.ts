import { asRecord, asText } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

interface Addresses {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
}

/** The addresses used last on this device, read back as untrusted text. The key is never among them. */
export function loadAddresses(): Addresses {
  const raw = asRecord(readJson(KEYS.addresses));
  const address = (value: unknown) => (asText(value) ?? "").slice(0, 500);
  return { queueBaseUrl: address(raw.queueBaseUrl), inferenceBaseUrl: address(raw.inferenceBaseUrl) };
}

export function saveAddresses({ queueBaseUrl, inferenceBaseUrl }: Addresses): void {
  writeJson(KEYS.addresses, { queueBaseUrl, inferenceBaseUrl });
}

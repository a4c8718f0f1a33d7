import { checkAddress, normalizeAddress } from "#connection/check-connection.ts";
import type { Connection } from "#connection/connection.ts";
import { isNamedService, namedOrigins } from "#connection/named-service.ts";
import { isServedByHost } from "#connection/relay.ts";
import { asRecord, asText } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** Under the names of the inputs. The key is in no default, no state and no address: it is read when it is needed. */
export interface ConnectValues {
  "api-key": string;
  "queue-address": string;
  "inference-address": string;
  "all-tabs": boolean;
  keep: boolean;
  passphrase: string;
  "passphrase-again": string;
}

/**
 * The addresses of the connection that ended, else those used last on this device, read back as untrusted text, else those
 * of the service that the build names.
 */
export function loadValues(ended: Connection | undefined): ConnectValues {
  const stored = asRecord(readJson(KEYS.addresses));
  const [named] = isServedByHost() ? [] : namedOrigins();
  const address = (value: unknown, other: string | undefined) => {
    const known = (asText(value) ?? "").slice(0, 500);
    return known !== "" && (named === undefined || isNamedService(known)) ? known : (other ?? "");
  };
  return {
    "api-key": "",
    "queue-address": address(ended?.queueBaseUrl ?? stored.queueBaseUrl, named && `${named}/api/v1/queue`),
    "inference-address": address(ended?.inferenceBaseUrl ?? stored.inferenceBaseUrl, named),
    "all-tabs": ended?.isShared ?? false,
    keep: false,
    passphrase: "",
    "passphrase-again": "",
  };
}

export function saveAddresses({ queueBaseUrl, inferenceBaseUrl }: Connection): void {
  writeJson(KEYS.addresses, { queueBaseUrl, inferenceBaseUrl });
}

/** What is wrong with an address, as a sentence, or undefined. A build for one service takes no other. */
export function addressProblem(text: string): string | undefined {
  const address = normalizeAddress(text);
  const problem = checkAddress(address);
  if (problem !== undefined || isServedByHost() || isNamedService(address)) return problem;
  const hosts = namedOrigins().map((origin) => new URL(origin).host);
  return `This studio was built for ${hosts.join(" and ")}, and its page can send requests nowhere else.`;
}

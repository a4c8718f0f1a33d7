import { keepConnection } from "./connection-store.ts";
import { waitAfter } from "./custody/unlock-delay.ts";
import { workerHolder } from "./custody/worker-holder.ts";
import { createTicketedConnection, deviceSalt } from "./open-connection.ts";
import { changeSealed, type SealedConnection } from "./sealed-connections.ts";

/** `locked`: nothing was opened. Before `waitMs` have passed no passphrase is tried; `isEarly`: nor was this one. */
export type UnlockResult = { kind: "opened" } | { kind: "locked"; waitMs: number; isEarly: boolean };

/**
 * Opens a key that is stored on this device and makes its connection the current one. Rejects with an `ApiError` where the
 * Worker gives no answer, or the key is for another service than this build.
 */
export async function unlockConnection(stored: SealedConnection, passphrase: string): Promise<UnlockResult> {
  const { accountId, sealed, wrongTries, lastTryAtMs } = stored;
  const nowMs = Date.now();
  // Counted before it is tried: a page that is closed in the middle has tried as well.
  changeSealed(accountId, { wrongTries: wrongTries + 1, lastTryAtMs: nowMs });
  const order = { sealed, passphrase, salt: deviceSalt(), wrongTries, sinceLastMs: nowMs - lastTryAtMs };
  const answer = await workerHolder.unlock(order);
  if (answer.kind === "locked") {
    if (answer.isEarly) changeSealed(accountId, { wrongTries, lastTryAtMs });
    return answer;
  }
  const { handle, queueBaseUrl, inferenceBaseUrl } = answer;
  // Where the browser has lost its salt meanwhile, the same key is another account.
  changeSealed(accountId, { accountId: handle.accountId, wrongTries: 0, lastTryAtMs: 0 });
  const addresses = { queueBaseUrl, inferenceBaseUrl };
  const header = stored.usesApiKeyHeader ? { usesApiKeyHeader: true } : {};
  const rest = {
    name: stored.name,
    ...addresses,
    ...header,
    isSandbox: false,
    custody: "worker",
    isShared: false,
  } as const;
  keepConnection(createTicketedConnection(handle, rest));
  return { kind: "opened" };
}

/** How long no passphrase is tried for this key, in ms, by what is stored. A clock that was set back waits anew. */
export function unlockWaitMs({ wrongTries, lastTryAtMs }: SealedConnection, nowMs: number): number {
  return Math.max(0, waitAfter(wrongTries) - Math.max(0, nowMs - lastTryAtMs));
}

import { useEffect, useState } from "react";
import { isRecord } from "#lib/read.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { onChange, onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readOne, refuseNewer, removeOne } from "#storage/typed-rows.ts";
import { readFacts } from "./request-facts.ts";
import {
  dropUnwritten,
  getUnwritten,
  isJobId,
  MAX_REQUESTS,
  onNoted,
  type StoredRequest,
  unwrittenAccounts,
} from "./request-history.ts";

/** What is noted within this time is written at once. A page that is left sooner loses it. */
const WRITE_AFTER_MS = 250;

const requestRows: RowKind<readonly StoredRequest[]> = {
  store: "requests",
  version: 1,
  read: (body) =>
    Array.isArray(body) ? body.flatMap((one) => readStoredRequest(one) ?? []).slice(-MAX_REQUESTS) : undefined,
};

function readStoredRequest(raw: unknown): StoredRequest | undefined {
  const facts = readFacts(raw);
  if (facts === undefined || !isRecord(raw)) return undefined;
  return isJobId(raw.jobId) ? { ...facts, jobId: raw.jobId } : facts;
}

let writing: Promise<void> = Promise.resolve();

/**
 * Writes what is noted, a moment later and together with what else is noted until then, when the page has nothing else
 * to do. Where it cannot be stored it lives in memory. Returns the way to stop.
 */
export function keepRequests(): () => void {
  let isPlanned = false;
  const plan = () => {
    if (isPlanned || unwrittenAccounts().length === 0) return;
    isPlanned = true;
    setTimeout(() => {
      whenIdle(() => {
        isPlanned = false;
        void writeRequests();
        return true;
      });
    }, WRITE_AFTER_MS);
  };
  const leave = () => {
    if (document.visibilityState === "hidden") void writeRequests();
  };
  plan();
  document.addEventListener("visibilitychange", leave);
  const stops = [onNoted(plan), onWipe(forgetRequests), () => document.removeEventListener("visibilitychange", leave)];
  return () => {
    for (const stop of stops) stop();
  };
}

function forgetRequests(accountId: string): void {
  dropUnwritten(accountId);
  // What was being written meanwhile may have come after the deletion.
  writing = writing.then(() => removeOne(requestRows, accountId)).catch(() => {});
}

/** Writes what was noted so far. Never rejects. */
export function writeRequests(): Promise<void> {
  writing = writing.then(async () => {
    for (const accountId of unwrittenAccounts()) await writeAccount(accountId);
  });
  return writing;
}

async function writeAccount(accountId: string): Promise<void> {
  const taken = getUnwritten(accountId);
  try {
    const rows = await openRows();
    // Other tabs write to the same row, so it is read in the same transaction.
    await rows.edit({ store: "requests", key: accountId, isExpendable: true }, (row) => {
      refuseNewer(requestRows, row);
      const before = (row && requestRows.read(row.body, row)) ?? [];
      const isWiped = getUnwritten(accountId).length === 0;
      const all = newest([...before, ...taken]);
      return { changes: isWiped ? [] : [putChange(requestRows, accountId, accountId, all)], result: undefined };
    });
  } catch {
    // A full disk, a newer version, no storage: they stay in memory, and the next time tries again.
    return;
  }
  dropUnwritten(accountId, taken);
}

function newest(requests: readonly StoredRequest[]): StoredRequest[] {
  return requests.toSorted((a, b) => a.atMs - b.atMs).slice(-MAX_REQUESTS);
}

/** The last requests of an account, the oldest first, of this page load and those before. Never rejects. */
export async function recentRequests(accountId: string): Promise<StoredRequest[]> {
  const stored = await openRows()
    .then((rows) => readOne(rows, requestRows, accountId))
    .catch(() => undefined);
  return newest([...(stored ?? []), ...getUnwritten(accountId)]);
}

/** `recentRequests` for a component, always current. Undefined until they are read. */
export function useRecentRequests(accountId: string): readonly StoredRequest[] | undefined {
  const [requests, setRequests] = useState<readonly StoredRequest[]>();
  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      void recentRequests(accountId).then((found) => {
        if (isCurrent) setRequests(found);
      });
    read();
    const stops = [onNoted(read), onChange("requests", read)];
    return () => {
      isCurrent = false;
      for (const stop of stops) stop();
    };
  }, [accountId]);
  return requests;
}

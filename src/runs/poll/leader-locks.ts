import { randomId } from "#lib/random-id.ts";
import { isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { leaseKey } from "#storage/keys.ts";
import type { LeaderLock } from "./leadership.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const LEASE_VERSION = 1;

/** The lead as a Web Lock: the browser passes it on at once when a tab dies. */
export function webLeaderLock(name: string, locks: LockManager): LeaderLock {
  return {
    claim: ({ steal, onLead, onLost }) => {
      const waiting = new AbortController();
      let hasLead = false;
      let release = () => {};
      const hold = () =>
        new Promise<void>((resolve) => {
          // Given up while the browser was already giving it: an abort comes too late for that.
          if (waiting.signal.aborted) return resolve();
          hasLead = true;
          release = resolve;
          onLead();
        });
      locks.request(name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
        // Aborted while waiting: given up. Aborted while it had the lead: stolen by another tab.
        if (hasLead && !waiting.signal.aborted) onLost();
      });
      return () => {
        waiting.abort();
        release();
      };
    },
  };
}

interface Lease {
  holder: string;
  untilMs: number;
}

function readLease(body: unknown): Lease | undefined {
  return isRecord(body) && typeof body.holder === "string" && typeof body.untilMs === "number"
    ? { holder: body.holder, untilMs: body.untilMs }
    : undefined;
}

/**
 * The lead as a lease in the database, for browsers without Web Locks: 15 s, renewed every 5 s. A lease that cannot be
 * written is lost.
 */
export function leaseLeaderLock(name: string, nowMs: () => number = Date.now): LeaderLock {
  const key = leaseKey(name);
  return {
    claim: ({ steal, onLead, onLost }) => {
      const holder = randomId();
      let hasLead = false;
      let stopped = false;
      let force = steal;
      const set = async (untilMs: number): Promise<boolean> => {
        const rows = await openRows();
        return rows.edit<boolean>({ store: "settings", key }, (row) => {
          // A newer version of the studio leads by rules of its own.
          if (row && row.v > LEASE_VERSION) return { changes: [], result: false };
          const lease = row && readLease(row.body);
          // A lease far in the future was written by a clock that has been set back since.
          const isFree =
            !lease || lease.holder === holder || lease.untilMs < nowMs() || lease.untilMs > nowMs() + LEASE_MS;
          if (!isFree && !force) return { changes: [], result: false };
          const body: Lease = { holder, untilMs };
          return {
            changes: [{ kind: "put", store: "settings", row: { key, scope: "", v: LEASE_VERSION, body } }],
            result: true,
          };
        });
      };
      const renew = async () => {
        if (stopped) return;
        const has = await set(nowMs() + LEASE_MS).catch(() => false);
        force = false;
        if (stopped || has === hasLead) return;
        hasLead = has;
        if (has) onLead();
        else onLost();
      };
      const timer = setInterval(() => void renew(), RENEW_MS);
      void renew();
      return () => {
        stopped = true;
        clearInterval(timer);
        if (hasLead) void set(0).catch(() => {});
      };
    },
  };
}

// Elects the one tab that polls for all tabs of an account: by a Web Lock, or by a lease in the database where there are none.
import { useEffect, useState } from "react";
import { randomId } from "#lib/random-id.ts";
import { isRecord } from "#lib/read.ts";
import { noteMissedChanges } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { CHANNELS, LOCKS, leaseKey } from "#storage/keys.ts";

/** Whether this tab does the watching for all tabs. `unknown` until the browser has answered. */
export type Role = "unknown" | "leader" | "follower";

/** How often the leader tells the other tabs that it is alive. */
const HEARTBEAT_MS = 5_000;
/** A visible tab that got no heartbeat for this long takes the lead: the leader is frozen, or asleep in the background. */
const SILENCE_MS = 20_000;

/** A lock that one of all tabs has at a time. */
export interface LeaderLock {
  /**
   * Waits for the lead, or takes it from whoever holds it. `onLead` is called once this tab leads, `onLost` when
   * another tab took the lead. Returns a function that gives it up, or stops waiting.
   */
  claim(options: { steal: boolean; onLead: () => void; onLost: () => void }): () => void;
}

interface LeadershipEffects {
  lock: LeaderLock;
  nowMs(): number;
  isVisible(): boolean;
  /** Sends the other tabs a heartbeat. */
  beat(): void;
  every(ms: number, run: () => void): () => void;
}

export type Leadership = ReturnType<typeof createLeadership>;

/** Elects the one tab of a browser that polls the service for all of them. `onRole` hears of every change of this tab's role. */
export function createLeadership(effects: LeadershipEffects, onRole: (role: Role, previousRole: Role) => void) {
  let role: Role = "unknown";
  let heardAtMs = effects.nowMs();
  let giveUp: (() => void) | undefined;

  const become = (next: Role) => {
    if (next === role) return;
    const previousRole = role;
    role = next;
    onRole(next, previousRole);
  };
  const claim = (steal: boolean) => {
    giveUp?.();
    giveUp = effects.lock.claim({
      steal,
      onLead: () => {
        become("leader");
        effects.beat();
      },
      onLost: () => {
        heardAtMs = effects.nowMs();
        become("follower");
        claim(false);
      },
    });
  };
  const tick = () => {
    if (role === "leader") return effects.beat();
    if (role === "unknown") become("follower");
    if (giveUp && effects.isVisible() && effects.nowMs() - heardAtMs > SILENCE_MS) {
      heardAtMs = effects.nowMs();
      claim(true);
    }
  };
  const stopTicking = effects.every(HEARTBEAT_MS, tick);
  claim(false);
  return {
    /** Call it when another tab's heartbeat arrives. */
    heard: () => {
      heardAtMs = effects.nowMs();
      if (role === "unknown") become("follower");
    },
    /** Gives the lead to another tab: the page is about to be frozen or put into the back-forward cache. */
    pause: () => {
      giveUp?.();
      giveUp = undefined;
      become("follower");
    },
    resume: () => {
      heardAtMs = effects.nowMs();
      if (!giveUp) claim(false);
    },
    stop: () => {
      stopTicking();
      giveUp?.();
      giveUp = undefined;
    },
  };
}

/** The lead as a Web Lock: the browser passes it on at once when a tab dies. */
function webLeaderLock(name: string, locks: LockManager): LeaderLock {
  return {
    claim: ({ steal, onLead, onLost }) => {
      const waiting = new AbortController();
      let hasLead = false;
      let release = () => {};
      const hold = () =>
        new Promise<void>((resolve) => {
          // The claim was given up while the browser was already granting the lock. An abort comes too late for that.
          if (waiting.signal.aborted) return resolve();
          hasLead = true;
          release = resolve;
          onLead();
        });
      locks.request(name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
        // A rejection after `waiting` was aborted means that the claim was given up. Otherwise another tab stole the lead.
        if (hasLead && !waiting.signal.aborted) onLost();
      });
      return () => {
        waiting.abort();
        release();
      };
    },
  };
}

/** A lease outlives two renewals that fail, since a write may be slow. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const LEASE_VERSION = 1;

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
      const writeLease = async (untilMs: number): Promise<boolean> => {
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
        const isWritten = await writeLease(nowMs() + LEASE_MS).catch(() => false);
        // The lease is taken from another tab only once. After that it is renewed only while it is this tab's own.
        force = false;
        if (stopped) {
          // The claim was given up during the write. A lease that was just won would make the other tabs wait for 15 s.
          if (isWritten && !hasLead) void writeLease(0).catch(() => {});
          return;
        }
        if (isWritten === hasLead) return;
        hasLead = isWritten;
        if (isWritten) onLead();
        else onLost();
      };
      const timer = setInterval(() => void renew(), RENEW_MS);
      void renew();
      return () => {
        stopped = true;
        clearInterval(timer);
        if (hasLead) void writeLease(0).catch(() => {});
      };
    },
  };
}

/** What the tab that polls sends the others of its account. Messages of other kinds and versions are dropped. */
const HEARTBEAT = { v: 1, kind: "heartbeat" };

/** Whether an untrusted message is a heartbeat. */
export const isHeartbeat = (data: unknown) => isRecord(data) && data.v === HEARTBEAT.v && data.kind === HEARTBEAT.kind;

/**
 * Opens the channel of an account. Without BroadcastChannel no heartbeat is ever heard: one tab leads all the same, by the Web
 * Lock or by the lease, but each visible tab that follows takes the lead after `SILENCE_MS`, so it goes around.
 */
function openTabChannel(accountId: string, onHeartbeat: () => void) {
  if (typeof BroadcastChannel === "undefined") return { beat: () => {}, close: () => {} };
  const channel = new BroadcastChannel(CHANNELS.jobs(accountId));
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isHeartbeat(data)) onHeartbeat();
  };
  return {
    beat: () => {
      try {
        channel.postMessage(HEARTBEAT);
      } catch {
        // The channel is closed already.
      }
    },
    close: () => channel.close(),
  };
}

/** Joins the tabs of an account: takes part in the election. Returns the way to leave them. */
function joinTabs(accountId: string, onRole: (role: Role, previousRole: Role) => void): () => void {
  const name = LOCKS.watch(accountId);
  const locks = globalThis.navigator?.locks;
  const channel = openTabChannel(accountId, () => leadership.heard());
  const effects: LeadershipEffects = {
    lock: locks ? webLeaderLock(name, locks) : leaseLeaderLock(name),
    nowMs: () => performance.now(),
    isVisible: () => document.visibilityState !== "hidden",
    beat: channel.beat,
    every: (ms, run) => {
      const timer = setInterval(run, ms);
      return () => clearInterval(timer);
    },
  };
  const leadership = createLeadership(effects, onRole);
  const pause = () => leadership.pause();
  const resume = () => leadership.resume();
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", resume);
  document.addEventListener("freeze", pause);
  document.addEventListener("resume", resume);
  return () => {
    leadership.stop();
    channel.close();
    window.removeEventListener("pagehide", pause);
    window.removeEventListener("pageshow", resume);
    document.removeEventListener("freeze", pause);
    document.removeEventListener("resume", resume);
  };
}

/** Takes part in the watching by all tabs of an account, and gives this tab's role. */
export function useTabRole(accountId: string): Role {
  const [role, setRole] = useState<Role>("unknown");
  useEffect(() => {
    setRole("unknown");
    return joinTabs(accountId, (newRole, previousRole) => {
      // The tab that led may have died after a write and before it reported it.
      if (previousRole === "follower" && newRole === "leader") noteMissedChanges();
      setRole(newRole);
    });
  }, [accountId]);
  return role;
}

import { leaseLeaderLock, webLeaderLock } from "./leader-locks.ts";
import { createLeadership, type Leadership } from "./leadership.ts";
import { openTabChannel, type TabChannel, type TabMessage } from "./tab-channel.ts";

export interface TabWatch {
  leadership: Leadership;
  channel: TabChannel;
  stop(): void;
}

/** Joins the tabs of a key: takes part in the election, and hears what the leader learns. */
export function joinTabs(accountId: string, onTold: (message: Extract<TabMessage, { kind: "told" }>) => void): TabWatch {
  const name = `safelight:watch:${accountId}`;
  const locks = globalThis.navigator?.locks;
  const channel = openTabChannel(accountId, (message) => {
    if (message.kind === "heartbeat") leadership.heard();
    else onTold(message);
  });
  const leadership = createLeadership({
    lock: locks ? webLeaderLock(name, locks) : leaseLeaderLock(name),
    nowMs: () => performance.now(),
    isVisible: () => document.visibilityState !== "hidden",
    beat: () => channel.post({ kind: "heartbeat" }),
    every: (ms, run) => {
      const timer = setInterval(run, ms);
      return () => clearInterval(timer);
    },
  });
  const pause = () => leadership.pause();
  const resume = () => leadership.resume();
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", resume);
  document.addEventListener("freeze", pause);
  document.addEventListener("resume", resume);
  return {
    leadership,
    channel,
    stop: () => {
      leadership.stop();
      channel.close();
      window.removeEventListener("pagehide", pause);
      window.removeEventListener("pageshow", resume);
      document.removeEventListener("freeze", pause);
      document.removeEventListener("resume", resume);
    },
  };
}

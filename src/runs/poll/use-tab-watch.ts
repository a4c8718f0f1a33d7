import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Api } from "#api/create-api.ts";
import { isRecord } from "#lib/read.ts";
import { noteMissedChanges } from "#storage/changes.ts";
import { CHANNELS, LOCKS } from "#storage/keys.ts";
import { leaseLeaderLock, webLeaderLock } from "./leader-locks.ts";
import { createLeadership, type Leadership, type Role } from "./leadership.ts";
import { recordFromCache } from "./record-reported.ts";

/** What the tab that polls sends the others of its account. Messages of other kinds and versions are dropped. */
const HEARTBEAT = { v: 1, kind: "heartbeat" };

/** Whether a message of any origin is one. */
export const isHeartbeat = (data: unknown) => isRecord(data) && data.v === HEARTBEAT.v && data.kind === HEARTBEAT.kind;

/** Opens the channel of an account. Without BroadcastChannel every tab is alone, and the lease still elects one. */
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
        // Closed.
      }
    },
    close: () => channel.close(),
  };
}

/** Joins the tabs of an account: takes part in the election. */
function joinTabs(accountId: string): { leadership: Leadership; stop: () => void } {
  const name = LOCKS.watch(accountId);
  const locks = globalThis.navigator?.locks;
  const channel = openTabChannel(accountId, () => leadership.heard());
  const leadership = createLeadership({
    lock: locks ? webLeaderLock(name, locks) : leaseLeaderLock(name),
    nowMs: () => performance.now(),
    isVisible: () => document.visibilityState !== "hidden",
    beat: channel.beat,
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

/**
 * Takes part in the watching by all tabs: gives this tab's role, and stores what the service reports here. The other tabs
 * read it from there.
 */
export function useTabWatch({
  api,
  accountId,
  queryClient,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
}): Role {
  const [role, setRole] = useState<Role>("unknown");
  useEffect(() => {
    const tabs = joinTabs(accountId);
    const stopListening = tabs.leadership.role.subscribe((now, before) => {
      // A tab that died may have written what it did not report any more.
      if (before === "follower" && now === "leader") noteMissedChanges();
      setRole(now);
    });
    setRole(tabs.leadership.role.getState());
    const stopRecording = recordFromCache({ api, accountId, queryClient });
    return () => {
      stopListening();
      stopRecording();
      tabs.stop();
    };
  }, [api, accountId, queryClient]);
  return role;
}

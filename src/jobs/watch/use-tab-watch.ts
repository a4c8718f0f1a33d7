import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";
import { noteMissedChanges } from "#storage/changes.ts";
import { CHANNELS, LOCKS } from "#storage/keys.ts";
import { readStoredJob } from "#storage/tracked-jobs.ts";
import { jobKey } from "../job-queries.ts";
import { laterOf } from "../track-job.ts";
import { leaseLeaderLock, webLeaderLock } from "./leader-locks.ts";
import { createLeadership, type Leadership, type Role } from "./leadership.ts";
import { recordFromCache } from "./record-reported.ts";

/**
 * What the tabs of one account send each other. `told`, a word that older tabs know: the service reported this job.
 * Read as untrusted data; a message of another version is dropped. No key is in it.
 */
type TabMessage = { kind: "heartbeat" } | { kind: "told"; job: Job };

interface TabChannel {
  post(message: TabMessage): void;
  close(): void;
}

const VERSION = 1;

/** Reads a message of any origin; undefined for what is not ours. Never throws. Exported for tests. */
export function readTabMessage(data: unknown): TabMessage | undefined {
  if (!isRecord(data) || data.v !== VERSION) return undefined;
  if (data.kind === "heartbeat") return { kind: "heartbeat" };
  const job = data.kind === "told" ? readStoredJob(data.job) : undefined;
  return job && { kind: "told", job };
}

/** Opens the channel of an account. Without BroadcastChannel every tab is alone, and the lease still elects one. */
function openTabChannel(accountId: string, onMessage: (message: TabMessage) => void): TabChannel {
  if (typeof BroadcastChannel === "undefined") return { post: () => {}, close: () => {} };
  const channel = new BroadcastChannel(CHANNELS.jobs(accountId));
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readTabMessage(data);
    if (message) onMessage(message);
  };
  return {
    post: (message) => {
      try {
        channel.postMessage({ v: VERSION, ...message });
      } catch {
        // Closed, or too large to copy: the other tabs read it from the storage.
      }
    },
    close: () => channel.close(),
  };
}

interface TabGroup {
  leadership: Leadership;
  channel: TabChannel;
  stop(): void;
}

/** Joins the tabs of an account: takes part in the election, and receives what the leader was reported. */
function joinTabs(accountId: string, onReported: (message: Extract<TabMessage, { kind: "told" }>) => void): TabGroup {
  const name = LOCKS.watch(accountId);
  const locks = globalThis.navigator?.locks;
  const channel = openTabChannel(accountId, (message) => {
    if (message.kind === "heartbeat") leadership.heard();
    else onReported(message);
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

/**
 * Takes part in the watching by all tabs: gives this tab's role, passes on to the others what the service reports here,
 * and takes over what it reported to them.
 */
export function useTabWatch({
  api,
  accountId,
  queryClient,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
}): {
  role: Role;
  /** Passes on a job as it was reported. */
  share: (job: Job) => void;
} {
  const channel = useRef<TabChannel>(undefined);
  const share = useCallback((job: Job) => channel.current?.post({ kind: "told", job }), []);
  const [role, setRole] = useState<Role>("unknown");
  useEffect(() => {
    const tabs = joinTabs(accountId, ({ job }) => {
      queryClient.setQueryData<Job>(jobKey(job.requestId), (known) => laterOf(known, job));
    });
    channel.current = tabs.channel;
    let before = tabs.leadership.role();
    const stopListening = tabs.leadership.subscribe(() => {
      const now = tabs.leadership.role();
      // A tab that died may have written what it did not report any more.
      if (before === "follower" && now === "leader") noteMissedChanges();
      before = now;
      setRole(now);
    });
    setRole(before);
    const stopRecording = recordFromCache({ api, accountId, queryClient, onReported: share });
    return () => {
      stopListening();
      stopRecording();
      tabs.stop();
    };
  }, [api, accountId, queryClient, share]);
  return { role, share };
}

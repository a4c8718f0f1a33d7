import type { Job } from "#api/types.ts";
import { isRecord } from "#lib/json.ts";
import { readStoredJob } from "#storage/tracked-jobs.ts";

/** What tabs of one key tell each other. Checked on arrival; a message of another version is dropped. No key is in it. */
export type TabMessage = { kind: "heartbeat" } | { kind: "told"; job: Job };

export interface TabChannel {
  post(message: TabMessage): void;
  close(): void;
}

const VERSION = 1;

/** Reads a message of any origin: undefined for what is not ours. */
export function readTabMessage(data: unknown): TabMessage | undefined {
  if (!isRecord(data) || data.v !== VERSION) return undefined;
  if (data.kind === "heartbeat") return { kind: "heartbeat" };
  const job = data.kind === "told" ? readStoredJob(data.job) : undefined;
  return job && { kind: "told", job };
}

/** Opens the channel of a accountId. Without BroadcastChannel every tab is alone, and the lease still elects one. */
export function openTabChannel(accountId: string, onMessage: (message: TabMessage) => void): TabChannel {
  if (typeof BroadcastChannel === "undefined") return { post: () => {}, close: () => {} };
  const channel = new BroadcastChannel(`safelight-jobs-${accountId}`);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readTabMessage(data);
    if (message) onMessage(message);
  };
  return {
    post: (message) => {
      try {
        channel.postMessage({ v: VERSION, ...message });
      } catch {
        // Closed, or too large to copy: the other tabs read it from the record.
      }
    },
    close: () => channel.close(),
  };
}

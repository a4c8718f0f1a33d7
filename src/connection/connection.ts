/** Who the studio talks to. Holds nothing secret: the key itself is in `connection-store.ts`. */
export interface Connection {
  /** Random, new with every connect: selects a fresh client and cache. */
  id: string;
  /** For the rail: the host of the queue address, or "Sandbox". */
  name: string;
  /** May be relative to the page, as the sandbox's is. */
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  /** The last four characters of the key, for the person to recognise it. Never more. */
  keyHint: string;
  /** Whose stored records these are, without storing a key (see `account-id.ts`): the job list belongs to the key's user (spec 4.1 rule 1). */
  accountId: string;
  isSandbox: boolean;
}

/** Where the sandbox answers, on the studio's own origin, and its key, which opens nothing else. */
export const SANDBOX = {
  queueBaseUrl: "/sandbox/api/v1/queue",
  inferenceBaseUrl: "/sandbox",
  key: "sandbox-key",
} as const;

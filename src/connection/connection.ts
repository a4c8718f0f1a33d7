import type { KeyShape } from "#lib/secret-shape.ts";
import type { Custody } from "./custody/key-holder.ts";

/** Who the studio talks to. Holds nothing secret: the key itself is with its holder (`custody/key-holder.ts`). */
export interface Connection {
  /** Random, new with every connect: selects a fresh client and cache. */
  id: string;
  /** As the person calls it; at first the host of the queue address, or "Sandbox". */
  name: string;
  /** May be relative to the page, as the sandbox's is. */
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  /** The last four characters of the key, for the person to recognise it. Never more. */
  keyHint: string;
  /** Whose stored records these are, without storing a key (see `account-id.ts`): the job list belongs to the key's user (spec 4.1 rule 1). */
  accountId: string;
  isSandbox: boolean;
  /** Who holds the key. */
  custody: Custody;
  /** By which a text is known to hold the key. */
  keyShape: KeyShape;
  /** Open in every tab of this browser, as the person chose; else in this tab alone. */
  isShared: boolean;
  /** Sends the key as `x-api-key` on the messages endpoint (spec 5.3), as the person chose. Else as a bearer token. */
  usesApiKeyHeader?: boolean;
  /** When the holder forgets the key: after so long without use, and at a moment as `Date.now()` counts. */
  idleMs?: number | undefined;
  endsAtMs?: number | undefined;
}

/** Where the sandbox answers, on the studio's own origin, and its key, which opens nothing else. */
export const SANDBOX = {
  queueBaseUrl: "/sandbox/api/v1/queue",
  inferenceBaseUrl: "/sandbox",
  key: "sandbox-key",
} as const;

import { isRecord } from "#lib/read.ts";

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
  /** How each part of the service is reached. */
  routes: Routes;
  /** The queue is reached through the relay, which forwards each submit once. */
  isRelayed: boolean;
}

/** Where the sandbox answers, on the studio's own origin, and its key, which opens nothing else. */
export const SANDBOX = {
  queueBaseUrl: "/sandbox/api/v1/queue",
  inferenceBaseUrl: "/sandbox",
  key: "sandbox-key",
} as const;

/** How requests travel: from the page itself, or through the relay of the studio's own host. */
export type Route = "direct" | "relay";

/** Each part of a service may refuse a page on its own: most APIs do, and many storages. */
export interface Routes {
  queue: Route;
  inference: Route;
  /** The signed PUT of an input. */
  upload: Route;
  /** Generated files, where their bytes are read. */
  media: Route;
}

export const ALL_DIRECT: Routes = { queue: "direct", inference: "direct", upload: "direct", media: "direct" };

/** Routes from untrusted data: anything but a known word is direct. */
export function readRoutes(raw: unknown): Routes {
  const record = isRecord(raw) ? raw : {};
  const read = (name: keyof Routes): Route => (record[name] === "relay" ? "relay" : "direct");
  return { queue: read("queue"), inference: read("inference"), upload: read("upload"), media: read("media") };
}

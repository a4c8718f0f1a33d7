import type { FinalStatus } from "./types.ts";

/** The statuses of the specification (spec 3). Anything else a service sends means: still running. */
export const KNOWN_STATUSES = ["queued", "success", "failed", "cancelled"] as const;
export const FINAL_STATUSES: readonly FinalStatus[] = ["success", "failed", "cancelled"];

/** Whether polling stops here (spec 3, spec 4.1 rule 2). */
export function isFinal(status: string): status is FinalStatus {
  return (FINAL_STATUSES as readonly string[]).includes(status);
}

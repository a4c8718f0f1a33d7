import { abortableDelay } from "#lib/delay.ts";
import type { runAudits } from "./audit.ts";
import type { pruneOutbox } from "./prune-outbox.ts";
import type { reconcile } from "./reconcile.ts";
import type { resumeIntents } from "./resume.ts";

/** What follows a submit: it looks after open outcomes and for duplicates, and sends nothing. */
export interface Aftercare {
  pruneOutbox: typeof pruneOutbox;
  reconcile: typeof reconcile;
  resumeIntents: typeof resumeIntents;
  runAudits: typeof runAudits;
}

const AGAIN_AFTER_MS = 5_000;

/**
 * Loads it, however often that fails: money may wait for it. Everything between the click and the ledger is in the
 * first chunk; this comes after.
 */
export async function loadAftercare(): Promise<Aftercare> {
  for (;;) {
    try {
      return await import("./aftercare.ts");
    } catch {
      await abortableDelay(AGAIN_AFTER_MS);
    }
  }
}

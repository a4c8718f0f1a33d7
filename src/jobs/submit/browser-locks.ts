import type { Locks } from "./submit-effects.ts";

const heldHere = new Set<string>();

/** Locks of this page alone, for browsers without Web Locks: the outbox still refuses a second tab's row. */
async function tryHoldHere<T>(name: string, work: () => Promise<T>) {
  if (heldHere.has(name)) return { held: false } as const;
  heldHere.add(name);
  try {
    return { held: true, result: await work() } as const;
  } finally {
    heldHere.delete(name);
  }
}

/** Web Locks: over all tabs of this origin, and let go by the browser when a tab dies. */
export const browserLocks: Locks = {
  tryHold: <T>(name: string, work: () => Promise<T>): Promise<{ held: true; result: T } | { held: false }> => {
    const locks = globalThis.navigator?.locks;
    if (!locks) return tryHoldHere(name, work);
    return locks.request(`safelight:${name}`, { ifAvailable: true }, async (lock) =>
      lock === null ? { held: false as const } : { held: true as const, result: await work() },
    );
  },
};

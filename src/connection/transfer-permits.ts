import { LOCKS } from "#storage/keys.ts";

/** One connection for a long transfer, until `release`, which may be called more than once. */
export interface Permit {
  slot: number;
  release: () => void;
}

/** A number of slots, each of which one holder has at a time. */
export interface Permits {
  /**
   * Resolves with the first of these slots that is free, or once one of them is: in the order of asking. Rejects with the
   * signal's reason, and where the browser refuses.
   */
  take(slots: readonly number[], signal: AbortSignal): Promise<Permit>;
}

/**
 * Slots that all tabs of the browser share: each is a Web Lock, which the browser gives back when a tab closes or
 * crashes.
 */
export function permitsOfBrowser(locks: Pick<LockManager, "request">): Permits {
  return {
    take: (slots, signal) =>
      new Promise((resolve, reject) => {
        // Asked for all at once: whichever comes first is taken, and the rest are given up.
        const others = new AbortController();
        let open = slots.length;
        const stop = () => {
          others.abort();
          reject(signal.reason);
        };
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        const hold = (slot: number) => {
          // Several may be granted in the same moment.
          if (others.signal.aborted) return undefined;
          others.abort();
          signal.removeEventListener("abort", stop);
          return new Promise<void>((release) => resolve({ slot, release }));
        };
        for (const slot of slots) {
          locks
            .request(LOCKS.transfer(slot), { signal: others.signal }, () => hold(slot))
            .catch((error) => {
              open -= 1;
              if (open === 0) reject(error);
            });
        }
      }),
  };
}

/** Slots of this page alone, where the browser has no Web Locks: a page over plain HTTP from another machine. */
export function permitsOfPage(): Permits {
  const taken = new Set<number>();
  const waiting: { slots: readonly number[]; give: (slot: number) => void }[] = [];

  const permit = (slot: number): Permit => {
    taken.add(slot);
    let isTaken = true;
    const release = () => {
      if (!isTaken) return;
      isTaken = false;
      taken.delete(slot);
      const next = waiting.findIndex(({ slots }) => slots.includes(slot));
      if (next >= 0) waiting.splice(next, 1)[0]?.give(slot);
    };
    return { slot, release };
  };

  return {
    take: (slots, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const free = slots.find((slot) => !taken.has(slot));
        if (free !== undefined) return resolve(permit(free));
        const stop = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason);
        };
        const entry = {
          slots,
          give: (slot: number) => {
            signal.removeEventListener("abort", stop);
            resolve(permit(slot));
          },
        };
        waiting.push(entry);
        signal.addEventListener("abort", stop, { once: true });
      }),
  };
}

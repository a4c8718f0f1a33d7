import { LOCKS } from "#storage/keys.ts";
import { isServedByHost } from "./relay.ts";

export interface TransferOptions extends Waiting {
  /** Called with true after a wait of `MOMENT_MS`, and then with false when the wait is over. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/** Shorter waits are not reported: a free connection is usually found sooner. */
const MOMENT_MS = 250;

/** Whether the page came over HTTP/1.1. Read only once, because the browser may forget it. */
let isPlain: boolean | undefined;

/**
 * Whether all requests of this page share six connections: it came from the Safelight server over HTTP/1.1, and every
 * request goes there. Over HTTP/2 requests share one connection, and a page of a plain file host talks to others.
 */
function hasFewConnections(): boolean {
  if (!isServedByHost()) return false;
  isPlain ??= isPlainHttp();
  return isPlain;
}

function isPlainHttp(): boolean {
  const [navigation] = performance.getEntriesByType?.("navigation") ?? [];
  const { nextHopProtocol = "" } = (navigation ?? {}) as { nextHopProtocol?: string };
  // Without TLS no browser speaks HTTP/2.
  return nextHopProtocol === "" ? location.protocol === "http:" : nextHopProtocol.startsWith("http/");
}

/** Whether loading an address takes a slot: it is on the Safelight server, and connections are few. */
export function needsTransfer(address: string): boolean {
  if (!hasFewConnections()) return false;
  const { origin, protocol } = new URL(address, location.href);
  return origin === location.origin && protocol !== "blob:";
}

/** The slots of the page, for all its connections. Made with the first transfer, because tests set up locks late. */
let budget: TransferBudget | undefined;

/**
 * Waits for a slot for a long transfer. Resolves with the function that releases it; at once where connections are not
 * limited. Rejects only with the signal's reason.
 */
export async function openTransfer(kind: TransferKind, options: TransferOptions = {}): Promise<() => void> {
  if (!hasFewConnections()) return () => {};
  const { onWait } = options;
  let isReported = false;
  const timer = setTimeout(() => {
    isReported = true;
    onWait?.(true);
  }, MOMENT_MS);
  try {
    budget ??= budgetOfPage(shortRequests);
    return await budget.open(kind, options);
  } catch {
    options.signal?.throwIfAborted();
    // Without a working budget the transfer is made all the same. It may then have to wait inside the browser.
    return () => {};
  } finally {
    clearTimeout(timer);
    if (isReported) onWait?.(false);
  }
}

/**
 * The number of short requests of the page that are under way, and a promise that resolves after the last of them.
 * Undefined while there is none.
 */
let busy: { count: number; isOver: Promise<void>; end: () => void } | undefined;

const shortRequests: ShortRequests = {
  async whenNone(callback) {
    // A callback that waited as well may have begun a request.
    while (busy) await busy.isOver;
    callback();
  },
};

function startBusy() {
  let end = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { count: 0, isOver, end };
}

/** A `fetch` for short requests. They do not wait, and no image begins on the spare connection while one runs. */
export function shortRequest(send: typeof fetch): typeof fetch {
  return async (...request) => {
    busy ??= startBusy();
    const current = busy;
    current.count += 1;
    try {
      return await send(...request);
    } finally {
      current.count -= 1;
      if (current.count === 0) {
        busy = undefined;
        current.end();
      }
    }
  };
}

/*
 * Over HTTP/1.1 a browser opens six connections to one host, for all tabs together; further requests wait until one of
 * them is free. Every long transfer takes one of five slots first, so that the sixth connection is free for the short
 * requests of the API, which do not wait here. (Chromium allows six with cookies and six without. The slots do not rely on
 * that.)
 */

/**
 * The kinds of long transfers: the response of a text model; a file on its way to the storage, or from there to the
 * person's disk; a file that an element shows, until it is loaded; a video or audio that plays.
 */
export type TransferKind = "stream" | "upload" | "download" | "media" | "playing";

/** What the budget needs to know of a waiting transfer. */
interface Waiting {
  signal?: AbortSignal | undefined;
  /** Whether it is on the screen. Asked when a slot is free for its kind. */
  isVisible?: (() => boolean) | undefined;
}

/** The slots of each kind, the preferred one first. When a slot becomes free, the kinds get it in this order. */
const SLOTS: Record<TransferKind, readonly number[]> = {
  // Not the fifth: however many columns stream, one slot is left for everything else.
  stream: [1, 2, 3, 4],
  upload: [5, 4, 3, 2, 1],
  download: [4, 3, 2, 1, 5],
  media: [5, 4, 3, 2, 1],
  playing: [5, 4, 3, 2, 1],
};
const KINDS = Object.keys(SLOTS) as TransferKind[];

/**
 * The connection that stays free. When all slots are taken, images come over it one at a time, and each begins only
 * while no short request of this page is under way.
 */
const SPARE = 6;

interface Waiter extends Waiting {
  kind: TransferKind;
  give: (release: () => void) => void;
  fail: (reason: unknown) => void;
}

/** The short requests of this page that are under way. */
interface ShortRequests {
  /** Calls back as soon as no short request is under way, which may be at once. */
  whenNone(callback: () => void): void;
}

export type TransferBudget = ReturnType<typeof createTransferBudget>;

/** The budget of this page: its slots are those of all tabs where the browser has Web Locks. */
function budgetOfPage(short: ShortRequests): TransferBudget {
  return createTransferBudget(navigator.locks ? permitsOfBrowser(navigator.locks) : permitsOfPage(), short);
}

/**
 * Hands out the slots: within the page by kind, then to what is on the screen; between pages to whoever asked first.
 */
export function createTransferBudget(permits: Permits, short: ShortRequests) {
  let waiting: Waiter[] = [];
  /** One request for a permit for each kind that has waiters. */
  const asking = new Map<TransferKind, { slots: readonly number[]; end: AbortController }>();
  let loadingMedia = 0;

  /** An image may use the spare connection only while no other image of this page is loading. */
  const slotsFor = (kind: TransferKind) =>
    kind === "media" && loadingMedia === 0 ? [...SLOTS.media, SPARE] : SLOTS[kind];

  const canUse = ({ kind }: Waiter, slot: number) => SLOTS[kind].includes(slot) || (kind === "media" && slot === SPARE);

  function findWaiter(slot: number): Waiter | undefined {
    const candidates = waiting.filter((waiter) => canUse(waiter, slot));
    const first = KINDS.map((kind) => candidates.filter((waiter) => waiter.kind === kind)).find(
      ({ length }) => length > 0,
    );
    return first?.find(({ isVisible }) => isVisible?.() !== false) ?? first?.[0];
  }

  function drop(waiter: Waiter): void {
    waiting = waiting.filter((other) => other !== waiter);
  }

  function handOver(permit: Permit): void {
    const waiter = findWaiter(permit.slot);
    if (waiter === undefined) {
      permit.release();
      return;
    }
    drop(waiter);
    const isMedia = waiter.kind === "media";
    if (isMedia) loadingMedia += 1;
    let isOver = false;
    waiter.give(() => {
      if (isOver) return;
      isOver = true;
      if (isMedia) loadingMedia -= 1;
      permit.release();
      updateQuestions();
    });
  }

  /** Asks for a permit for each kind that has waiters, and takes back the other questions. */
  function updateQuestions(): void {
    for (const kind of KINDS) {
      const slots = slotsFor(kind);
      const known = asking.get(kind);
      const isWanted = waiting.some((waiter) => waiter.kind === kind);
      if (known && isWanted && known.slots.length === slots.length) continue;
      known?.end.abort();
      asking.delete(kind);
      if (isWanted) askFor(kind, slots);
    }
  }

  function askFor(kind: TransferKind, slots: readonly number[]): void {
    const question = { slots, end: new AbortController() };
    asking.set(kind, question);
    permits.take(slots, question.end.signal).then(
      (permit) => {
        const answer = () => {
          if (asking.get(kind) === question) asking.delete(kind);
          handOver(permit);
          updateQuestions();
        };
        if (permit.slot === SPARE) short.whenNone(answer);
        else answer();
      },
      (reason) => {
        if (question.end.signal.aborted) return;
        // The browser refuses locks to this page, so nothing waits for a slot.
        asking.delete(kind);
        for (const waiter of waiting.filter((other) => other.kind === kind)) {
          drop(waiter);
          waiter.fail(reason);
        }
      },
    );
  }

  return {
    /** `openTransfer` where the number of connections is limited. Rejects also where the browser refuses locks. */
    open: (kind: TransferKind, options: Waiting): Promise<() => void> =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        const leave = () => {
          drop(waiter);
          reject(signal?.reason);
          updateQuestions();
        };
        const waiter: Waiter = {
          ...options,
          kind,
          give: (release) => {
            signal?.removeEventListener("abort", leave);
            resolve(release);
          },
          fail: (reason) => {
            signal?.removeEventListener("abort", leave);
            reject(reason);
          },
        };
        if (signal?.aborted) return leave();
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(waiter);
        updateQuestions();
      }),
  };
}

/** The right to one slot until `release`, which may be called more than once. */
interface Permit {
  slot: number;
  release: () => void;
}

/** Slots, each of which one transfer has at a time. */
export interface Permits {
  /**
   * Resolves with the first of these slots that is free, or waits for one; whoever asked first gets it first. Rejects
   * with the signal's reason, and where the browser refuses.
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
        // Requests the locks of all slots at once, takes the first that is granted, and gives up the others.
        const others = new AbortController();
        let pending = slots.length;
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
              pending -= 1;
              if (pending === 0) reject(error);
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
      const nextIndex = waiting.findIndex(({ slots }) => slots.includes(slot));
      if (nextIndex >= 0) waiting.splice(nextIndex, 1)[0]?.give(slot);
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

import { LOCKS } from "#storage/keys.ts";
import { isServedByHost } from "./relay.ts";

interface TransferOptions extends Waiting {
  /** Called with true where it has to wait for longer than a moment, and then with false when the wait is over. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/** A free connection is found faster than that. */
const MOMENT_MS = 250;

/** How the page came, which does not change while it lives: read once, since the browser may forget it. */
let isPlain: boolean | undefined;

/**
 * Whether all requests of this page share six connections: it came from the studio's own host over HTTP/1.1, and every
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

/** Whether loading an address has to wait for its turn: it is on the studio's own host, and connections are few. */
export function needsTransfer(address: string): boolean {
  if (!hasFewConnections()) return false;
  const { origin, protocol } = new URL(address, location.href);
  return origin === location.origin && protocol !== "blob:";
}

/** The slots are shared by all connections of the page. Made when the first transfer needs one: a test has no locks before. */
let budget: TransferBudget | undefined;

/**
 * Resolves when a long transfer may begin, with the function to call when it is over. At once where connections are not
 * limited. Rejects with the signal's reason alone.
 */
export async function openTransfer(kind: TransferKind, options: TransferOptions = {}): Promise<() => void> {
  if (!hasFewConnections()) return () => {};
  const { onWait } = options;
  let isTold = false;
  const timer = setTimeout(() => {
    isTold = true;
    onWait?.(true);
  }, MOMENT_MS);
  try {
    budget ??= budgetOfPage(shortRequests);
    return await budget.open(kind, options);
  } catch {
    options.signal?.throwIfAborted();
    // Whatever is wrong with the budget, the transfer is made: it may only have to wait inside the browser.
    return () => {};
  } finally {
    clearTimeout(timer);
    if (isTold) onWait?.(false);
  }
}

/**
 * The short requests of the page that are under way, of all connections: how many, and what is resolved after the last of
 * them. Undefined while there is none.
 */
let busy: { count: number; isOver: Promise<void>; end: () => void } | undefined;

const shortRequests: ShortRequests = {
  async whenNone(callback) {
    // Another one that waited may have begun a request.
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

/** A `fetch` for short requests: they never wait, and no picture begins on the last connection before they are answered. */
export function shortRequest(send: typeof fetch): typeof fetch {
  return async (...request) => {
    busy ??= startBusy();
    const own = busy;
    own.count += 1;
    try {
      return await send(...request);
    } finally {
      own.count -= 1;
      if (own.count === 0) {
        busy = undefined;
        own.end();
      }
    }
  };
}

/*
 * Over HTTP/1.1 a browser opens six connections to one host, for all tabs together; further requests wait until one of
 * them is free. Whatever holds a connection for long takes one of five slots first, so that the sixth is free for the
 * short requests of the API, which never wait here. (Chromium counts requests with and without cookies apart, six each.
 * The API goes without, elements and uploads with. The slots do not count on that.)
 */

/**
 * What holds a connection for long, in the order in which each gets one that becomes free: the answer of a text model; a
 * file on its way to the storage, or from there to the person's disk; a file that an element shows, until it is there;
 * a clip or a sound that plays.
 */
export type TransferKind = "stream" | "upload" | "download" | "media" | "playing";

/** What the budget has to know of a transfer that waits. */
interface Waiting {
  signal?: AbortSignal | undefined;
  /** Whether it is on the screen, asked when its kind has its turn. */
  isVisible?: (() => boolean) | undefined;
}

/** Who may have which slots, the preferred one first. The order of the lines is the order in which waiting ends. */
const SLOTS: Record<TransferKind, readonly number[]> = {
  // Never the fifth: however many columns stream, one is left to everything else.
  stream: [1, 2, 3, 4],
  upload: [5, 4, 3, 2, 1],
  download: [4, 3, 2, 1, 5],
  media: [5, 4, 3, 2, 1],
  playing: [5, 4, 3, 2, 1],
};
const KINDS = Object.keys(SLOTS) as TransferKind[];

/**
 * The connection that stays free. When all slots are taken, pictures come over it one at a time, and each begins only
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

/** Hands out the slots: within this page by kind, then by what is on the screen; between pages in the order of asking. */
export function createTransferBudget(permits: Permits, short: ShortRequests) {
  let waiting: Waiter[] = [];
  /** One question for each kind that waits. */
  const asking = new Map<TransferKind, { slots: readonly number[]; end: AbortController }>();
  let loadingMedia = 0;

  /** The spare connection carries no more than one picture of this page, and none while another is loading. */
  const slotsFor = (kind: TransferKind) =>
    kind === "media" && loadingMedia === 0 ? [...SLOTS.media, SPARE] : SLOTS[kind];

  const mayHave = ({ kind }: Waiter, slot: number) =>
    SLOTS[kind].includes(slot) || (kind === "media" && slot === SPARE);

  function next(slot: number): Waiter | undefined {
    const able = waiting.filter((waiter) => mayHave(waiter, slot));
    const first = KINDS.map((kind) => able.filter((waiter) => waiter.kind === kind)).find(({ length }) => length > 0);
    return first?.find(({ isVisible }) => isVisible?.() !== false) ?? first?.[0];
  }

  function drop(waiter: Waiter): void {
    waiting = waiting.filter((other) => other !== waiter);
  }

  function handOver(permit: Permit): void {
    const waiter = next(permit.slot);
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
      ask();
    });
  }

  /** Asks for what is waited for, and no longer for what is not. */
  function ask(): void {
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
          ask();
        };
        if (permit.slot === SPARE) short.whenNone(answer);
        else answer();
      },
      (reason) => {
        if (question.end.signal.aborted) return;
        // The browser gives no slots to this page: then nothing waits for one.
        asking.delete(kind);
        for (const waiter of waiting.filter((one) => one.kind === kind)) {
          drop(waiter);
          waiter.fail(reason);
        }
      },
    );
  }

  return {
    /** Does what `openTransfer` does, where the number of connections is limited. */
    open: (kind: TransferKind, options: Waiting): Promise<() => void> =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        const leave = () => {
          drop(waiter);
          reject(signal?.reason);
          ask();
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
        ask();
      }),
  };
}

/** One connection for a long transfer, until `release`, which may be called more than once. */
interface Permit {
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

import { type Permit, type Permits, permitsOfBrowser, permitsOfPage } from "./transfer-permits.ts";

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
export interface Waiting {
  signal?: AbortSignal | undefined;
  /** Whether it is on the screen, asked when its kind has its turn. */
  isVisible?: (() => boolean) | undefined;
}

/** Who may have which slots, the preferred one first. The order of the lines is the order in which waiting ends. */
const SLOTS: Record<TransferKind, readonly number[]> = {
  // Never the fifth, so that many columns leave one to everything else.
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
export interface ShortRequests {
  /** Calls back as soon as there are none, which may be at once. */
  whenNone(callback: () => void): void;
}

export interface TransferBudget {
  /** As `openTransfer`, where the number of connections is limited. */
  open(kind: TransferKind, options: Waiting): Promise<() => void>;
}

/** The budget of this page: its slots are those of all tabs where the browser has Web Locks. */
export function budgetOfPage(short: ShortRequests): TransferBudget {
  return createTransferBudget(navigator.locks ? permitsOfBrowser(navigator.locks) : permitsOfPage(), short);
}

/** Hands out the slots: within this page by kind, then by what is on the screen; between pages in the order of asking. */
export function createTransferBudget(permits: Permits, short: ShortRequests): TransferBudget {
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
    open: (kind, options) =>
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

import { vi } from "vitest";

/** Time that passes from one timer to the next. What Node does outside of timers, streams and digests, stays real. */
export interface BrowserTime {
  /** Lets time pass until the work is over. Rejects as the work does, and where nothing is left that could end it. */
  until<T>(work: Promise<T>, mostMs?: number): Promise<T>;
  pass(ms: number): Promise<void>;
  /** The page stands still; when it goes on, all timers that became due fire once, in order. */
  freeze(ms: number): Promise<void>;
  /** Waits outside of the page: in the network, at the service. */
  elsewhere(ms: number): Promise<void>;
  /** The page's timers go with it. */
  dropTimers(): void;
  /** The page's timers that are still set; a browser lets those of `AbortSignal.timeout` go with their signal. */
  timersLeft(): number;
  /** No timer overtakes work that is done outside of the page's own thread. */
  work<Result>(promise: Promise<Result>): Promise<Result>;
  /** The same, for the next piece of a body. */
  noteActivity(): void;
  stop(): void;
}

const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] as const;
const realSetTimeout = globalThis.setTimeout;
const digest = crypto.subtle.digest.bind(crypto.subtle);
const readBlob = Blob.prototype.arrayBuffer;
/** Work on this thread is over when nothing was noted for so many turns: Node's streams take a few between two pieces. */
const QUIET_TURNS = 6;
/** Only ends what hangs: what other threads do is counted as work. */
const MAX_IDLE_MS = 60_000;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes the clocks of this thread over, until `stop`. */
export function startBrowserTime(): BrowserTime {
  vi.useFakeTimers({ toFake: [...FAKED], now: Date.UTC(2026, 4, 1, 12) });
  /** Timers that are none of the page's own. */
  const others = new Set<ReturnType<typeof setTimeout>>();
  /** Digests and reads of files, which other threads make. */
  let working = 0;
  let activity = 0;

  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setOther(() => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
    return controller.signal;
  });
  const watched = [
    vi.spyOn(crypto.subtle, "digest").mockImplementation((...given) => work(digest(...given))),
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementation(readWorking),
  ];

  function setOther(act: () => void, ms: number): void {
    const timer = setTimeout(() => {
      others.delete(timer);
      act();
    }, ms);
    others.add(timer);
  }

  function work<Result>(promise: Promise<Result>): Promise<Result> {
    working += 1;
    return promise.finally(() => {
      working -= 1;
    });
  }

  function readWorking(this: Blob): Promise<ArrayBuffer> {
    return work(readBlob.call(this));
  }

  async function settle(): Promise<void> {
    for (let quiet = 0, seen = activity; quiet < QUIET_TURNS; quiet += 1) {
      await turn();
      if (seen !== activity || working > 0) quiet = 0;
      seen = activity;
    }
  }

  async function until<T>(work: Promise<T>, mostMs = 3_600_000): Promise<T> {
    const endMs = performance.now() + mostMs;
    let isOver = false;
    const noteEnd = () => {
      isOver = true;
    };
    work.then(noteEnd, noteEnd);
    for (let idleMs = 0; ; ) {
      await settle();
      if (isOver) return work;
      if (vi.getTimerCount() > 0) {
        idleMs = 0;
        if (performance.now() > endMs) throw new Error("The work took too long.");
        vi.advanceTimersToNextTimer();
        continue;
      }
      idleMs += 1;
      if (idleMs > MAX_IDLE_MS) throw new Error("Nothing is under way that could end the work.");
      await new Promise((resolve) => realSetTimeout(resolve, 1));
    }
  }

  return {
    until,
    work,
    pass: (ms) => until(new Promise((resolve) => setTimeout(resolve, ms)), ms + 1),
    async freeze(ms) {
      await settle();
      jump(ms);
      await settle();
    },
    elsewhere: (ms) => new Promise((resolve) => setOther(resolve, ms)),
    dropTimers() {
      vi.clearAllTimers();
      others.clear();
    },
    timersLeft: () => vi.getTimerCount() - others.size,
    noteActivity: () => {
      activity += 1;
    },
    stop() {
      for (const spy of [timeout, ...watched]) spy.mockRestore();
      vi.clearAllTimers();
      vi.useRealTimers();
    },
  };
}

/** Vitest has no function for it, but the clock that it installs does. */
function jump(ms: number): void {
  const { clock } = setTimeout as unknown as { clock?: { jump?: (ms: number) => void } };
  if (!clock?.jump) throw new Error("These fake timers cannot stand still.");
  clock.jump(ms);
}

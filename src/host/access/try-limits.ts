import { setTimeout } from "node:timers/promises";

/** Counts wrong tries. A flood of them costs no more memory than `maxClients` clients and `maxWaiting` requests. */
export interface TryLimits {
  /** How long this client has to wait before its next try, in ms; 0 for not at all. */
  waitMs(client: string): number;
  /** Notes a wrong try, and gives the wait that it brings about, in ms. `isKnown`: of a browser that was signed in before. */
  failed(client: string, isKnown?: boolean): number;
  /** Forgets the wrong tries of a client. */
  succeeded(client: string): void;
  /**
   * Waits as long as a try of an unknown browser has to, and resolves with 0. Where too many wait already, it resolves at
   * once with the time after which to try again, in ms. Stops waiting when `gone` is aborted.
   */
  slowDown(address: string, gone?: AbortSignal): Promise<number>;
}

interface LimitOptions {
  nowMs: () => number;
  /** The first wrong try that brings a wait. */
  freeTries?: number;
  longestWaitMs?: number;
  maxClients?: number;
  maxWaiting?: number;
  /** Rejects when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Takes a line for whoever runs the host. */
  report?: (line: string) => void;
}

/** How long after the last wrong try of a client all of its tries are forgotten. */
const FORGOTTEN_MS = 15 * 60_000;

/** So many wrong tries of all unknown browsers together slow nobody: a team that mistypes stays below. */
const FREE_OF_ALL = 30;
/** Each further one slows the next by a second, up to the longest. */
const STEP_MS = 1000;
const LONGEST_SLOW_MS = 10_000;
/** One of them is forgotten in this time. */
const LEAK_MS = 10_000;
const MAX_OF_ALL = 90;

const STARTS =
  "Many wrong passwords: signing in from a browser that was not signed in before takes up to 10 seconds.\n";
const ENDS = "Wrong passwords are few again: signing in is not slowed any more.\n";

/**
 * After the fifth wrong try a client waits a second, and after each further one twice as long, a minute at most. A try
 * within the wait is not looked at, and does not make it longer. Only that client waits.
 *
 * Whoever has many addresses is many clients. So wrong tries of all unknown browsers are counted together as well: past
 * 30, each try waits for up to 10 seconds before it is looked at. At most `maxWaiting` wait. Past that, the network with
 * the most of them is asked to come back, the latest first.
 */
export function createTryLimits({
  nowMs,
  freeTries = 5,
  longestWaitMs = 60_000,
  maxClients = 10_000,
  maxWaiting = 200,
  sleep = (ms, signal) => setTimeout(ms, undefined, { signal }),
  report = (line) => process.stderr.write(line),
}: LimitOptions): TryLimits {
  const clients = new Map<string, { wrong: number; untilMs: number; atMs: number }>();
  const waiting = new Set<{ network: string; stop: () => void }>();
  let wrongOfAll = 0;
  let leakedMs = Number.NEGATIVE_INFINITY;
  let endCheck: NodeJS.Timeout | undefined;

  function known(client: string) {
    const entry = clients.get(client);
    if (entry && nowMs() - entry.atMs > FORGOTTEN_MS) clients.delete(client);
    return clients.get(client);
  }

  /** The wrong tries of all unknown browsers that are not forgotten. Says in the log when they are few again. */
  function countOfAll(): number {
    const atMs = nowMs();
    wrongOfAll = Math.max(0, wrongOfAll - Math.max(0, atMs - leakedMs) / LEAK_MS);
    leakedMs = atMs;
    if (endCheck !== undefined && wrongOfAll < FREE_OF_ALL / 2 && waiting.size === 0) {
      clearInterval(endCheck);
      endCheck = undefined;
      report(ENDS);
    }
    return wrongOfAll;
  }

  function slowMs(): number {
    // Those that wait count as well: many that come at once are not all looked at before the first was wrong.
    const tooMany = Math.floor(countOfAll() + waiting.size) - FREE_OF_ALL + 1;
    if (tooMany <= 0) return 0;
    if (endCheck === undefined) {
      report(STARTS);
      endCheck = setInterval(countOfAll, LEAK_MS).unref();
    }
    return Math.min(LONGEST_SLOW_MS, tooMany * STEP_MS);
  }

  /** Whether there is a place for one more of this network. Where others have more, one of theirs makes room. */
  function hasPlace(network: string): boolean {
    if (waiting.size < maxWaiting) return true;
    const counts = new Map<string, number>([[network, 1]]);
    for (const each of waiting) counts.set(each.network, (counts.get(each.network) ?? 0) + 1);
    const [largest] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [network];
    if (counts.get(largest) === counts.get(network)) return false;
    [...waiting].findLast((each) => each.network === largest)?.stop();
    return true;
  }

  return {
    waitMs: (client) => Math.max(0, (known(client)?.untilMs ?? 0) - nowMs()),
    failed(client, isKnown = false) {
      if (!isKnown) wrongOfAll = Math.min(MAX_OF_ALL, countOfAll() + 1);
      const wrong = (known(client)?.wrong ?? 0) + 1;
      const waitMs = wrong < freeTries ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(20, wrong - freeTries));
      // Last in line: the first is whose last wrong try is the longest ago.
      clients.delete(client);
      clients.set(client, { wrong, untilMs: nowMs() + waitMs, atMs: nowMs() });
      const [oldest] = clients.keys();
      if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest);
      return waitMs;
    },
    succeeded(client) {
      clients.delete(client);
    },
    async slowDown(address, gone) {
      const ms = slowMs();
      if (ms === 0) return 0;
      const network = networkOf(address);
      if (gone?.aborted || !hasPlace(network)) return LONGEST_SLOW_MS;
      const stopped = new AbortController();
      const stop = () => {
        waiting.delete(place);
        stopped.abort();
      };
      const place = { network, stop };
      waiting.add(place);
      gone?.addEventListener("abort", stop, { once: true });
      try {
        await sleep(ms, stopped.signal);
        return 0;
      } catch {
        return LONGEST_SLOW_MS;
      } finally {
        waiting.delete(place);
        gone?.removeEventListener("abort", stop);
      }
    },
  };
}

/** What one party may have many addresses of: of IPv4 the first two numbers, of IPv6 the first two groups. */
function networkOf(address: string): string {
  return address.split(/[.:]/).slice(0, 2).join(":");
}

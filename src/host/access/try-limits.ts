/** Counts wrong tries. A flood of them costs no more memory than `maxClients` clients. */
export interface TryLimits {
  /** How long this client has to wait before its next try, in ms; 0 for not at all. */
  waitMs(client: string): number;
  /** Notes a wrong try, and gives the wait that it brings about, in ms. */
  failed(client: string): number;
  /** Forgets the wrong tries of a client. */
  succeeded(client: string): void;
}

interface LimitOptions {
  nowMs: () => number;
  /** The first wrong try that brings a wait. */
  freeTries?: number;
  longestWaitMs?: number;
  maxClients?: number;
}

/** How long after the last wrong try of a client all of its tries are forgotten. */
const FORGOTTEN_MS = 15 * 60_000;

/**
 * After the fifth wrong try a client waits a second, and after each further one twice as long, a minute at most. A try
 * within the wait is not looked at, and does not make it longer. Only that client waits.
 */
export function createTryLimits({
  nowMs,
  freeTries = 5,
  longestWaitMs = 60_000,
  maxClients = 10_000,
}: LimitOptions): TryLimits {
  const clients = new Map<string, { wrong: number; untilMs: number; atMs: number }>();

  function known(client: string) {
    const entry = clients.get(client);
    if (entry && nowMs() - entry.atMs > FORGOTTEN_MS) clients.delete(client);
    return clients.get(client);
  }

  return {
    waitMs: (client) => Math.max(0, (known(client)?.untilMs ?? 0) - nowMs()),
    failed(client) {
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
  };
}

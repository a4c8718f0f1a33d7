interface Requests {
  controllers: Set<AbortController>;
  endsAtMs: number;
}

/** The requests that are under way at this host, by session, so that they end with it. */
export function createUnderWay() {
  const all = new Map<string, Requests>();
  return {
    /** Ids of sessions with requests under way, and when each ends by itself. */
    sessions: () => [...all].map(([id, { endsAtMs }]) => ({ id, endsAtMs })),

    /** Notes a request. Its signal is aborted with the session; `release` is to be called when it is over. */
    add(id: string) {
      const controller = new AbortController();
      const requests = all.get(id) ?? { controllers: new Set(), endsAtMs: Number.POSITIVE_INFINITY };
      all.set(id, requests);
      requests.controllers.add(controller);
      return {
        signal: controller.signal,
        endsAt(ms: number) {
          requests.endsAtMs = ms;
        },
        release() {
          requests.controllers.delete(controller);
          if (requests.controllers.size === 0 && all.get(id) === requests) all.delete(id);
        },
      };
    },

    abort(id: string): void {
      const requests = all.get(id);
      all.delete(id);
      for (const controller of requests?.controllers ?? []) controller.abort();
    },
  };
}

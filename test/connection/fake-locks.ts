type Callback = () => Promise<unknown> | undefined;

/** Web Locks as far as the budget uses them: exclusive, in the order of asking, with a signal. Shared by several pages. */
export function fakeLocks(): Pick<LockManager, "request"> {
  const queues = new Map<string, (() => void)[]>();
  const begin = (name: string) => queues.get(name)?.[0]?.();
  const request = (name: string, { signal }: { signal: AbortSignal }, callback: Callback) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      let isHeld = false;
      const leave = () => {
        const isFirst = queue[0] === start;
        queue.splice(queue.indexOf(start), 1);
        if (isFirst) begin(name);
      };
      // Granted in a task of its own, as the browser's process does it.
      const start = () =>
        queueMicrotask(() => {
          if (isHeld || !queue.includes(start)) return;
          isHeld = true;
          void Promise.resolve(callback()).then(resolve, reject).finally(leave);
        });
      signal.addEventListener("abort", () => {
        if (isHeld || !queue.includes(start)) return;
        leave();
        reject(signal.reason);
      });
      queue.push(start);
      if (queue[0] === start) start();
    });
  return { request: request as LockManager["request"] };
}

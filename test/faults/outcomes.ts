import type { QueryClient, QueryKey, QueryObserverOptions } from "@tanstack/react-query";
import { QueryObserver } from "@tanstack/react-query";

/** What a person gets of one try. */
export type Outcome =
  /** `value` shows that it is the right thing, and whole. */
  | { how: "done"; value: string }
  | { how: "failed"; error: unknown }
  /** What came is kept; the reason why there is no more. */
  | { how: "early"; error: unknown }
  | { how: "stopped" };

export const stopped = { how: "stopped" } as const;

/** The outcome of work that may be aborted: an abort is no failure. */
export function outcomeOf(work: Promise<string>, signal: AbortSignal): Promise<Outcome> {
  return work.then(
    (value) => ({ how: "done", value }) as const,
    (error: unknown) => (signal.aborted && error === signal.reason ? stopped : { how: "failed", error }),
  );
}

/** A screen that shows a query: mounted, until it has the data or an error, or is left. */
export function readOnScreen<Data, Key extends QueryKey>(
  client: QueryClient,
  options: QueryObserverOptions<Data, Error, Data, Data, Key>,
  { signal, show }: { signal: AbortSignal; show: (data: Data) => string },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const observer = new QueryObserver<Data, Error, Data, Data, Key>(client, options);
    let unmount = () => {};
    const end = (outcome: Outcome) => {
      unmount();
      resolve(outcome);
    };
    const look = () => {
      const { fetchStatus, data, error, isError } = observer.getCurrentResult();
      if (fetchStatus !== "idle") return;
      if (isError) end({ how: "failed", error });
      else if (data !== undefined) end({ how: "done", value: show(data) });
    };
    unmount = observer.subscribe(look);
    signal.addEventListener("abort", () => end(stopped), { once: true });
    look();
  });
}

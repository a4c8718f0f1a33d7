import { useRouterState } from "@tanstack/react-router";
import { create } from "zustand";

/** Jobs that finished earlier are in History: the queue shows what has finished since the page was opened. */
export const OPENED_AT_MS = Date.now();

/** Finished jobs that the person has looked at, by their ids. */
export const useSeenResults = create<{ seen: ReadonlySet<string> }>(() => ({ seen: new Set() }));

/** The person has looked at a finished job: the queue need not keep it. */
export function markSeen(requestId: string): void {
  const { seen } = useSeenResults.getState();
  if (!seen.has(requestId)) useSeenResults.setState({ seen: new Set([...seen, requestId]) });
}

/** The model whose form is on the screen, and the job that is shown there, on its own page or in the viewer. */
export interface ShownPlace {
  modelId: string | undefined;
  requestId: string | undefined;
}

/** Where one is, as far as the queue is concerned. */
export function useShownPlace(): ShownPlace {
  const key = useRouterState({
    select: ({ matches, location }) => {
      const params: Record<string, unknown> = Object.assign({}, ...matches.map((match) => match.params));
      const search: { job?: unknown; open?: unknown } = matches.at(-1)?.search ?? {};
      const [, screen] = location.pathname.split("/");
      const open = typeof search.open === "string" ? search.open.replace(/~\d+$/, "") : undefined;
      const requestId = screen === "create" ? search.job : screen === "jobs" ? params.requestId : open;
      return JSON.stringify([screen === "create" ? params.modelId : undefined, requestId]);
    },
  });
  const [modelId, requestId]: unknown[] = JSON.parse(key);
  return { modelId: textOf(modelId), requestId: textOf(requestId) };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

import { create } from "zustand";
import type { Connection } from "./connection.ts";
import { hostMark } from "./relay.ts";

/** The sandbox of a page on a plain static file host: `closed` until somebody needs it. */
type PageSandbox = "closed" | "opening" | "open" | "bypassed" | "unsupported" | "failed";

const usePageSandboxStore = create<{ state: PageSandbox }>(() => ({ state: "closed" }));

export function usePageSandbox(): PageSandbox {
  return usePageSandboxStore(({ state }) => state);
}

/** Whether nobody but the page can run the sandbox, because a plain file host served it. */
export function isSandboxByPage(): boolean {
  return hostMark() === "none";
}

/** Whether a connection is to the sandbox in the page, and that does not answer yet. */
export function needsPageSandbox(connection: Connection | null): boolean {
  return connection?.isSandbox === true && isSandboxByPage() && usePageSandboxStore.getState().state !== "open";
}

/** Starts the sandbox in the page where that is needed. Never rejects: what became of it is in `usePageSandbox`. */
export async function openPageSandbox(): Promise<void> {
  if (!isSandboxByPage() || usePageSandboxStore.getState().state !== "closed") return;
  usePageSandboxStore.setState({ state: "opening" });
  const state = await import("#sandbox/service-worker-adapter.ts").then(
    ({ startPageSandbox }) => startPageSandbox(),
    () => "failed" as const,
  );
  usePageSandboxStore.setState({ state });
}

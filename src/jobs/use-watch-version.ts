import { useSyncExternalStore } from "react";
import type { Api } from "#api/create-api.ts";
import { watchControlOf } from "./watch/watch-control.ts";

/** Renders again whenever it changed who asks after jobs, so that the pace of every query is set anew. */
export function useWatchVersion(api: Api): number {
  const control = watchControlOf(api);
  return useSyncExternalStore(control.subscribe, control.version);
}

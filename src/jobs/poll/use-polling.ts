import { useSyncExternalStore } from "react";
import type { Api } from "#api/create-api.ts";
import { useApi } from "#connection/client.ts";
import { getPollControl } from "./poll-control.ts";

/** Renders again when this tab begins or ends to poll some job, so that the interval of every query is set anew. */
export function usePollVersion(api: Api): number {
  const control = getPollControl(api);
  return useSyncExternalStore(control.subscribe, control.version);
}

/** Whether all polls wait because the key was refused (spec 5.5), and a function that resumes them. */
export function usePollPause(): { isPaused: boolean; resume: () => void } {
  const api = useApi();
  usePollVersion(api);
  const control = getPollControl(api);
  return { isPaused: control.isPaused(), resume: control.resume };
}

import { useStore } from "zustand";
import type { Api } from "#api/create-api.ts";
import { useApi } from "#connection/client.ts";
import { getPollControl } from "./poll-control.ts";

/** Renders again when this tab begins or ends to poll some job, so that the interval of every query is set anew. */
export function usePolling(api: Api): void {
  useStore(getPollControl(api).polling);
}

/** Whether all polls wait because the key was refused (spec 5.5), and a function that resumes them. */
export function usePollPause(): { isPaused: boolean; resume: () => void } {
  const control = getPollControl(useApi());
  return { isPaused: useStore(control.polling, ({ isPaused }) => isPaused), resume: control.resume };
}

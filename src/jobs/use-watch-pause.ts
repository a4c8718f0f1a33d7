import { useApi } from "#connection/connection-provider.tsx";
import { useWatchVersion } from "./use-watch-version.ts";
import { watchControlOf } from "./watch/watch-control.ts";

/** Whether all looks wait because the key was refused (spec 5.5), and the way to let them go on. */
export function useWatchPause(): { isPaused: boolean; resume: () => void } {
  const api = useApi();
  useWatchVersion(api);
  const control = watchControlOf(api);
  return { isPaused: control.isPaused(), resume: control.resume };
}

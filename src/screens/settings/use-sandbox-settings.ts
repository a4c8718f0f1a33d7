import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeSandboxSettings, type SandboxSettings, sandboxSettingsQuery } from "./sandbox-settings.ts";

type Patch = Partial<Pick<SandboxSettings, "speed" | "quirks">>;

/** The sandbox's settings as they are or are about to be, and the way to change them. */
export function useSandboxSettings(settingsUrl: string) {
  const options = sandboxSettingsQuery(settingsUrl);
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(options);
  const change = useMutation({
    mutationFn: (patch: Patch) => changeSandboxSettings(settingsUrl, { ...patch }),
    onSuccess: (settings) => queryClient.setQueryData(options.queryKey, settings),
  });
  const settings = data && change.isPending ? { ...data, ...change.variables } : data;
  return {
    settings,
    error: change.error ?? error,
    change: (patch: Patch) => change.mutate(patch),
    retry: () => (change.error && change.variables ? change.mutate(change.variables) : void refetch()),
  };
}

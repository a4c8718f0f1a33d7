import { Segmented } from "#ui/segmented.tsx";
import { SandboxFailure } from "./sandbox-failure.tsx";
import { SANDBOX_SPEEDS } from "./sandbox-settings.ts";
import { useSandboxSettings } from "./use-sandbox-settings.ts";

const OPTIONS = SANDBOX_SPEEDS.map((speed) => ({ value: `${speed}` as const, label: `${speed}×` }));

/** How fast the sandbox's time runs: 1, 10 or 60 times. Jobs that already run follow at once. */
export function SandboxSpeed({ settingsUrl, className }: { settingsUrl: string; className?: string }) {
  const { settings, error, change, retry } = useSandboxSettings(settingsUrl);
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label="Sandbox time"
        options={OPTIONS}
        value={settings && `${settings.speed}`}
        onChange={(value) => change({ speed: SANDBOX_SPEEDS.find((known) => `${known}` === value) ?? 1 })}
        className={className}
      />
      {error && <SandboxFailure onRetry={retry} />}
    </div>
  );
}

import { useId } from "react";
import { Skeleton } from "#ui/skeleton.tsx";
import { Switch } from "#ui/switch.tsx";
import { SandboxFailure } from "./sandbox-failure.tsx";
import type { SandboxQuirk } from "./sandbox-settings.ts";
import { useSandboxSettings } from "./use-sandbox-settings.ts";

/** The ways of answering that the specification leaves open, each with a switch. */
export function SandboxQuirks({ settingsUrl }: { settingsUrl: string }) {
  const { settings, error, change, retry } = useSandboxSettings(settingsUrl);
  if (error) return <SandboxFailure onRetry={retry} />;
  if (!settings) return <Skeleton className="h-40" />;
  const { available, quirks } = settings;
  return (
    <ul className="m-0 flex list-none flex-col gap-3.5 p-0">
      {available.map((quirk) => (
        <QuirkSwitch
          key={quirk.name}
          quirk={quirk}
          isOn={quirks.includes(quirk.name)}
          onChange={(isOn) =>
            change({
              quirks: isOn
                ? [...quirks, quirk.name]
                : quirks.filter((name) => name !== quirk.name),
            })
          }
        />
      ))}
    </ul>
  );
}

interface QuirkSwitchProps {
  quirk: SandboxQuirk;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function QuirkSwitch({ quirk, isOn, onChange }: QuirkSwitchProps) {
  const id = useId();
  return (
    <li className="flex items-start gap-3">
      <Switch
        id={id}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={`${id}-explained`}
      />
      <span>
        <label htmlFor={id} className="font-mono text-[12px] leading-5">
          {quirk.name}
        </label>
        <span id={`${id}-explained`} className="block text-ink-2">
          {quirk.explanation}
        </span>
      </span>
    </li>
  );
}

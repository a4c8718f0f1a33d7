import { useId } from "react";
import { Skeleton } from "#ui/skeleton.tsx";
import { Switch } from "#ui/switch.tsx";
import { SandboxFailure } from "./sandbox-failure.tsx";
import type { SandboxPersonality } from "./sandbox-settings.ts";
import { useSandboxSettings } from "./use-sandbox-settings.ts";

/** The ways of answering that the specification leaves open, each with a switch. */
export function SandboxPersonalities({ settingsUrl }: { settingsUrl: string }) {
  const { settings, error, change, retry } = useSandboxSettings(settingsUrl);
  if (error) return <SandboxFailure onRetry={retry} />;
  if (!settings) return <Skeleton className="h-40" />;
  const { available, personalities } = settings;
  return (
    <ul className="m-0 flex list-none flex-col gap-3.5 p-0">
      {available.map((personality) => (
        <PersonalitySwitch
          key={personality.name}
          personality={personality}
          isOn={personalities.includes(personality.name)}
          onChange={(isOn) =>
            change({
              personalities: isOn
                ? [...personalities, personality.name]
                : personalities.filter((name) => name !== personality.name),
            })
          }
        />
      ))}
    </ul>
  );
}

interface PersonalitySwitchProps {
  personality: SandboxPersonality;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function PersonalitySwitch({ personality, isOn, onChange }: PersonalitySwitchProps) {
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
          {personality.name}
        </label>
        <span id={`${id}-explained`} className="block text-ink-2">
          {personality.explanation}
        </span>
      </span>
    </li>
  );
}

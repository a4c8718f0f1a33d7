import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Switch } from "#ui/checkbox.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { SandboxFailure, type SandboxQuirk, useSandboxSettings } from "./sandbox-settings.tsx";

/** As high as the window while a list loads: the lists are longer, so that what follows does not jump into sight. */
const LIST_ROOM = "h-dvh";

/** Switches for the sandbox's quirks: variants of responses that the specification leaves open. */
export function SandboxQuirks({ settingsUrl }: { settingsUrl: string }) {
  const { settings, error, change, retry } = useSandboxSettings(settingsUrl);
  if (error) return <SandboxFailure onRetry={retry} />;
  if (!settings) return <Skeleton className={LIST_ROOM} />;
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
              quirks: isOn ? [...quirks, quirk.name] : quirks.filter((name) => name !== quirk.name),
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
        <label htmlFor={id} className="font-mono text-xs leading-relaxed">
          {quirk.name}
        </label>
        <span id={`${id}-explained`} className="block text-ink-2">
          {quirk.explanation}
        </span>
      </span>
    </li>
  );
}

// Loaded only when it is shown: the list is part of the sandbox's code, not of the page's.
const documentedInputs = {
  queryKey: ["sandbox-documented-inputs"],
  queryFn: async () => (await import("#sandbox/documented-inputs.ts")).DOCUMENTED_INPUTS,
  staleTime: Number.POSITIVE_INFINITY,
};

/** Everything that one can type to make the sandbox fail, so that every error can be tried by hand. */
export function SandboxHelp() {
  const { data, error } = useQuery(documentedInputs);
  if (error) return <p className="m-0 text-ink-2">Couldn’t load the list. Reload to try again.</p>;
  if (!data) return <Skeleton className={LIST_ROOM} />;
  const places = [...new Set(data.map(({ place }) => place))];
  return (
    <div className="flex flex-col gap-5">
      {places.map((place) => (
        <section key={place}>
          <h3 className="m-0 mb-1.5 font-medium text-sm text-ink-3">In the {place}</h3>
          <dl className="m-0 grid gap-x-5 gap-y-1.5 sm:grid-cols-[--spacing(47.5)_minmax(0,1fr)]">
            {data
              .filter((entry) => entry.place === place)
              .map(({ input, effect }) => (
                <div key={input} className="contents">
                  <dt className="wrap-anywhere font-mono text-xs leading-relaxed">{input}</dt>
                  <dd className="m-0 text-ink-2 max-sm:mb-2">{effect}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

// Loaded only when it is shown, like `documentedInputs`.
const limits = {
  queryKey: ["sandbox-limits"],
  queryFn: async () => (await import("#sandbox/limits.ts")).SANDBOX_LIMITS,
  staleTime: Number.POSITIVE_INFINITY,
};

/** What the sandbox does not do. */
export function SandboxLimits() {
  const { data, error } = useQuery(limits);
  if (error) return <p className="m-0 text-ink-2">Couldn’t load the list. Reload to try again.</p>;
  if (!data) return <Skeleton className={LIST_ROOM} />;
  return (
    <dl className="m-0 grid gap-x-5 gap-y-1.5 sm:grid-cols-[--spacing(47.5)_minmax(0,1fr)]">
      {data.map(({ about, sentence }) => (
        <div key={about} className="contents">
          <dt>{about}</dt>
          <dd className="m-0 max-w-[64ch] text-ink-2 max-sm:mb-2">{sentence}</dd>
        </div>
      ))}
    </dl>
  );
}

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { asList, asText, asTexts, isRecord, type JsonRecord } from "#lib/read.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Segmented } from "#ui/segmented.tsx";

/** How many times faster than real time the sandbox works on jobs. */
const SANDBOX_SPEEDS = [1, 10, 60] as const;
type Speed = (typeof SANDBOX_SPEEDS)[number];

/** A variant of the sandbox's responses that the specification leaves open. */
export interface SandboxQuirk {
  name: string;
  explanation: string;
}

interface SandboxSettings {
  speed: Speed;
  /** Names of the quirks that are on. */
  quirks: readonly string[];
  /** All quirks of the sandbox. */
  available: readonly SandboxQuirk[];
}

async function request(settingsUrl: string, init: RequestInit): Promise<SandboxSettings> {
  const response = await fetch(settingsUrl, init);
  const body: unknown = response.ok ? await response.json() : undefined;
  const speed = isRecord(body) ? SANDBOX_SPEEDS.find((known) => known === body.speed) : undefined;
  if (!isRecord(body) || speed === undefined) throw new Error(`The sandbox responded with ${response.status}.`);
  return {
    speed,
    quirks: asTexts(body.quirks),
    available: asList(body.available).flatMap((quirk) => readQuirk(quirk) ?? []),
  };
}

function readQuirk(raw: unknown): SandboxQuirk | undefined {
  if (!isRecord(raw) || typeof raw.name !== "string") return undefined;
  return { name: raw.name, explanation: asText(raw.explanation) ?? "" };
}

interface SandboxAddress {
  inferenceBaseUrl: string;
}

/** The address of a sandbox's settings: beside the inference paths. */
export function sandboxSettingsUrl({ inferenceBaseUrl }: SandboxAddress): string {
  return `${inferenceBaseUrl}/settings`;
}

/** Reads the sandbox's settings. Only the sandbox has this endpoint; a service does not. */
function sandboxSettingsQuery(settingsUrl: string) {
  return queryOptions({
    queryKey: ["sandbox-settings", settingsUrl],
    queryFn: ({ signal }) => request(settingsUrl, { signal }),
  });
}

/** Changes the fields of the patch. Resolves with the new settings. Rejects where the sandbox refuses. */
function changeSandboxSettings(settingsUrl: string, patch: JsonRecord): Promise<SandboxSettings> {
  return request(settingsUrl, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(patch),
  });
}

type Patch = Partial<Pick<SandboxSettings, "speed" | "quirks">>;

/** The sandbox's settings, with a change that is under way already applied, and the way to change them. */
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

const OPTIONS = SANDBOX_SPEEDS.map((speed) => ({ value: `${speed}` as const, label: `${speed}×` }));

/** How fast the sandbox works on jobs: 1, 10 or 60 times. Jobs that already run follow at once. */
export function SandboxSpeed({ connection, className }: { connection: SandboxAddress; className?: string }) {
  const { settings, error, change, retry } = useSandboxSettings(sandboxSettingsUrl(connection));
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label="Sandbox speed"
        options={OPTIONS}
        value={settings && `${settings.speed}`}
        onChange={(value) => change({ speed: SANDBOX_SPEEDS.find((known) => `${known}` === value) ?? 1 })}
        className={className}
      />
      {error && <SandboxFailure onRetry={retry} />}
    </div>
  );
}

/** The sandbox's settings could not be read or changed. */
export function SandboxFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title="The sandbox didn’t respond"
      actions={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Its settings didn’t change.
    </Notice>
  );
}

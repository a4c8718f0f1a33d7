import { queryOptions } from "@tanstack/react-query";
import { asList, asText, asTexts, isRecord, type JsonRecord } from "#lib/read.ts";

/** How fast sandbox time runs against real time. */
export const SANDBOX_SPEEDS = [1, 10, 60] as const;
export type SandboxSpeed = (typeof SANDBOX_SPEEDS)[number];

/** A way of answering that the specification leaves open, which can be tried. */
export interface SandboxQuirk {
  name: string;
  explanation: string;
}

export interface SandboxSettings {
  speed: SandboxSpeed;
  /** Names of the quirks that are on. */
  quirks: readonly string[];
  available: readonly SandboxQuirk[];
}

async function request(settingsUrl: string, init: RequestInit): Promise<SandboxSettings> {
  const response = await fetch(settingsUrl, init);
  const body: unknown = response.ok ? await response.json() : undefined;
  const speed = isRecord(body) ? SANDBOX_SPEEDS.find((known) => known === body.speed) : undefined;
  if (!isRecord(body) || speed === undefined) throw new Error(`The sandbox answered ${response.status}.`);
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

/** Where a sandbox keeps its settings: beside the inference paths. */
export function sandboxSettingsUrl({ inferenceBaseUrl }: { inferenceBaseUrl: string }): string {
  return `${inferenceBaseUrl}/settings`;
}

/** The sandbox's settings. They are the sandbox's own; the service has no such endpoint. */
export function sandboxSettingsQuery(settingsUrl: string) {
  return queryOptions({
    queryKey: ["sandbox-settings", settingsUrl],
    queryFn: ({ signal }) => request(settingsUrl, { signal }),
  });
}

/** Changes what the patch names and gives what holds from now on. Throws where the sandbox refuses. */
export function changeSandboxSettings(settingsUrl: string, patch: JsonRecord): Promise<SandboxSettings> {
  return request(settingsUrl, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(patch),
  });
}

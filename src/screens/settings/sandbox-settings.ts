import { queryOptions } from "@tanstack/react-query";
import { isRecord, type JsonRecord } from "#lib/json.ts";

/** How fast sandbox time runs against real time. */
export const SANDBOX_SPEEDS = [1, 10, 60] as const;
export type SandboxSpeed = (typeof SANDBOX_SPEEDS)[number];

/** A way of answering that the specification leaves open, which can be tried. */
export interface SandboxPersonality {
  name: string;
  explanation: string;
}

export interface SandboxSettings {
  speed: SandboxSpeed;
  /** Names of the personalities that are on. */
  personalities: readonly string[];
  available: readonly SandboxPersonality[];
}

async function request(settingsUrl: string, init: RequestInit): Promise<SandboxSettings> {
  const response = await fetch(settingsUrl, init);
  const body: unknown = response.ok ? await response.json() : undefined;
  const speed = isRecord(body) ? SANDBOX_SPEEDS.find((known) => known === body.speed) : undefined;
  if (!isRecord(body) || speed === undefined) throw new Error(`The sandbox answered ${response.status}.`);
  return {
    speed,
    personalities: listOf(body.personalities, (name) => (typeof name === "string" ? name : undefined)),
    available: listOf(body.available, readPersonality),
  };
}

function listOf<T>(raw: unknown, read: (item: unknown) => T | undefined): T[] {
  return Array.isArray(raw) ? raw.map(read).filter((item) => item !== undefined) : [];
}

function readPersonality(raw: unknown): SandboxPersonality | undefined {
  if (!isRecord(raw) || typeof raw.name !== "string") return undefined;
  return { name: raw.name, explanation: typeof raw.explanation === "string" ? raw.explanation : "" };
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

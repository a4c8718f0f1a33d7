import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { Fault } from "./faults.ts";
import { isSpeed, type SandboxClock, SPEEDS, type Speed } from "./sandbox-clock.ts";
import { badRequest } from "./sandbox-error.ts";

/** Requests per minute; null means no limit (spec 8 shows no numbers). */
export interface RateLimits {
  perKey: number | null;
  perOrganisation: number | null;
}

/** What can be changed while the sandbox runs: by options, by `PUT /sandbox/settings`, by `configure`. */
export interface SandboxSettings {
  speed: Speed;
  /** Names from `quirks/`. */
  quirks: readonly string[];
  faults: readonly Fault[];
  rateLimits: RateLimits;
  /** Pace of text answers, 1 to 2,000; null leaves each model its own. */
  tokensPerSecond: number | null;
}

export interface SettingsStore {
  read(): SandboxSettings;
  /** Changes what the patch names and leaves the rest. Throws 400 that names the wrong key; then nothing changes. */
  change(patch: JsonRecord): void;
}

export function createSettings(clock: SandboxClock, quirkNames: () => readonly string[]): SettingsStore {
  let quirks: readonly string[] = [];
  let faults: readonly Fault[] = [];
  let rateLimits: RateLimits = { perKey: null, perOrganisation: null };
  let tokensPerSecond: number | null = null;
  return {
    read: () => ({ speed: clock.speed(), quirks, faults, rateLimits, tokensPerSecond }),
    change(patch) {
      const unknown = Object.keys(patch).find((key) => !SETTING_NAMES.includes(key));
      if (unknown !== undefined) throw badRequest(`${unknown} is not a setting`);
      const next = {
        speed: "speed" in patch ? readSpeed(patch.speed) : clock.speed(),
        quirks: "quirks" in patch ? readQuirks(patch.quirks, quirkNames()) : quirks,
        faults: "faults" in patch ? readFaults(patch.faults) : faults,
        rateLimits: "rateLimits" in patch ? readRateLimits(patch.rateLimits) : rateLimits,
        tokensPerSecond: "tokensPerSecond" in patch ? readPace(patch.tokensPerSecond) : tokensPerSecond,
      };
      if (next.speed !== clock.speed()) clock.setSpeed(next.speed);
      ({ quirks, faults, rateLimits, tokensPerSecond } = next);
    },
  };
}

const SETTING_NAMES = ["speed", "quirks", "faults", "rateLimits", "tokensPerSecond"];

function readSpeed(value: unknown): Speed {
  if (isSpeed(value)) return value;
  throw badRequest(`speed must be one of ${SPEEDS.join(", ")}`);
}

function readPace(value: unknown): number | null {
  if (value === null || (typeof value === "number" && value >= 1 && value <= 2000)) return value;
  throw badRequest("tokensPerSecond must be between 1 and 2000, or null");
}

function readQuirks(value: unknown, names: readonly string[]): readonly string[] {
  if (!Array.isArray(value)) throw badRequest("quirks must be a list of names");
  const unknown = value.find((name) => !names.includes(name));
  if (unknown !== undefined) throw badRequest(`quirks: unknown name ${String(unknown)}`);
  return [...new Set<string>(value)];
}

function readFaults(value: unknown): readonly Fault[] {
  if (!Array.isArray(value)) throw badRequest("faults must be a list");
  return value.map((fault) => {
    if (!isRecord(fault) || typeof fault.endpoint !== "string") throw badRequest("faults: endpoint must be a name");
    const { endpoint, status, times } = fault;
    if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 599) {
      throw badRequest("faults: status must be between 400 and 599");
    }
    if (times === undefined) return { endpoint, status };
    if (typeof times !== "number" || !Number.isInteger(times) || times < 1)
      throw badRequest("faults: times must be a whole number");
    return { endpoint, status, times };
  });
}

function readRateLimits(value: unknown): RateLimits {
  if (!isRecord(value)) throw badRequest("rateLimits must be an object");
  return {
    perKey: readLimit(value.perKey, "perKey"),
    perOrganisation: readLimit(value.perOrganisation, "perOrganisation"),
  };
}

function readLimit(value: unknown, name: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw badRequest(`rateLimits: ${name} must be a whole number or null`);
}

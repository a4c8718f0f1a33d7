import { homedir } from "node:os";
import { join } from "node:path";

/** The settings of the host, read from its environment. */
export interface HostSettings {
  /** Address to bind; loopback by default. */
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** How many sandbox seconds pass in one second. */
  sandboxSpeed: 1 | 10 | 60;
  sandboxSeed: number;
  /** How many finished jobs the sandbox has from before; up to 100,000. */
  sandboxHistory: number;
  /** Names of quirks that the sandbox starts with; whether they exist is for `checkQuirks`. */
  sandboxQuirks: readonly string[];
  /** Requests per minute that the sandbox takes from one key; null means no limit. */
  sandboxRateLimit: number | null;
  /** Pace of the sandbox's text answers; null leaves each model its own. */
  sandboxTokensPerSecond: number | null;
  /** Where the relay may go. Undefined: not configured, so any address a person typed, and only on loopback. */
  upstreams: Upstreams | undefined;
  /** The address people open, when something in front of the host gives it a name. */
  publicOrigin: string | undefined;
  /** Files in PEM form. With both the host speaks HTTPS. */
  tlsFiles: { key: string; cert: string } | undefined;
  /** Where the host writes down what it sends, in a folder for each port. */
  dataFolder: string;
  /** With it sessions are sealed into cookies, which restarts and several hosts share; else this process holds them. */
  sessionSecret: string | undefined;
  /** When sessions end: after so long without use, and so long after they were opened. In ms. */
  sessionLimits: { idleMs: number; mostAgeMs: number };
  /** With it the host writes down what it sends in a Redis instead, which several hosts may share. */
  redisUrl: string | undefined;
}

export interface Upstreams {
  /** Exact origins, for every use. */
  origins: readonly string[];
  /** `https://*.example.com`, for uploads and media only: storage names its hosts as it likes. */
  storagePatterns: readonly string[];
}

const UPSTREAMS = "SAFELIGHT_UPSTREAMS";

type Environment = Record<string, string | undefined>;

/** Reads the environment. Throws an Error with a sentence for a person when a value cannot be used. */
export function readHostSettings(env: Environment): HostSettings {
  return {
    host: env.HOST || "127.0.0.1",
    port: readInteger(env, "PORT", 4173, 65_535),
    sandboxSpeed: readSpeed(env.SAFELIGHT_SANDBOX_SPEED),
    // A new one at each start: with the same, new jobs would take the ids of those a browser remembers from before.
    sandboxSeed: readInteger(env, "SAFELIGHT_SANDBOX_SEED", Date.now() % 2 ** 31, Number.MAX_SAFE_INTEGER),
    sandboxHistory: readInteger(env, "SAFELIGHT_SANDBOX_HISTORY", 0, 100_000),
    sandboxQuirks: readWords(env.SAFELIGHT_SANDBOX_QUIRKS),
    sandboxRateLimit: readInteger(env, "SAFELIGHT_SANDBOX_RATE_LIMIT", null, 1_000_000),
    sandboxTokensPerSecond: readInteger(env, "SAFELIGHT_SANDBOX_TOKENS_PER_SECOND", null, 2_000, 1),
    upstreams: readUpstreams(env.SAFELIGHT_UPSTREAMS),
    publicOrigin: env.SAFELIGHT_PUBLIC_ORIGIN
      ? readOrigin("SAFELIGHT_PUBLIC_ORIGIN", env.SAFELIGHT_PUBLIC_ORIGIN)
      : undefined,
    tlsFiles: readTlsFiles(env.SAFELIGHT_TLS_KEY, env.SAFELIGHT_TLS_CERT),
    dataFolder: env.SAFELIGHT_DATA || defaultDataFolder(env),
    redisUrl: readRedisUrl(env.SAFELIGHT_REDIS_URL),
    sessionSecret: readSecret(env.SAFELIGHT_SESSION_SECRET),
    sessionLimits: {
      idleMs: readInteger(env, "SAFELIGHT_SESSION_IDLE_MINUTES", 720, 100_000, 1) * 60_000,
      mostAgeMs: readInteger(env, "SAFELIGHT_SESSION_HOURS", 168, 10_000, 1) * 3_600_000,
    },
  };
}

/** True for a bind address that only this machine reaches. */
export function isLoopbackBind(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function readInteger<Fallback extends number | null>(
  env: Environment,
  name: string,
  fallback: Fallback,
  max: number,
  min = 0,
): number | Fallback {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} is "${text}". It must be a whole number from ${min} to ${max}.`);
}

function readWords(text = ""): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

function readSpeed(text: string | undefined): 1 | 10 | 60 {
  if (text === undefined || text === "" || text === "1") return 1;
  if (text === "10") return 10;
  if (text === "60") return 60;
  throw new Error(`SAFELIGHT_SANDBOX_SPEED is "${text}". It must be 1, 10 or 60.`);
}

function readTlsFiles(key: string | undefined, cert: string | undefined): { key: string; cert: string } | undefined {
  if (!key && !cert) return undefined;
  if (key && cert) return { key, cert };
  throw new Error("SAFELIGHT_TLS_KEY and SAFELIGHT_TLS_CERT name two files and go together. One of them is not set.");
}

/** Where programs of this account store what they need to go on after a restart, by the custom of the platform. */
function defaultDataFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return join(env.LOCALAPPDATA || join(homedir(), "AppData", "Local"), "Safelight");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "Safelight");
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "safelight");
}

/** The message leaves the text out: it is a secret, however short. */
function readSecret(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length >= 32) return text;
  throw new Error("SAFELIGHT_SESSION_SECRET is too short. It must have at least 32 characters that nobody can guess.");
}

/** The message leaves the text out: an address of a Redis may hold its password. */
function readRedisUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.hostname && /^rediss?:$/.test(url.protocol)) return text;
  throw new Error("SAFELIGHT_REDIS_URL must be an address such as redis://127.0.0.1:6379 or rediss://… over TLS.");
}

function readUpstreams(text: string | undefined): Upstreams | undefined {
  if (text === undefined) return undefined;
  const entries = readWords(text);
  const [patterns, exact] = [entries.filter(isPattern), entries.filter((entry) => !isPattern(entry))];
  return { origins: exact.map((entry) => readOrigin(UPSTREAMS, entry)), storagePatterns: patterns.map(readPattern) };
}

function isPattern(entry: string): boolean {
  return entry.startsWith("https://*.");
}

function readPattern(entry: string): string {
  return readOrigin(UPSTREAMS, entry.replace("*.", "any.")).replace("any.", "*.");
}

function readOrigin(name: string, entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined;
  const isBare = url?.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (url && isBare && /^https?:$/.test(url.protocol)) return url.origin;
  const patterns = name === UPSTREAMS ? ", or https://*.example.com for the hosts of uploads and media" : "";
  throw new Error(`${name} holds "${entry}". It must be an origin such as https://api.example.com${patterns}.`);
}

/**
 * Throws an Error with a sentence for a person when one of the names is no quirk of the sandbox. Without names the
 * sandbox is not loaded.
 */
export async function checkQuirks(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const [{ QUIRKS }, { TEXT_QUIRKS }] = await Promise.all([
    import("#sandbox/quirks/queue-quirks.ts"),
    import("#sandbox/quirks/text-quirks.ts"),
  ]);
  const known = [...QUIRKS, ...TEXT_QUIRKS].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `SAFELIGHT_SANDBOX_QUIRKS holds "${unknown}", and there is none of that name. There are ${known.join(", ")}.`,
  );
}

import { homedir } from "node:os";
import { join } from "node:path";
import { parseUrl } from "#lib/parse-url.ts";
import { type AccessSettings, readAccess, readTrustedProxies } from "./access/access-settings.ts";
import { isGuessableSecret } from "./guessable.ts";
import { type Environment, readChoice, readInteger, readOrigin, readSecretText, readWords } from "./read-settings.ts";
import { readUpstreams, type Upstreams } from "./read-upstreams.ts";

/** The settings of the host, read from its environment. */
export interface HostSettings {
  /** Address to bind; loopback by default. */
  host: string;
  /** 0 takes a free port. */
  port: number;
  /**
   * `open`: programs and pages of other origins may use it, too, as they would a service. Only where nobody else can open
   * the studio.
   */
  sandbox: "on" | "off" | "open";
  /** Most bytes of uploads that the sandbox has at a time. */
  sandboxBytes: number;
  /** Most runs and text answers that the sandbox takes until it is started again. */
  sandboxJobs: number;
  /** How many times as fast as the clock the sandbox works on jobs. */
  sandboxSpeed: 1 | 10 | 60;
  sandboxSeed: number;
  /** How many finished jobs the sandbox has from before. */
  sandboxHistory: number;
  /** Names of quirks that the sandbox starts with; whether they exist is for `checkQuirks`. */
  sandboxQuirks: readonly string[];
  /** Requests per minute that the sandbox takes from one key; null means no limit. */
  sandboxRateLimit: number | null;
  /** Pace of the sandbox's text answers; null leaves each model its own. */
  sandboxTokensPerSecond: number | null;
  /**
   * Where the relay may go. Undefined: on loopback, addresses that a person typed, on this machine only where the host is
   * for this machine. Elsewhere nowhere.
   */
  upstreams: Upstreams | undefined;
  /** The address people open, when something in front of the host gives it a name. */
  publicOrigin: string | undefined;
  /** Who may use the studio. Undefined only where the host is for this machine: whoever is on it. */
  access: AccessSettings | undefined;
  /** Addresses and networks whose word about a person is taken. None by default, loopback neither. */
  trustedProxies: readonly string[];
  /** Files in PEM form. With both the host speaks HTTPS. */
  tlsFiles: { key: string; cert: string } | undefined;
  /** Where the host writes down what it sends, in a folder for each port. */
  dataFolder: string;
  /** Seals sessions into cookies, which restarts and several hosts share. Without it, they are in this process alone. */
  sessionSecret: string | undefined;
  /** When sessions end: `idleMs` after their last use, and `maxAgeMs` after they were opened. */
  sessionLimits: { idleMs: number; maxAgeMs: number };
  /** The Redis in which the host writes down what it sends, in place of its data folder. Several hosts may share it. */
  redisUrl: string | undefined;
}

const MEGABYTE = 1024 * 1024;

/** Reads the environment. Throws an Error with a sentence for a person when a value cannot be used. */
export function readHostSettings(env: Environment): HostSettings {
  const host = env.HOST || "127.0.0.1";
  const publicOrigin = readPublicOrigin(env);
  const access = readAccess(readSecretText(env, "SAFELIGHT_ACCESS"), publicOrigin);
  const trustedProxies = readTrustedProxies(env.SAFELIGHT_TRUSTED_PROXIES);
  const place = { host, publicOrigin, access, trustedProxies };
  requireTeamSettings(place);
  return {
    host,
    port: readInteger(env, "PORT", 4173, 65_535),
    sandbox: readSandbox(env, place),
    sandboxBytes: readInteger(env, "SAFELIGHT_SANDBOX_MEGABYTES", 256, 1_000_000) * MEGABYTE,
    sandboxJobs: readInteger(env, "SAFELIGHT_SANDBOX_JOBS", 20_000, 100_000),
    sandboxSpeed: readSpeed(env),
    // A new one at each start: with the same, new jobs would take the ids of those a browser remembers from before.
    sandboxSeed: readInteger(env, "SAFELIGHT_SANDBOX_SEED", Date.now() % 2 ** 31, Number.MAX_SAFE_INTEGER),
    sandboxHistory: readInteger(env, "SAFELIGHT_SANDBOX_HISTORY", 0, 1_000_000),
    sandboxQuirks: readWords(env.SAFELIGHT_SANDBOX_QUIRKS),
    sandboxRateLimit: readInteger(env, "SAFELIGHT_SANDBOX_RATE_LIMIT", null, 1_000_000),
    sandboxTokensPerSecond: readInteger(env, "SAFELIGHT_SANDBOX_TOKENS_PER_SECOND", null, 2_000, 1),
    upstreams: readUpstreams(env.SAFELIGHT_UPSTREAMS),
    publicOrigin,
    access,
    trustedProxies,
    tlsFiles: readTlsFiles(env.SAFELIGHT_TLS_KEY, env.SAFELIGHT_TLS_CERT),
    dataFolder: env.SAFELIGHT_DATA || defaultDataFolder(env),
    redisUrl: readRedisUrl(readSecretText(env, "SAFELIGHT_REDIS_URL")),
    sessionSecret: readSecret(readSecretText(env, "SAFELIGHT_SESSION_SECRET")),
    sessionLimits: {
      idleMs: readInteger(env, "SAFELIGHT_SESSION_IDLE_MINUTES", 720, 100_000, 1) * 60_000,
      maxAgeMs: readInteger(env, "SAFELIGHT_SESSION_HOURS", 168, 10_000, 1) * 3_600_000,
    },
  };
}

/** True for a bind address that only this machine reaches. */
export function isLoopbackBind(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

type Place = Pick<HostSettings, "host" | "publicOrigin" | "access" | "trustedProxies">;

/**
 * Whether only people of this machine can open the host. As soon as one setting says otherwise it is a team's host: a
 * bind beyond loopback, a public origin, a word about who may use it, or a proxy in front.
 */
export function isForThisMachine({ host, publicOrigin, access, trustedProxies }: Place): boolean {
  return isLoopbackBind(host) && publicOrigin === undefined && access === undefined && trustedProxies.length === 0;
}

/** What a team's host must be told. Throws an Error that says what to set. */
function requireTeamSettings(place: Place): void {
  if (isForThisMachine(place)) return;
  const { host, publicOrigin, access, trustedProxies } = place;
  const isReached = !isLoopbackBind(host);
  const reached = isReached
    ? `HOST is ${host}, which other machines can reach.`
    : `SAFELIGHT_${publicOrigin === undefined ? "TRUSTED_PROXIES is set" : `PUBLIC_ORIGIN is ${publicOrigin}`}, so other people can open Safelight.`;
  if (isReached && publicOrigin === undefined) {
    throw new Error(
      `${reached} Set SAFELIGHT_PUBLIC_ORIGIN to the URL that people open, such as https://safelight.example.com.`,
    );
  }
  if (access === undefined) {
    throw new Error(
      `${reached} Set SAFELIGHT_ACCESS to who may use Safelight: password:<a password>, or header:<the name of a header that a trusted proxy sets>.`,
    );
  }
  if (access.kind === "header" && trustedProxies.length === 0) {
    throw new Error(
      "SAFELIGHT_ACCESS names a header, so SAFELIGHT_TRUSTED_PROXIES must be set to the IPs of the proxies that set it, such as 127.0.0.1.",
    );
  }
}

/** Whether an origin is of another machine and over plain http, which no browser counts as secure. */
export function isPlainHttpName(origin: string | undefined): boolean {
  const { protocol, hostname = "" } = (origin !== undefined && parseUrl(origin)) || {};
  return protocol === "http:" && !isLoopbackBind(hostname.replace(/^\[|\]$/g, ""));
}

/** The public origin. Over plain http it must be of this machine, or a person must have said that they know what it means. */
function readPublicOrigin(env: Environment): string | undefined {
  const isInsecureWanted = readChoice(env, "SAFELIGHT_INSECURE_HTTP", ["yes", "no"], "no") === "yes";
  if (!env.SAFELIGHT_PUBLIC_ORIGIN) return undefined;
  const origin = readOrigin("SAFELIGHT_PUBLIC_ORIGIN", env.SAFELIGHT_PUBLIC_ORIGIN);
  if (!isPlainHttpName(origin) || isInsecureWanted) return origin;
  throw new Error(
    `SAFELIGHT_PUBLIC_ORIGIN is ${origin}, and over plain http anyone on the way can read the password and the keys: use https, or set SAFELIGHT_INSECURE_HTTP to yes.`,
  );
}

function readSandbox(env: Environment, place: Place): HostSettings["sandbox"] {
  const usual = isLoopbackBind(place.host) ? "on" : "off";
  const sandbox = readChoice(env, "SAFELIGHT_SANDBOX", ["on", "off", "open"], usual);
  if (sandbox !== "open" || isForThisMachine(place)) return sandbox;
  throw new Error("SAFELIGHT_SANDBOX is open, but other people can open Safelight. Set it to on or off.");
}

function readSpeed(env: Environment): 1 | 10 | 60 {
  return Number(readChoice(env, "SAFELIGHT_SANDBOX_SPEED", ["1", "10", "60"], "1")) as 1 | 10 | 60;
}

function readTlsFiles(key: string | undefined, cert: string | undefined): { key: string; cert: string } | undefined {
  if (!key && !cert) return undefined;
  if (key && cert) return { key, cert };
  throw new Error(
    "SAFELIGHT_TLS_KEY and SAFELIGHT_TLS_CERT name two files and must both be set. One of them is missing.",
  );
}

/** The folder where programs of this account store what outlives a restart, by the custom of the platform. */
function defaultDataFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return join(env.LOCALAPPDATA || join(homedir(), "AppData", "Local"), "Safelight");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "Safelight");
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "safelight");
}

/** The messages leave the text out: it is a secret, however short. */
function readSecret(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length < 32) {
    throw new Error(
      "SAFELIGHT_SESSION_SECRET is too short. It must have at least 32 characters that nobody can guess.",
    );
  }
  if (!isGuessableSecret(text)) return text;
  throw new Error(
    "SAFELIGHT_SESSION_SECRET can be guessed. Set it to random characters, as from: openssl rand -base64 48",
  );
}

/** The message leaves the text out: an address of a Redis may hold its password. */
function readRedisUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = parseUrl(text);
  if (url?.hostname && /^rediss?:$/.test(url.protocol)) return text;
  throw new Error("SAFELIGHT_REDIS_URL must be a URL such as redis://127.0.0.1:6379 or rediss://… over TLS.");
}

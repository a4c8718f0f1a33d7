import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type HostSettings, readHostSettings } from "#host/host-settings.ts";

const MEGABYTE = 1024 * 1024;

/** What each setting is where nothing is set, as the table writes it. Undefined where the table says "unset". */
const DEFAULTS: Record<string, (settings: HostSettings) => unknown> = {
  HOST: ({ host }) => host,
  PORT: ({ port }) => port,
  SAFELIGHT_PUBLIC_ORIGIN: ({ publicOrigin }) => publicOrigin,
  // What it lets through is no setting of its own afterwards.
  SAFELIGHT_INSECURE_HTTP: () => undefined,
  SAFELIGHT_ACCESS: ({ access }) => access,
  SAFELIGHT_ACCESS_FILE: ({ access }) => access,
  SAFELIGHT_TRUSTED_PROXIES: ({ trustedProxies }) => trustedProxies[0],
  SAFELIGHT_UPSTREAMS: ({ upstreams }) => upstreams,
  SAFELIGHT_SESSION_SECRET: ({ sessionSecret }) => sessionSecret,
  SAFELIGHT_SESSION_SECRET_FILE: ({ sessionSecret }) => sessionSecret,
  SAFELIGHT_SESSION_IDLE_MINUTES: ({ sessionLimits }) => sessionLimits.idleMs / 60_000,
  SAFELIGHT_SESSION_HOURS: ({ sessionLimits }) => sessionLimits.maxAgeMs / 3_600_000,
  // By the custom of the platform.
  SAFELIGHT_DATA: () => undefined,
  SAFELIGHT_REDIS_URL: ({ redisUrl }) => redisUrl,
  SAFELIGHT_REDIS_URL_FILE: ({ redisUrl }) => redisUrl,
  SAFELIGHT_TLS_KEY: ({ tlsFiles }) => tlsFiles,
  SAFELIGHT_TLS_CERT: ({ tlsFiles }) => tlsFiles,
  SAFELIGHT_SANDBOX: ({ sandbox }) => sandbox,
  SAFELIGHT_SANDBOX_JOBS: ({ sandboxJobs }) => sandboxJobs,
  SAFELIGHT_SANDBOX_MEGABYTES: ({ sandboxBytes }) => sandboxBytes / MEGABYTE,
  SAFELIGHT_SANDBOX_SPEED: ({ sandboxSpeed }) => sandboxSpeed,
  // New at each start.
  SAFELIGHT_SANDBOX_SEED: () => undefined,
  SAFELIGHT_SANDBOX_HISTORY: ({ sandboxHistory }) => sandboxHistory,
  SAFELIGHT_SANDBOX_QUIRKS: ({ sandboxQuirks }) => sandboxQuirks[0],
  SAFELIGHT_SANDBOX_RATE_LIMIT: ({ sandboxRateLimit }) => sandboxRateLimit ?? undefined,
  SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: ({ sandboxTokensPerSecond }) => sandboxTokensPerSecond ?? undefined,
};

/** The rows of the table under "Settings": each variable and its cell "default". */
function readTable(): Map<string, string> {
  const text = readFileSync(new URL("../../.deploy/README.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Settings$([\s\S]*?)^## /m.exec(text) ?? [];
  const rows = section.matchAll(/^\| `([A-Z_]+)` \|.* \| (.*) \|$/gm);
  return new Map([...rows].map(([, name = "", fallback = ""]) => [name, fallback]));
}

/** Every variable that the host asks its environment for, and what it makes of an empty one. */
function readNames(): { names: Set<string>; settings: HostSettings } {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    { get: (_, name) => void names.add(String(name)) },
  );
  return { settings: readHostSettings(environment), names };
}

/** Where programs of this platform store things: they are the system's, and no settings of the host. */
const OF_THE_SYSTEM = new Set(["LOCALAPPDATA", "XDG_STATE_HOME"]);

it("the table of settings has a row for each variable that the host reads, and no other", () => {
  const read = [...readNames().names].filter((name) => !OF_THE_SYSTEM.has(name));
  expect(read.length).toBeGreaterThan(15);
  expect([...readTable().keys()].sort()).toEqual(read.sort());
});

it.each(Object.entries(DEFAULTS))("the table of settings has the default of %s", (name, read) => {
  const fallback = readTable().get(name) ?? "";
  const expected = read(readNames().settings);
  if (expected === undefined) expect(fallback).toMatch(/^unset\b/);
  else expect(fallback.startsWith(`\`${String(expected)}\``)).toBe(true);
});

it("every row of the table of settings has its default compared", () => {
  expect(Object.keys(DEFAULTS).sort()).toEqual([...readTable().keys()].sort());
});

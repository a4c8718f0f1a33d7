import { describe, expect, it } from "vitest";
import { checkQuirks } from "#host/check-quirks.ts";
import { isLoopbackBind, readHostSettings } from "#host/host-settings.ts";

describe("readHostSettings", () => {
  it("binds to loopback on 4173 by default", () => {
    expect(readHostSettings({})).toEqual({
      host: "127.0.0.1",
      port: 4173,
      sandbox: "on",
      sandboxBytes: 256 * 1024 * 1024,
      sandboxJobs: 20_000,
      sandboxSpeed: 1,
      sandboxSeed: expect.any(Number),
      sandboxHistory: 0,
      sandboxQuirks: [],
      sandboxRateLimit: null,
      sandboxTokensPerSecond: null,
      upstreams: undefined,
      publicOrigin: undefined,
      access: undefined,
      trustedProxies: ["127.0.0.0/8", "::1/128"],
      tlsFiles: undefined,
      dataFolder: expect.stringMatching(/[Ss]afelight$/),
      redisUrl: undefined,
      sessionSecret: undefined,
      sessionLimits: { idleMs: 12 * 3_600_000, maxAgeMs: 7 * 24 * 3_600_000 },
    });
  });

  it("distinguishes exact origins from patterns of storage hosts", () => {
    const { upstreams } = readHostSettings({
      SAFELIGHT_UPSTREAMS: "https://api.example.com, https://infer.example.com:8443/ https://*.store.example.com",
    });
    expect(upstreams).toEqual({
      origins: ["https://api.example.com", "https://infer.example.com:8443"],
      storagePatterns: ["https://*.store.example.com"],
    });
  });

  it("takes an empty list for no upstream, which differs from unset", () => {
    expect(readHostSettings({ SAFELIGHT_UPSTREAMS: "" }).upstreams).toEqual({ origins: [], storagePatterns: [] });
  });

  it.runIf(process.platform === "linux")("stores what it sends where the state of programs belongs", () => {
    expect(readHostSettings({ XDG_STATE_HOME: "/state" }).dataFolder).toBe("/state/safelight");
    expect(readHostSettings({ XDG_STATE_HOME: "/state", SAFELIGHT_DATA: "/data" }).dataFolder).toBe("/data");
  });

  it("does not repeat the password of an unusable Redis address", () => {
    const read = () => readHostSettings({ SAFELIGHT_REDIS_URL: "http://:secret@127.0.0.1" });
    expect(read).toThrow(/^SAFELIGHT_REDIS_URL must be a URL such as redis:\/\/127\.0\.0\.1:6379/);
    expect(read).not.toThrow(/secret/);
  });

  it.each([
    [{ SAFELIGHT_SANDBOX: "yes" }, /must be on, off or open/],
    [{ SAFELIGHT_SESSION_SECRET: "short" }, /SAFELIGHT_SESSION_SECRET is too short.*at least 32 characters/],
    [{ SAFELIGHT_ACCESS: "everybody" }, /SAFELIGHT_ACCESS cannot be read/],
    [{ SAFELIGHT_ACCESS: "password:short" }, /too short.*at least 8 characters/],
    [{ SAFELIGHT_ACCESS: "header:" }, /names no header/],
    [{ SAFELIGHT_ACCESS: "header:X User" }, /names no header/],
    [{ SAFELIGHT_ACCESS: "header:User-Agent" }, /which every browser or program sets by itself/],
    [{ SAFELIGHT_TRUSTED_PROXIES: "proxy.internal" }, /must be an IP such as/],
    [{ SAFELIGHT_TRUSTED_PROXIES: "0.0.0.0/0" }, /not every IP/],
    [{ SAFELIGHT_TRUSTED_PROXIES: "10.0.0.0/33" }, /or a network such as/],
    [{ PORT: "abc" }, /PORT is “abc”/],
    [{ PORT: "70000" }, /from 0 to 65535/],
    [{ SAFELIGHT_SANDBOX_SPEED: "7" }, /1, 10 or 60/],
    [{ SAFELIGHT_SANDBOX_SEED: "-1" }, /SAFELIGHT_SANDBOX_SEED/],
    [{ SAFELIGHT_SANDBOX_HISTORY: "1000001" }, /from 0 to 1000000/],
    [{ SAFELIGHT_SANDBOX_RATE_LIMIT: "many" }, /SAFELIGHT_SANDBOX_RATE_LIMIT is “many”/],
    [{ SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "0" }, /from 1 to 2000/],
    [{ SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "2001" }, /from 1 to 2000/],
    [{ SAFELIGHT_UPSTREAMS: "api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "https://api.example.com/v1" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "https://me:secret@api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "ftp://api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_TLS_KEY: "key.pem" }, /must both be set/],
    [{ SAFELIGHT_PUBLIC_ORIGIN: "studio.example.com" }, /SAFELIGHT_PUBLIC_ORIGIN contains/],
    [{ SAFELIGHT_UPSTREAMS: "https://*.com/x" }, /[Mm]ust be an origin/],
  ])("says what is wrong with %j", (environment, complaint) => {
    expect(() => readHostSettings(environment)).toThrow(complaint);
  });
});

describe("an address that other machines can reach", () => {
  const ORIGIN = { SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com" };
  const ACCESS = { SAFELIGHT_ACCESS: "password:a long password" };

  it.each(["0.0.0.0", "::", "192.168.1.2", "studio.internal"])(
    "%s needs a name, and a word about who may use it",
    (HOST) => {
      expect(() => readHostSettings({ HOST })).toThrow(
        /^HOST is \S+, which other machines can reach\. Set SAFELIGHT_PUBLIC_ORIGIN /,
      );
      expect(() => readHostSettings({ HOST, ...ACCESS })).toThrow(/Set SAFELIGHT_PUBLIC_ORIGIN /);
      expect(() => readHostSettings({ HOST, ...ORIGIN })).toThrow(
        /^HOST is \S+, which other machines can reach\. Set SAFELIGHT_ACCESS /,
      );
      expect(readHostSettings({ HOST, ...ORIGIN, ...ACCESS })).toMatchObject({
        host: HOST,
        access: { kind: "password", password: "a long password" },
        sandbox: "off",
      });
    },
  );

  it.each(["127.0.0.1", "localhost", "::1"])(
    "%s needs access once a public origin is set: a proxy on the same machine may let others in",
    (HOST) => {
      expect(() => readHostSettings({ HOST, ...ORIGIN })).toThrow(
        /^SAFELIGHT_PUBLIC_ORIGIN is https:\/\/studio\.example\.com, so other people can open Safelight\. Set SAFELIGHT_ACCESS /,
      );
      expect(readHostSettings({ HOST, ...ORIGIN, ...ACCESS })).toMatchObject({ host: HOST, sandbox: "on" });
      expect(() => readHostSettings({ HOST, ...ORIGIN, ...ACCESS, SAFELIGHT_SANDBOX: "open" })).toThrow(
        /Set it to on or off/,
      );
    },
  );

  it("has a sandbox only where that is asked for, and never an open one", () => {
    const settings = { HOST: "0.0.0.0", ...ORIGIN, ...ACCESS };
    expect(readHostSettings({ ...settings, SAFELIGHT_SANDBOX: "on" }).sandbox).toBe("on");
    expect(() => readHostSettings({ ...settings, SAFELIGHT_SANDBOX: "open" })).toThrow(/Set it to on or off/);
  });

  it("takes the header of a proxy by any spelling, and the proxies", () => {
    const settings = {
      SAFELIGHT_ACCESS: "header:X-Remote-User",
      SAFELIGHT_TRUSTED_PROXIES: "10.0.0.5, 10.1.0.0/16 fd00::/8",
    };
    expect(readHostSettings(settings)).toMatchObject({
      access: { kind: "header", name: "x-remote-user" },
      trustedProxies: ["10.0.0.5", "10.1.0.0/16", "fd00::/8"],
    });
  });

  it("keeps every sign of a password", () => {
    const { access } = readHostSettings({ SAFELIGHT_ACCESS: "password: a:b, c\nd " });
    expect(access).toEqual({ kind: "password", password: " a:b, c\nd " });
  });

  it("does not repeat a password or a secret that cannot be used", () => {
    for (const settings of [
      { SAFELIGHT_ACCESS: "password:hunter2" },
      { SAFELIGHT_ACCESS: "hunter2" },
      { SAFELIGHT_SESSION_SECRET: "hunter2" },
    ]) {
      expect(() => readHostSettings(settings)).not.toThrow(/hunter2/);
    }
  });
});

describe("SAFELIGHT_UPSTREAMS", () => {
  it.each([
    "com",
    "*.com",
    "co.uk",
    "github.io",
    "vercel.app",
    "pages.dev",
    "netlify.app",
    "herokuapp.com",
    "s3.amazonaws.com",
    "s3.eu-west-1.amazonaws.com",
    "amazonaws.com",
    "compute.amazonaws.com",
    "blob.core.windows.net",
    "core.windows.net",
    "windows.net",
    "storage.googleapis.com",
    "googleapis.com",
    "r2.dev",
    "r2.cloudflarestorage.com",
    "digitaloceanspaces.com",
    "nyc3.digitaloceanspaces.com",
    "backblazeb2.com",
    "s3.eu-central-1.wasabisys.com",
    "cloudfront.net",
    "internal",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "kawasaki.jp",
    "com.",
    "GITHUB.io",
    "xn--p1ai",
  ])("refuses the wildcard https://*.%s, below which anybody gets a name", (name) => {
    expect(() => readHostSettings({ SAFELIGHT_UPSTREAMS: `https://*.${name}` })).toThrow(
      /^SAFELIGHT_UPSTREAMS contains “https:\/\/\*\./,
    );
  });

  it.each([
    "https://*",
    "https://*:443",
    "https://*.*",
    "http://*",
    "http://*.example.com",
    "https://a*.example.com",
    "https://example.*",
    "*",
    "https://%2a.example.com",
    "https://*%2eexample.com",
  ])("refuses %s as no address", (entry) => {
    expect(() => readHostSettings({ SAFELIGHT_UPSTREAMS: entry })).toThrow(/^SAFELIGHT_UPSTREAMS contains /);
  });

  it.each(["example.com", "media.example.co.uk", "cdn.studio.github.io", "store.example.com:8443"])(
    "takes the wildcard https://*.%s of one owner",
    (name) => {
      expect(readHostSettings({ SAFELIGHT_UPSTREAMS: `https://*.${name}` }).upstreams).toEqual({
        origins: [],
        storagePatterns: [`https://*.${name}`],
      });
    },
  );

  it("takes a single host of a shared storage by its name", () => {
    const origins = ["https://studio.s3.amazonaws.com", "https://storage.googleapis.com", "http://10.0.0.5:8080"];
    expect(readHostSettings({ SAFELIGHT_UPSTREAMS: origins.join(" ") }).upstreams?.origins).toEqual(origins);
  });
});

describe("checkQuirks", () => {
  it("accepts every quirk of the queue and of the text endpoints", async () => {
    await expect(checkQuirks(["error-html", "stream-cut"])).resolves.toBeUndefined();
    await expect(checkQuirks([])).resolves.toBeUndefined();
  });

  it("names an unknown quirk and lists the known ones", async () => {
    await expect(checkQuirks(["error-html", "grumpy"])).rejects.toThrow(
      /SAFELIGHT_SANDBOX_QUIRKS contains “grumpy”.*Possible values: .*error-html/,
    );
  });
});

it.each([
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["localhost", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.1.2", false],
  ["127.0.0.1.example.com", false],
])("knows whether %s can be reached from this machine only", (host, expected) => {
  expect(isLoopbackBind(host)).toBe(expected);
});

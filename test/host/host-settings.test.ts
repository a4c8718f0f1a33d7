import { describe, expect, it } from "vitest";
import { checkQuirks } from "#host/check-quirks.ts";
import { isLoopbackBind, readHostSettings } from "#host/host-settings.ts";

describe("readHostSettings", () => {
  it("binds to loopback on 4173 by default", () => {
    expect(readHostSettings({})).toEqual({
      host: "127.0.0.1",
      port: 4173,
      sandboxSpeed: 1,
      sandboxSeed: expect.any(Number),
      sandboxHistory: 0,
      sandboxQuirks: [],
      sandboxRateLimit: null,
      sandboxTokensPerSecond: null,
      upstreams: undefined,
      publicOrigin: undefined,
      tlsFiles: undefined,
      dataFolder: expect.stringMatching(/[Ss]afelight$/),
      redisUrl: undefined,
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
    expect(read).toThrow(/^SAFELIGHT_REDIS_URL must be an address such as redis:\/\/127\.0\.0\.1:6379/);
    expect(read).not.toThrow(/secret/);
  });

  it.each([
    [{ PORT: "abc" }, /PORT is "abc"/],
    [{ PORT: "70000" }, /from 0 to 65535/],
    [{ SAFELIGHT_SANDBOX_SPEED: "7" }, /1, 10 or 60/],
    [{ SAFELIGHT_SANDBOX_SEED: "-1" }, /SAFELIGHT_SANDBOX_SEED/],
    [{ SAFELIGHT_SANDBOX_HISTORY: "100001" }, /from 0 to 100000/],
    [{ SAFELIGHT_SANDBOX_RATE_LIMIT: "many" }, /SAFELIGHT_SANDBOX_RATE_LIMIT is "many"/],
    [{ SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "0" }, /from 1 to 2000/],
    [{ SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "2001" }, /from 1 to 2000/],
    [{ SAFELIGHT_UPSTREAMS: "api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "https://api.example.com/v1" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "https://me:secret@api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_UPSTREAMS: "ftp://api.example.com" }, /[Mm]ust be an origin/],
    [{ SAFELIGHT_TLS_KEY: "key.pem" }, /go together/],
    [{ SAFELIGHT_PUBLIC_ORIGIN: "studio.example.com" }, /SAFELIGHT_PUBLIC_ORIGIN holds/],
    [{ SAFELIGHT_UPSTREAMS: "https://*.com/x" }, /[Mm]ust be an origin/],
  ])("says what is wrong with %j", (environment, complaint) => {
    expect(() => readHostSettings(environment)).toThrow(complaint);
  });
});

describe("checkQuirks", () => {
  it("accepts every quirk of the queue and of the text endpoints", async () => {
    await expect(checkQuirks(["error-html", "stream-cut"])).resolves.toBeUndefined();
    await expect(checkQuirks([])).resolves.toBeUndefined();
  });

  it("names an unknown quirk and lists the known ones", async () => {
    await expect(checkQuirks(["error-html", "grumpy"])).rejects.toThrow(
      /SAFELIGHT_SANDBOX_QUIRKS holds "grumpy".*There are .*error-html/,
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

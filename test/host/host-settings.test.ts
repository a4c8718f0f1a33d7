import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkQuirks } from "#host/check-quirks.ts";
import { isForThisMachine, isLoopbackBind, readHostSettings } from "#host/host-settings.ts";
import { startNotices } from "#host/start-checks.ts";

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
      trustedProxies: [],
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
    [{ SAFELIGHT_TRUSTED_PROXIES: "0.0.0.0/0" }, /so much of the internet/],
    [{ SAFELIGHT_INSECURE_HTTP: "true" }, /SAFELIGHT_INSECURE_HTTP is “true”\. It must be yes or no/],
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

  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ HOST: "localhost", SAFELIGHT_PUBLIC_ORIGIN: "", SAFELIGHT_ACCESS: "", SAFELIGHT_TRUSTED_PROXIES: "" }, true],
    [{ ...ACCESS }, false],
    [{ ...ACCESS, SAFELIGHT_PUBLIC_ORIGIN: "http://localhost:4173" }, false],
    [{ ...ACCESS, SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" }, false],
    [{ ...ACCESS, ...ORIGIN, HOST: "0.0.0.0" }, false],
  ])("is a team's host as soon as one setting says so: %j", (environment, isAlone) => {
    expect(isForThisMachine(readHostSettings(environment))).toBe(isAlone);
    const open = () => readHostSettings({ ...environment, SAFELIGHT_SANDBOX: "open" });
    if (isAlone) expect(open().sandbox).toBe("open");
    else expect(open).toThrow(/^SAFELIGHT_SANDBOX is open, but other people can open Safelight/);
  });

  it("asks who may use it where a proxy stands in front", () => {
    expect(() => readHostSettings({ SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" })).toThrow(
      /^SAFELIGHT_TRUSTED_PROXIES is set, so other people can open Safelight\. Set SAFELIGHT_ACCESS /,
    );
  });

  it.each(["http://studio.lan:4619", "http://192.168.1.5:4173", "http://localhost.example.com", "http://128.0.0.1"])(
    "takes %s over plain http only by a word of its own",
    (SAFELIGHT_PUBLIC_ORIGIN) => {
      const settings = { SAFELIGHT_PUBLIC_ORIGIN, ...ACCESS };
      for (const SAFELIGHT_INSECURE_HTTP of ["", "no"]) {
        expect(() => readHostSettings({ ...settings, SAFELIGHT_INSECURE_HTTP })).toThrow(
          /^SAFELIGHT_PUBLIC_ORIGIN is http:\S+, and over plain http .* set SAFELIGHT_INSECURE_HTTP to yes\.$/,
        );
      }
      expect(readHostSettings({ ...settings, SAFELIGHT_INSECURE_HTTP: "yes" }).publicOrigin).toBe(
        SAFELIGHT_PUBLIC_ORIGIN,
      );
    },
  );

  it.each(["http://localhost:4173", "http://127.0.0.1", "http://127.8.9.1:81", "http://[::1]:4173"])(
    "takes %s without: what goes to this machine leaves it not",
    (SAFELIGHT_PUBLIC_ORIGIN) => {
      expect(readHostSettings({ SAFELIGHT_PUBLIC_ORIGIN, ...ACCESS }).publicOrigin).toBe(SAFELIGHT_PUBLIC_ORIGIN);
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
    expect(() => readHostSettings({ SAFELIGHT_ACCESS: "header:X-Remote-User" })).toThrow(
      /^SAFELIGHT_ACCESS names a header, so SAFELIGHT_TRUSTED_PROXIES must be set to .*\.$/,
    );
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
      { SAFELIGHT_ACCESS: "password:hunter2hunter2" },
      { SAFELIGHT_SESSION_SECRET: "hunter2".repeat(6) },
    ]) {
      expect(() => readHostSettings(settings)).toThrow();
      expect(() => readHostSettings(settings)).not.toThrow(/hunter2/);
    }
  });
});

describe("a setting that can be guessed", () => {
  it.each(
    `password passw0rd P@ssw0rd Password1! passwordpassword password123 Password2026! 12345678 123456789 87654321 11111111
    00000000 aaaaaaaa abababab abcdabcd abcdefgh aabbccdd abcd1234 a1b2c3d4 12341234 qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx
    zaq12wsx q1w2e3r4 asdfghjk iloveyou letmein1 welcome1 admin123 adminadmin changeme changeme123 secret123 sunshine99
    football trustno1 hunter2hunter2 safelight Safelight2026! test1234 choose-a-long-one 20261201`
      .split(/\s+/)
      .concat(["hello world", "password password", "p a s s w o r d", "drowssap", "contraseña", "Şifre123", "пароль12"])
      .concat(["<at least 8 characters>", `\${SAFELIGHT_PASSWORD}`, "$(pass show studio)", "{{ access_password }}"])
      .concat(["correct horse battery staple", "open sesame", "undefined"]),
  )("refuses the password %s, without repeating it", (password) => {
    const read = () => readHostSettings({ SAFELIGHT_ACCESS: `password:${password}` });
    expect(read).toThrow(/^The password in SAFELIGHT_ACCESS can be guessed\. [^.]+\.$/);
    expect(read).not.toThrow(new RegExp(`${password.slice(0, 4)}.*${password.slice(-2)}$`));
  });

  it.each(["atelier.acme.example", "atelier-acme", "AcmeAtelier2026!", "acme acme acme"])(
    "refuses the password %s, which the address bar shows",
    (password) => {
      const read = (SAFELIGHT_PUBLIC_ORIGIN: string) => () =>
        readHostSettings({ SAFELIGHT_PUBLIC_ORIGIN, SAFELIGHT_ACCESS: `password:${password}` });
      expect(read("https://atelier.acme.example")).toThrow(/can be guessed/);
    },
  );

  it.each(["eight-words-or-so", "correct horse battery", "tr0ub4dor&3", "x7Kq2mRt", "Gk2-vB9q", "my dog eats mail"])(
    "takes the password %s",
    (password) => {
      expect(readHostSettings({ SAFELIGHT_ACCESS: `password:${password}` }).access).toMatchObject({ password });
    },
  );

  it.each([
    "a".repeat(40),
    `${"x".repeat(31)}y`,
    "ab".repeat(20),
    "0123456789".repeat(4),
    "0123456789abcdef".repeat(2),
    "deadbeef".repeat(4),
    "abcdefghijklmnopqrstuvwxyz123456",
    "aaaaaaaabbbbbbbbccccccccdddddddd",
    "qwertyuiopasdfghjklzxcvbnm123456",
    "changeme".repeat(4),
    "CHANGE_ME_CHANGE_ME_CHANGE_ME_CHANGE_ME",
    "please-change-this-secret-in-production",
    "your-secret-here-your-secret-here",
    "replace-me-with-a-random-string-of-32",
    "Safelight-Session-Secret-2026-12-01!",
    "at least 32 random characters!!!",
    `\${SESSION_SECRET_FROM_SOMEWHERE_ELSE}`,
    "{{ vault_of_the_atelier.session_key }}",
    "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=",
    "cGFzc3dvcmRwYXNzd29yZHBhc3N3b3JkcGFzc3dvcmQ=",
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  ])("refuses the secret %s, without repeating it", (SAFELIGHT_SESSION_SECRET) => {
    const read = () => readHostSettings({ SAFELIGHT_SESSION_SECRET });
    expect(read).toThrow(/^SAFELIGHT_SESSION_SECRET can be guessed\. [^.]+$/);
    expect(read).not.toThrow(new RegExp(SAFELIGHT_SESSION_SECRET.slice(0, 12)));
  });

  it.each([
    "Jm0u1q8bq0T3p5eSx2mQ1oGv7tq8vKjYw1c9hZ3rN4dLfXa6",
    "9f86d081884c7d659a2feaa0c55ad015",
    "31415926535897932384626433832795028841971",
    "a secret of stories, of 32 characters and more",
  ])("takes the secret %s", (SAFELIGHT_SESSION_SECRET) => {
    expect(readHostSettings({ SAFELIGHT_SESSION_SECRET }).sessionSecret).toBe(SAFELIGHT_SESSION_SECRET);
  });
});

describe("the header of SAFELIGHT_ACCESS", () => {
  const read = (name: string) =>
    readHostSettings({ SAFELIGHT_ACCESS: `header:${name}`, SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" }).access;

  // Each of them is in requests of strangers as well: a browser or a proxy sets it whoever asks.
  it.each(
    `Upgrade-Insecure-Requests DNT Priority Pragma Date TE Via Forwarded X-Real-IP X-Request-Id X-Client-IP Save-Data
    True-Client-IP X-Amzn-Trace-Id Traceparent Keep-Alive X-Requested-With X-Original-URL Service-Worker Purpose
    Device-Memory Early-Data Proxy-Connection Max-Forwards Idempotency-Key X-Api-Key Submission User-Agent`
      .trim()
      .split(/\s+/),
  )("may not be %s, which names nobody", (name) => {
    expect(() => read(name)).toThrow(/^SAFELIGHT_ACCESS names the header /);
  });

  it.each(
    `X-Remote-User Remote-User X-User X-Auth-Request-User X-Auth-Request-Email X-Authenticated-User X-WebAuth-User
    X-authentik-username Tailscale-User-Login X-Goog-Authenticated-User-Email X-MS-Client-Principal-Name X-Token-Subject
    X-Amzn-Oidc-Identity X_Remote_User REMOTE_USER X-Userinfo-Sub`
      .trim()
      .split(/\s+/),
  )("may be %s", (name) => {
    expect(read(name)).toEqual({ kind: "header", name: name.toLowerCase() });
  });
});

describe("SAFELIGHT_TRUSTED_PROXIES", () => {
  const read = (SAFELIGHT_TRUSTED_PROXIES: string) =>
    readHostSettings({ SAFELIGHT_ACCESS: "header:X-Remote-User", SAFELIGHT_TRUSTED_PROXIES }).trustedProxies;

  it.each([
    "0.0.0.0/0",
    "0.0.0.0/1",
    "0.0.0.0/1 128.0.0.0/1",
    "8.0.0.0/8",
    "10.0.0.0/7",
    "1.0.0.0/11 2.0.0.0/11 3.0.0.0/11",
    "::/0",
    "::/1",
    "2000::/3",
    "2000::/4 3000::/4",
    "2001:db8::/20",
    "::/64",
    "::/80",
    "64:ff9b::/96",
    "2001::/32",
  ])("refuses %s, in which strangers are proxies", (proxies) => {
    expect(() => read(proxies)).toThrow(
      /^SAFELIGHT_TRUSTED_PROXIES contains .*, so much of the internet that .*: list only your own proxies\.$/,
    );
  });

  it.each(["::ffff:0:0/96", "::ffff:8.0.0.0/100", "::ffff:10.0.0.0/104"])(
    "refuses %s, which is IPv4 in another spelling",
    (proxies) => {
      expect(() => read(proxies)).toThrow(/^SAFELIGHT_TRUSTED_PROXIES contains /);
    },
  );

  it.each(["127.0.0.1", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16", "104.16.0.0/13 172.64.0.0/13", "fd00::/8 ::1"])(
    "takes %s",
    (proxies) => {
      expect(read(proxies)).toEqual(proxies.split(" "));
    },
  );
});

describe("a setting in a file", () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "safelight-settings-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const file = (content: string) => {
    const path = join(folder(), "setting");
    writeFileSync(path, content);
    return path;
  };
  const SECRET = "Jm0u1q8bq0T3p5eSx2mQ1oGv7tq8vKjYw1c9hZ3rN4dLfXa6";
  type Form = [string, string, (settings: ReturnType<typeof readHostSettings>) => unknown];
  const FORMS: Form[] = [
    ["SAFELIGHT_ACCESS", "password:eight-words-or-so", ({ access }) => access],
    ["SAFELIGHT_SESSION_SECRET", SECRET, ({ sessionSecret }) => sessionSecret],
    ["SAFELIGHT_REDIS_URL", "redis://:secret@127.0.0.1:6379", ({ redisUrl }) => redisUrl],
  ];

  it.each(FORMS)("%s is read from it, without one newline at its end", (name, text, read) => {
    const expected = read(readHostSettings({ [name]: text }));
    expect(expected).toBeDefined();
    for (const end of ["", "\n", "\r\n"]) {
      expect(read(readHostSettings({ [`${name}_FILE`]: file(text + end) }))).toEqual(expected);
    }
  });

  it("keeps every other sign", () => {
    const { access } = readHostSettings({ SAFELIGHT_ACCESS_FILE: file("password: eight words or so \n\n") });
    expect(access).toEqual({ kind: "password", password: " eight words or so \n" });
  });

  it.each(FORMS)("%s may not be set as well, and a file that is of no use is refused", (name, text) => {
    const read = (environment: Record<string, string>) => () => readHostSettings(environment);
    const both = read({ [name]: text, [`${name}_FILE`]: file(text) });
    expect(both).toThrow(`${name} and ${name}_FILE are both set. Set only one of them.`);
    expect(both).not.toThrow(/secret@|eight-words|Jm0u/);
    expect(read({ [`${name}_FILE`]: "/nowhere/x" })).toThrow(
      `${name}_FILE is /nowhere/x, and that file cannot be read (ENOENT).`,
    );
    const dir = folder();
    expect(read({ [`${name}_FILE`]: dir })).toThrow(`${name}_FILE is ${dir}, and that file cannot be read (EISDIR).`);
    for (const nothing of ["", "\n"]) {
      const path = file(nothing);
      expect(read({ [`${name}_FILE`]: path })).toThrow(`${name}_FILE is ${path}, and that file is empty.`);
    }
  });
});

describe("what the host says at start", () => {
  const say = (environment: Record<string, string>) => startNotices(readHostSettings(environment));

  it("is nothing about usual settings", () => {
    expect(say({})).toEqual([]);
    expect(say({ SAFELIGHT_UPSTREAMS: "https://api.example.com https://*.media.example.com" })).toEqual([]);
  });

  it("is what a pattern opens directly below a registered domain, and no other", () => {
    const upstreams =
      "https://*.example.com https://*.example.co.uk:8443 https://*.a.example.org https://*.me.github.io";
    expect(say({ SAFELIGHT_UPSTREAMS: upstreams })).toEqual([
      "SAFELIGHT_UPSTREAMS has https://*.example.com: files may go to and come from every host below example.com.",
      "SAFELIGHT_UPSTREAMS has https://*.example.co.uk:8443: files may go to and come from every host below example.co.uk:8443.",
      "SAFELIGHT_UPSTREAMS has https://*.me.github.io: files may go to and come from every host below me.github.io.",
    ]);
  });

  it("is that hosts with one secret and no Redis do not learn of ended sessions", () => {
    const SAFELIGHT_SESSION_SECRET = "Jm0u1q8bq0T3p5eSx2mQ1oGv7tq8vKjYw1c9hZ3rN4dLfXa6";
    expect(say({ SAFELIGHT_SESSION_SECRET })).toEqual([
      expect.stringMatching(
        /^SAFELIGHT_SESSION_SECRET is set without SAFELIGHT_REDIS_URL: .* sessions and sign-ins that end here\.$/,
      ),
    ]);
    expect(say({ SAFELIGHT_SESSION_SECRET, SAFELIGHT_REDIS_URL: "redis://127.0.0.1:6379" })).toEqual([]);
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
    "cloud-object-storage.appdomain.cloud",
    "s3.us-south.cloud-object-storage.appdomain.cloud",
    "us-east.object.fastlystorage.app",
    "s3.storage.selcloud.ru",
    "eu-central-2.storage.impossibleapi.net",
    "ufileos.com",
    "s3-cn-east-1.qiniucs.com",
    "objects-us-east-1.dream.io",
    "s3.ir-thr-at1.arvanstorage.ir",
    "cos.ap-guangzhou.myqcloud.com",
    "obs.eu-west-101.myhuaweicloud.eu",
    "oos.eu-west-2.outscale.com",
    "eu2.contabostorage.com",
    "sos-ch-dk-2.exo.io",
    "de-1.ionoscloud.com",
    "gateway.storjshare.io",
    "s3.petabox.io",
    "fsn1.your-objectstorage.com",
    "fly.storage.tigris.dev",
    "public.blob.vercel-storage.com",
    "ngrok-free.app",
    "loca.lt",
    "trycloudflare.com",
    "devtunnels.ms",
    "ipfs.dweb.link",
    "imgix.net",
    "kxcdn.com",
    "azureedge.net",
    "azurewebsites.net",
    "azurefd.net",
    "fly.dev",
    "onrender.com",
    "web.app",
    "supabase.co",
    "hf.space",
    "nip.io",
    "duckdns.org",
    "xn--p1ai",
    "nyc3.cdn.digitaloceanspaces.com",
    "storage.dev",
    "ssl.cf1.rackcdn.com",
    "myfilebase.com",
    "swiss-backup02.infomaniak.com",
    "obs.eu-de.otc.t-systems.com",
    "ufs.sh",
    "s3.eusc-de-east-1.amazonaws.eu",
    "dfs.fabric.microsoft.com",
    "objectstore.lon1.civo.com",
    "s-ed1.cloud.gcore.lu",
    "object.ord1.coreweave.com",
    "storage.eu-north1.nebius.cloud",
    "s3.tebi.io",
    "pek3b.qingstor.com",
    "eos-beijing-1.cmecloud.cn",
    "nosdn.127.net",
    "m.pipedream.net",
    "webhook.site",
    "cn-hangzhou.fcapp.run",
    "tail1234.ts.net",
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

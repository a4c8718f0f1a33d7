import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicLookup } from "#host/relay/public-address.ts";
import { readRelayTarget } from "#host/relay/relay-target.ts";
import { createHost } from "../../../src/host/create-host.ts";
import { readHostSettings } from "../../../src/host/host-settings.ts";
import { type RunningServer, startServer } from "../../../src/host/start-server.ts";
import fc from "../../setup/fc.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { ask, openSession, startRelay, startUpstream, tryToOpenSession, type Upstream } from "./relay-world.ts";

/** Hosts that a stranger would like the relay to visit. */
const HOSTILE_HOSTS = [
  "127.0.0.1",
  "127.1",
  "127.8.8.8",
  "0.0.0.0",
  "0",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.0.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[ff02::1]",
  "192.88.99.1",
  "203.0.113.9",
  "239.255.255.250",
  "240.0.0.1",
  "127.0.0.1.",
  "2130706433.",
  "[::ffff:169.254.169.254]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[100::1]",
  "[2001:db8::1]",
  "[fec0::1]",
  "[fe80::1%25eth0]",
  "[::1].",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "me@127.0.0.1",
  "api.example.com@127.0.0.1",
  "api.example.com%40127.0.0.1",
  "127.0.0.1%23.example.com",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "xn--80ak6aa92e.test.",
  "loopback.test",
  "private.test",
  "mixed.test",
  "mapped.test",
  "third.test",
  "translated.test",
  "tunnelled.test",
  "zone.test",
  "metadata.test",
];

/** Names that resolve to where they should not. */
const NAMES: Record<string, string[]> = {
  "loopback.test": ["127.0.0.1"],
  "private.test": ["10.1.2.3"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "third.test": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "192.168.0.1"],
  "translated.test": ["64:ff9b::7f00:1"],
  "tunnelled.test": ["2002:7f00:1::"],
  "zone.test": ["fe80::1%eth0"],
  "metadata.test": ["169.254.169.254"],
  localhost: ["127.0.0.1", "::1"],
};

const resolveAll = (hostname: string) => {
  const addresses = NAMES[hostname] ?? [];
  return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
};

describe("a host that allows any typed address", () => {
  let host: RunningServer;
  let victim: Awaited<ReturnType<typeof startVictim>>;
  beforeAll(async () => {
    victim = await startVictim();
    const settings = { ...readHostSettings({}), port: 0 };
    host = await startServer(createHost(settings, PAGE_FOLDER, { resolveAll }).fetch, settings);
    await openSession(host.url);
  });
  afterAll(async () => {
    await host.close(0);
    victim.close();
  });

  it.each(HOSTILE_HOSTS.flatMap((name) => [`https/${name}`, `https/${name}:8443`]))(
    "refuses /relay/api/%s",
    async (place) => {
      const origin = place.replace("/", "://");
      const allowance = { method: "POST", body: JSON.stringify({ origin }), headers: { Origin: host.url } };
      await ask(host.url, "/relay/allow", allowance);
      const typed = await tryToOpenSession(host.url, origin);
      for (const use of ["api", "media"]) {
        const path = `/relay/${use}/${place}/v1/models`.replace(/[^\x20-\x7e]/g, encodeURIComponent);
        const { status, headers } = await ask(host.url, path);
        expect([400, 403]).toContain(status);
        const refusals = ["not_a_target", "private_address", "not_allowed"];
        // A session for an address that is not in its plain spelling is one for the plain spelling.
        if (use === "api" && typed.status !== 201) refusals.push("not_a_service_request");
        expect(refusals).toContain(headers["x-safelight-relay"]);
      }
      expect(victim.visits()).toBe(0);
    },
  );

  it.each(["http", "ftp", "file", "gopher", "data", "javascript", "ws", "unix"])(
    "refuses the scheme %s",
    async (scheme) => {
      const { status } = await ask(host.url, `/relay/api/${scheme}/api.example.com/`);
      expect([400, 403]).toContain(status);
      expect((await tryToOpenSession(host.url, `${scheme}://api.example.com`)).status).toBe(
        scheme === "http" ? 403 : 400,
      );
      const body = JSON.stringify({ origin: `${scheme}://api.example.com` });
      const allowance = await ask(host.url, "/relay/allow", { method: "POST", body, headers: { Origin: host.url } });
      expect([400, 403]).toContain(allowance.status);
    },
  );

  it("refuses a target that was not typed", async () => {
    const { status, headers } = await ask(host.url, "/relay/api/https/api.example.org/");
    expect([status, headers["x-safelight-relay"]]).toEqual([403, "not_a_service_request"]);
    const media = await ask(host.url, "/relay/media/https/api.example.org/x.png");
    expect([media.status, media.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
  });

  async function startVictim() {
    let visits = 0;
    const server = createServer((_incoming, outgoing) => {
      visits += 1;
      outgoing.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { visits: () => visits, close: () => server.close() };
  }
});

describe("a host with configured upstreams", () => {
  let upstream: Upstream;
  let host: RunningServer;
  let visits = 0;
  beforeAll(async () => {
    upstream = await startUpstream((incoming, outgoing) => {
      visits += 1;
      const status = Number(incoming.url?.slice(1)) || 200;
      outgoing.writeHead(status, status >= 300 && status < 400 ? { Location: "http://127.0.0.1:1/secret" } : {});
      outgoing.end("from upstream");
    });
    host = await startRelay(upstream.origin, "https://*.store.example.com");
  });
  afterAll(async () => {
    await host.close(0);
    await upstream.close();
  });

  it("reaches an address that is allowed by name", async () => {
    expect(await ask(host.url, upstream.via("api", "/"))).toMatchObject({ status: 200, body: "from upstream" });
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect (%s)", async (status) => {
    const before = visits;
    const answer = await ask(host.url, upstream.via("api", `/${status}`));
    expect([answer.status, answer.headers["x-safelight-relay"], answer.headers.location]).toEqual([
      502,
      "redirect",
      undefined,
    ]);
    expect(visits).toBe(before + 1);
  });

  it.each([
    "/relay/api/https/other.example.com/",
    "/relay/api/https/files.store.example.com/",
    "/relay/media/https/store.example.com/",
    "/relay/media/https/evilstore.example.com/",
    "/relay/media/https/files.store.example.com.evil.test/",
    "/relay/media/http/files.store.example.com/",
    "/relay/media/https/files.store.example.com:8443/",
  ])("does not go to %s", async (path) => {
    expect((await ask(host.url, path)).headers["x-safelight-relay"]).toBe("not_allowed");
  });

  it("lets no request add to the configured upstreams", async () => {
    const body = JSON.stringify({ origin: "https://other.example.com" });
    const answer = await ask(host.url, "/relay/allow", { method: "POST", body, headers: { Origin: host.url } });
    expect(answer.status).toBe(403);
    expect((await tryToOpenSession(host.url, "https://other.example.com")).status).toBe(403);
  });

  it.each([
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a sibling of the site", { "Sec-Fetch-Site": "same-site" }],
    ["the address bar", { "Sec-Fetch-Site": "none" }],
    ["another origin", { Origin: "https://evil.example" }],
    ["an opaque origin", { Origin: "null" }],
    ["a name that was pointed here", { Host: "evil.example" }],
    [
      "a name that was pointed here, with its origin",
      { Host: "evil.example:4173", Origin: "http://evil.example:4173" },
    ],
    ["a script element", { "Sec-Fetch-Dest": "script" }],
    ["a frame", { "Sec-Fetch-Dest": "iframe" }],
    ["a worker", { "Sec-Fetch-Dest": "serviceworker" }],
    ["a page of its own", { "Sec-Fetch-Dest": "document" }],
  ])("refuses a request from %s", async (_name, headers) => {
    const before = visits;
    const answer = await ask(host.url, upstream.via("media", "/"), { headers });
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([403, "not_same_origin"]);
    expect(visits).toBe(before);
  });

  it.each(["PUT", "PATCH", "OPTIONS", "TRACE"])("does not relay %s to the API", async (method) => {
    const answer = await ask(host.url, upstream.via("api", "/"), { method });
    expect(answer.headers["x-safelight-relay"]).toBe("wrong_method");
  });
});

describe("the address that a request to the relay names", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "http",
      "https",
      "/",
      "//",
      "\\",
      "@",
      ":",
      "..",
      "%2f",
      "%00",
      "#",
      "?",
      ".",
      "127.0.0.1",
      "[::1]",
    ),
    fc.constantFrom("localhost", "api.example.com", "0x7f.1", "２", "ß", "\t", "\n", " ", "8080", "relay", "media"),
    fc.string({ maxLength: 8, unit: "binary" }),
    fc.webUrl(),
  );
  const path = fc
    .tuple(
      fc.constantFrom("api", "upload", "media"),
      fc.constantFrom("http", "https"),
      fc.array(part, { maxLength: 12 }),
    )
    .map(([use, scheme, rest]) => `/relay/${use}/${scheme}/${rest.join("")}`);

  it("is the very one that is connected to, or none", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          path,
          fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
        ),
        (rawUrl) => {
          const target = readRelayTarget(rawUrl);
          if (!target || target.isSandbox) return;
          const url = new URL(target.origin + target.pathAndQuery);
          expect([url.origin, url.username, url.password]).toEqual([target.origin, "", ""]);
          expect(url.hostname.replace(/^\[|\]$/g, "")).toBe(target.hostname);
          expect(target.hostname).not.toMatch(/[\s/\\@#?%]|\.$/);
          expect(target.pathAndQuery.startsWith("/")).toBe(true);
          expect(rawUrl).toContain(target.origin.replace("://", "/"));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("publicLookup", () => {
  const look = (hostname: string, all: boolean) =>
    new Promise((resolve) =>
      publicLookup(resolveAll)(hostname, { all }, (error, found) => resolve(error?.message ?? found)),
    );

  it("refuses a name as soon as one of its addresses is private", async () => {
    expect(await look("mixed.test", true)).toMatch(/not on the public internet/);
    expect(await look("mixed.test", false)).toMatch(/not on the public internet/);
  });

  it("returns the checked addresses after one lookup", async () => {
    let asked = 0;
    const lookup = publicLookup(() => {
      asked += 1;
      return Promise.resolve([{ address: "93.184.216.34", family: 4 }]);
    });
    const found = await new Promise((resolve) =>
      lookup("fine.test", { all: true }, (_error, addresses) => resolve(addresses)),
    );
    expect([found, asked]).toEqual([[{ address: "93.184.216.34", family: 4 }], 1]);
  });
});

import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { followingOpener } from "#host/relay/follow-redirects.ts";
import { createRelayPolicy, readRelayTarget } from "#host/relay/relay-target.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import {
  allow,
  ask,
  openSession,
  sessionAt,
  startRelay,
  startUpstream,
  tryToOpenSession,
  UNREACHABLE,
  type Upstream,
} from "./relay-world.ts";

const PNG = "\x89PNG\r\n\x1a\n and the rest";
const KEY = "key-that-no-storage-sees";

/** What a storage was asked, and by which headers. */
let asked: { at: string; headers: IncomingMessage["headers"] }[];
let storage: Upstream;
let second: Upstream;
let answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void;

beforeEach(async () => {
  asked = [];
  answer = (incoming, outgoing) => {
    const to = new URL(incoming.url ?? "/", "http://storage").searchParams.get("to");
    if (to === null) outgoing.end(Buffer.from(PNG, "latin1"));
    else outgoing.writeHead(302, { Location: to, "Set-Cookie": "a=b", "Content-Type": "text/html" }).end("<h1>Moved");
  };
  const start = (name: string) =>
    startUpstream((incoming, outgoing) => {
      asked.push({ at: `${name} ${incoming.method} ${incoming.url}`, headers: incoming.headers });
      answer(incoming, outgoing);
    });
  [storage, second] = [await start("first"), await start("second")];
  onTestFinished(async () => {
    await storage.close();
    await second.close();
  });
});

const to = (...places: string[]) => places.reduceRight((inner, place) => `${place}?to=${encodeURIComponent(inner)}`);
const places = () => asked.map(({ at }) => at.replace(/\?.*/, ""));

async function openHost(origins: string[]) {
  const host = await startRelay(...origins);
  onTestFinished(() => host.close(0));
  await openSession(host.url, origins[0], KEY);
  return host;
}

/** A host without SAFELIGHT_UPSTREAMS, to which names lead as given. */
async function typedHost(names: Record<string, string[]> = {}): Promise<RunningServer> {
  const resolveAll = (name: string) =>
    Promise.resolve((names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  const host = createHost(readHostSettings({ PORT: "0" }), PAGE_FOLDER, { resolveAll });
  const server = await startServer(host.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.close(0);
    await host.close();
  });
  await tryToOpenSession(server.url, storage.origin, KEY);
  return server;
}

const messageOf = ({ body }: { body: string }): string => JSON.parse(body).error.message;

describe("a file whose storage redirects", () => {
  it.each([301, 302, 303, 307, 308])("comes from where it leads (%i)", async (status) => {
    const host = await openHost([storage.origin, second.origin]);
    answer = (incoming, outgoing) =>
      incoming.url === "/a.png"
        ? outgoing.writeHead(status, { Location: `${second.origin}/b.png` }).end()
        : outgoing.end(Buffer.from(PNG, "latin1"));
    const { status: got, headers, body } = await ask(host.url, storage.via("media", "/a.png"));
    expect([got, headers["content-type"], body.length]).toEqual([200, "image/png", PNG.length]);
    expect([headers.location, headers["x-safelight-relay"]]).toEqual([undefined, undefined]);
    expect(places()).toEqual(["first GET /a.png", "second GET /b.png"]);
  });

  it("may name another path of its own, without its host", async () => {
    const host = await openHost([storage.origin]);
    const { status } = await ask(host.url, storage.via("media", to("/a", "b/c.png", "?signed=1")));
    expect(status).toBe(200);
    expect(asked.at(-1)?.at).toBe("first GET /b/c.png?signed=1");
  });

  it("is asked for with Range and conditions at each place, and never with a key or a cookie", async () => {
    const host = await openHost([storage.origin, second.origin]);
    const path = storage.via("media", to("/a", `${second.origin}/b`, `${storage.origin}/c`));
    const { headers } = await ask(host.url, path, {
      headers: {
        Range: "bytes=0-3",
        "If-None-Match": '"1"',
        "If-Range": '"1"',
        Authorization: `Bearer ${KEY}`,
        "X-Api-Key": KEY,
        Cookie: "session=1",
      },
    });
    expect(asked).toHaveLength(3);
    for (const { headers } of asked) {
      expect(headers).toMatchObject({ range: "bytes=0-3", "if-none-match": '"1"', "if-range": '"1"' });
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["authorization"]));
      expect(JSON.stringify(headers)).not.toMatch(/key|session|a=b/i);
    }
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it("is followed five times and no further", async () => {
    const host = await openHost([storage.origin]);
    const chain = (hops: number) => to(...Array.from({ length: hops }, (_, hop) => `/${hop}`), "/file.png");
    expect((await ask(host.url, storage.via("media", chain(5)))).status).toBe(200);
    asked = [];
    const refused = await ask(host.url, storage.via("media", chain(20)));
    expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([502, "redirect"]);
    expect(messageOf(refused)).toMatch(/once more, after 5 redirects/);
    expect(asked).toHaveLength(6);
  });

  it("is given up where it leads in a circle", async () => {
    const host = await openHost([storage.origin, second.origin]);
    answer = (incoming, outgoing) => {
      const other = incoming.headers.host === new URL(storage.origin).host ? second.origin : storage.origin;
      outgoing.writeHead(307, { Location: `${other}/round` }).end();
    };
    const refused = await ask(host.url, storage.via("media", "/round"));
    expect(messageOf(refused)).toMatch(/in a circle/);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["no place", {}, /without saying where/],
    ["an empty place", { Location: "" }, /without saying where/],
    ["no address", { Location: "http://[::" }, /an invalid URL/],
    ["another scheme", { Location: "ftp://cdn.example.com/a" }, /not http or https/],
    ["a script", { Location: "javascript:alert(1)" }, /not http or https/],
    ["data", { Location: "data:image/png;base64,AA" }, /not http or https/],
    ["a user name", { Location: "https://user:pass@cdn.example.com/a" }, /user name/],
    ["a dot at the end of the host", { Location: "https://cdn.example.com./a" }, /normal form/],
  ])("is not followed to %s", async (_, headers, words) => {
    const host = await openHost([storage.origin]);
    answer = (_incoming, outgoing) => void outgoing.writeHead(302, headers).end();
    const refused = await ask(host.url, storage.via("media", "/a"));
    expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([502, "redirect"]);
    expect(messageOf(refused)).toMatch(words);
    expect(refused.body).not.toContain("pass");
  });

  it.each([300, 305, 306])("is not followed for %i, which leaves the choice to others", async (status) => {
    const host = await openHost([storage.origin]);
    answer = (_incoming, outgoing) => void outgoing.writeHead(status, { Location: "/b" }).end();
    expect((await ask(host.url, storage.via("media", "/a"))).headers["x-safelight-relay"]).toBe("redirect");
    expect(asked).toHaveLength(1);
  });

  it("says which place could not be reached", async () => {
    const host = await openHost([storage.origin, UNREACHABLE.origin]);
    const refused = await ask(host.url, storage.via("media", to("/a", `${UNREACHABLE.origin}/b`)));
    expect(refused.headers["x-safelight-relay"]).toBe("unreachable");
    expect(messageOf(refused)).toContain(UNREACHABLE.origin);
  });
});

describe("where a redirect may not lead", () => {
  it("is any address that the settings do not name", async () => {
    const host = await openHost([storage.origin, "https://*.store.example.com"]);
    for (const place of [
      `${second.origin}/b.png`,
      `http://localhost:${new URL(second.origin).port}/`,
      "https://other.example.com/",
      "https://store.example.com/",
      "https://a.store.example.com:8443/",
      "http://a.store.example.com/",
      "http://169.254.169.254/latest/meta-data/",
      `${host.url}/healthz`,
    ]) {
      const refused = await ask(host.url, storage.via("media", to("/a", place)));
      expect([refused.status, refused.headers["x-safelight-relay"]], place).toEqual([502, "redirect"]);
      expect(messageOf(refused), place).toContain("SAFELIGHT_UPSTREAMS");
    }
    expect(new Set(places())).toEqual(new Set(["first GET /a"]));
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://[::1]/",
    "https://[::ffff:7f00:1]/",
    "https://0x7f.1/",
    "https://2130706433/",
    "http://10.0.0.1/",
    "https://192.168.0.1/",
    "https://private.test/",
    "https://mixed.test/",
    "https://metadata.test/",
    "http://public.test/",
    "https://public.test:22/",
    "https://public.test:8443/",
  ])("is %s, where no setting says so", async (place) => {
    const names = {
      localhost: ["127.0.0.1"],
      "private.test": ["10.1.2.3"],
      "mixed.test": ["93.184.216.34", "127.0.0.1"],
      "metadata.test": ["169.254.169.254"],
      "public.test": ["93.184.216.34"],
    };
    const host = await typedHost(names);
    const refused = await ask(host.url, storage.via("media", to("/a", place)));
    expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([502, "redirect"]);
    expect(places()).toEqual(["first GET /a"]);
  });

  it("is another port of this machine that nobody opened, and the studio itself", async () => {
    const host = await typedHost();
    for (const place of [second.origin, second.origin.replace("127.0.0.1", "localhost"), host.url]) {
      const refused = await ask(host.url, storage.via("media", to("/a", `${place}/b`)));
      expect(refused.headers["x-safelight-relay"], place).toBe("redirect");
    }
    expect(places()).toEqual(["first GET /a", "first GET /a", "first GET /a"]);
    expect((await allow(host.url, second.origin)).status).toBe(204);
    const followed = await ask(host.url, storage.via("media", to("/a", `${second.origin}/b`)));
    expect(followed.status).toBe(200);
  });

  it("is the API with the key: a redirect to its address carries none", async () => {
    const host = await openHost([second.origin, storage.origin]);
    const path = storage.via("media", to("/a", `${second.origin}/apikey/requests`));
    await ask(host.url, path, { headers: { Authorization: "Bearer [key]" } });
    expect(places()).toEqual(["first GET /a", "second GET /apikey/requests"]);
    for (const { headers } of asked) expect(headers).not.toHaveProperty("authorization");
  });

  it("is anywhere for the API and for uploads, which are never followed", async () => {
    const host = await openHost([storage.origin]);
    for (const [use, method] of [
      ["api", "GET"],
      ["api", "POST"],
      ["upload", "PUT"],
    ] as const) {
      const refused = await ask(host.url, storage.via(use, to("/a", "/b")), { method });
      expect(refused.headers["x-safelight-relay"], use).toBe("redirect");
    }
    expect(places().every((place) => place.endsWith("/a"))).toBe(true);
  });

  it("is http after https", async () => {
    const target = readRelayTarget("/relay/media/https/cdn.example.com/a.png");
    if (!target) throw new Error("No target.");
    const moved = async () => {
      const { Readable } = await import("node:stream");
      const headers = { location: "http://127.0.0.1:9/b.png" };
      return Object.assign(Readable.from(["<h1>Moved"]), { statusCode: 302, headers });
    };
    const open = followingOpener(moved, () => {
      throw new Error("It was followed.");
    });
    await expect(open({ target, method: "GET", headers: {}, body: undefined })).rejects.toThrow(/not encrypted/);
  });
});

describe("how far a redirect may reach", () => {
  const next = (address: string) => {
    const target = readRelayTarget(`/relay/media/${address.replace("://", "/")}/a.png`);
    if (!target) throw new Error(address);
    return target;
  };

  const from = (address: string) => next(address);
  const ALONE = { access: undefined, trustedProxies: [] };
  const storageElsewhere = from("https://storage.example.com");

  it("where a person typed the service: public https at its usual port, which becomes no place of its own", () => {
    const policy = createRelayPolicy({ host: "127.0.0.1", upstreams: undefined, publicOrigin: undefined, ...ALONE });
    const own = [sessionAt("https://api.example.com/v1")];
    expect(policy.requireNext(next("https://cdn.example.com"), storageElsewhere, own, 4173)).toBe("public");
    expect(() => policy.require(next("https://cdn.example.com"), own, 4173)).toThrow(/no connection that is open/);
    for (const place of ["http://cdn.example.com", "https://cdn.example.com:444"]) {
      expect(() => policy.requireNext(next(place), storageElsewhere, own, 4173), place).toThrow(
        /https URLs on their default port/,
      );
    }
  });

  it("from elsewhere to this machine: nowhere, also where a person typed that address", () => {
    const policy = createRelayPolicy({ host: "127.0.0.1", upstreams: undefined, publicOrigin: undefined, ...ALONE });
    const own = [sessionAt("http://127.0.0.1:9000"), sessionAt("https://api.example.com")];
    expect(policy.requireNext(next("http://127.0.0.1:9000"), from("http://127.0.0.1:9000"), own, 4173)).toBe(
      "loopback",
    );
    for (const place of ["http://127.0.0.1:9000", "http://127.0.0.1:9001", "http://localhost:9000"]) {
      expect(() => policy.requireNext(next(place), storageElsewhere, own, 4173), place).toThrow(/on this machine/);
    }
  });

  it("with settings: what they name, and nothing else", () => {
    const upstreams = { origins: ["https://api.example.com"], storagePatterns: ["https://*.store.example.com"] };
    const policy = createRelayPolicy({ host: "127.0.0.1", upstreams, publicOrigin: undefined, ...ALONE });
    const reachOf = (place: string) => policy.requireNext(next(place), storageElsewhere, [], 4173);
    expect(reachOf("https://api.example.com")).toBe("listed");
    expect(reachOf("https://a.store.example.com")).toBe("public");
    expect(() => reachOf("https://cdn.example.com")).toThrow(/SAFELIGHT_UPSTREAMS/);
  });

  it("without either: nowhere", () => {
    const policy = createRelayPolicy({
      host: "0.0.0.0",
      upstreams: undefined,
      publicOrigin: "https://studio.example.com",
      ...ALONE,
    });
    expect(() => policy.requireNext(next("https://cdn.example.com"), storageElsewhere, [], 4173)).toThrow(
      /SAFELIGHT_UPSTREAMS/,
    );
  });
});

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { createRelayPolicy, type RelayTarget, readRelayTarget } from "#host/relay/relay-target.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { times } from "../send.ts";
import {
  allow,
  ask,
  askForSession,
  halvesOf,
  openSession,
  type RawAnswer,
  sessionAt,
  sessionOf,
  startRelay,
  startUpstream,
  tryToOpenSession,
  type Upstream,
} from "./relay-world.ts";

const A_SESSION = sessionAt("https://api.example.com");

/** What `localhost` and other names lead to. */
const NAMES: Record<string, string[]> = {
  localhost: ["127.0.0.1"],
  "loopback.test": ["127.0.0.1"],
  "sub.localhost": ["127.0.0.1"],
};

let service: Upstream;
let visits: string[];
let port: string;

beforeEach(async () => {
  visits = [];
  service = await startUpstream((incoming, outgoing) => {
    visits.push(`${incoming.method} ${incoming.url}`);
    outgoing.end("from the service");
  });
  onTestFinished(service.close);
  port = new URL(service.origin).port;
});

/** A host without SAFELIGHT_UPSTREAMS. */
async function startHost(names = NAMES, bindsTo = "127.0.0.1", publicOrigin?: string): Promise<RunningServer> {
  const resolveAll = (name: string) =>
    Promise.resolve((names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  const settings = { ...readHostSettings({ PORT: "0" }), host: bindsTo, publicOrigin };
  const host = createHost(settings, PAGE_FOLDER, { resolveAll });
  const server = await startServer(host.fetch, { host: "127.0.0.1", port: 0 });
  await openSession(server.url);
  onTestFinished(async () => {
    await server.close(0);
    await host.close();
  });
  return server;
}

/** A person types the address of a service, or the page names its storage. */
const type = (host: { url: string }, origin: string, use = "api") =>
  use === "api" ? tryToOpenSession(host.url, origin) : allow(host.url, origin);

const visit = (host: { url: string }, origin: string, use = "api") =>
  ask(host.url, `/relay/${use}/${origin.replace("://", "/")}/v1/models`);

describe("a service on this machine, without SAFELIGHT_UPSTREAMS", () => {
  it.each(["127.0.0.1", "localhost"])("is reached once a person typed http://%s", async (name) => {
    const host = await startHost();
    const origin = `http://${name}:${port}`;
    expect((await visit(host, origin)).headers["x-safelight-relay"]).toBe("not_a_service_request");
    expect((await type(host, origin)).status).toBe(201);
    expect(await visit(host, origin)).toMatchObject({ status: 200, body: "from the service" });
    expect(visits).toEqual(["GET /v1/models"]);
  });

  it.each([
    "http://127.0.0.2",
    "http://127.8.8.8",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0.0.0.0",
    "http://10.0.0.1",
    "http://192.168.0.1",
    "http://169.254.169.254",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://localhost.",
    "http://LOCALHOST",
    "http://sub.localhost",
    "http://loopback.test",
    "http://me@127.0.0.1",
    "https://127.0.0.1",
    "https://localhost",
    "https://[::1]",
    "ws://127.0.0.1",
  ])("is not reached by %s", async (spelling) => {
    const host = await startHost();
    const origin = `${spelling}:${port}`;
    const typed = await type(host, origin);
    await type(host, origin, "storage");
    for (const use of ["api", "media"]) {
      const { status, headers } = await visit(host, origin, use);
      expect([400, 403]).toContain(status);
      const refusals = ["not_a_target", "private_address", "not_allowed"];
      if (use === "api" && typed.status !== 201) refusals.push("not_a_service_request");
      expect(refusals).toContain(headers["x-safelight-relay"]);
    }
    expect(visits).toEqual([]);
  });

  it.each([[["10.0.0.1"]], [["127.0.0.1", "192.168.0.1"]], [["93.184.216.34"]], [["::ffff:10.0.0.1"]], [[]]])(
    "is not reached where localhost leads to %j",
    async (addresses) => {
      const host = await startHost({ localhost: addresses });
      const origin = `http://localhost:${port}`;
      await type(host, origin);
      const answer = await visit(host, origin);
      expect(answer.headers["x-safelight-relay"]).toBe("private_address");
      expect(visits).toEqual([]);
    },
  );

  it.each(["127.0.0.1", "localhost", "[::1]"])("is never this host by its own port (%s)", async (name) => {
    const host = await startHost();
    const own = `http://${name}:${new URL(host.url).port}`;
    for (const use of ["api", "storage"]) {
      const refused = await type(host, own, use);
      expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
      expect(refused.body).toContain("is this Safelight server itself");
    }
    expect((await visit(host, own)).headers["x-safelight-relay"]).toBe("not_a_service_request");
    expect((await visit(host, own, "media")).headers["x-safelight-relay"]).toBe("not_allowed");
  });

  it("may have its files on this machine, and nobody else's service may", async () => {
    const host = await startHost();
    expect((await type(host, "https://api.example.com")).status).toBe(201);
    const early = await type(host, service.origin, "storage");
    expect([early.status, early.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
    expect((await visit(host, service.origin, "media")).status).toBe(403);

    expect((await type(host, "http://127.0.0.1:4999")).status).toBe(201);
    expect((await type(host, service.origin, "storage")).status).toBe(204);
    expect((await visit(host, service.origin, "media")).body).toBe("from the service");
    expect((await visit(host, service.origin, "api")).headers["x-safelight-relay"]).toBe("not_a_service_request");
    expect(visits).toEqual(["GET /v1/models"]);
  });
});

describe("what a session typed", () => {
  const outcome = ({ status, headers }: RawAnswer) => [status, headers["x-safelight-relay"]];
  const bothOf = (host: { url: string }) => sessionOf(host.url);

  it("opens its address in the very spelling alone", async () => {
    const host = await startHost();
    expect((await type(host, service.origin)).status).toBe(201);
    expect((await visit(host, service.origin, "media")).status).toBe(200);
    for (const origin of [`http://localhost:${port}`, `http://[::1]:${port}`, `http://127.0.0.1:${Number(port) + 1}`]) {
      expect(outcome(await visit(host, origin, "media")), origin).toEqual([403, "not_allowed"]);
    }
    expect(visits).toEqual(["GET /v1/models"]);
  });

  it("opens it to no other browser, and to no other session", async () => {
    const host = await startHost();
    await type(host, service.origin);
    const { Cookie } = bothOf(host);
    await openSession(host.url);
    const path = service.via("media", "/a.png");
    expect(outcome(await ask(host.url, path, { headers: { Cookie: "" } }))).toEqual([403, "not_allowed"]);
    expect(outcome(await ask(host.url, path))).toEqual([403, "not_allowed"]);
    expect(visits).toEqual([]);
    // As an image of the page asks for it.
    expect((await ask(host.url, path, { headers: { Cookie } })).status).toBe(200);
    expect(visits).toEqual(["GET /a.png"]);
  });

  it("opens it to no redirect of what another session of the browser typed", async () => {
    const host = await startHost();
    const leading = await startUpstream((_, outgoing) =>
      outgoing.writeHead(302, { Location: `${service.origin}/shutdown?confirm=yes` }).end(),
    );
    onTestFinished(leading.close);
    await type(host, service.origin);
    const { Cookie: first } = bothOf(host);
    await type(host, leading.origin);
    const headers = { Cookie: `${first}; ${bothOf(host).Cookie}` };
    const path = leading.via("media", "/a.png");
    expect(outcome(await ask(host.url, path, { headers }))).toEqual([502, "redirect"]);
    expect(visits).toEqual([]);
    // The same session may.
    expect((await allow(host.url, service.origin)).status).toBe(204);
    expect((await ask(host.url, path, { headers })).status).toBe(200);
  });

  it("takes a file with both halves of the session alone", async () => {
    const host = await startHost();
    await type(host, service.origin);
    const put = (headers: Record<string, string>) =>
      ask(host.url, service.via("upload", "/file"), { method: "PUT", body: "bytes", headers });
    expect(outcome(await put({ "X-Safelight-Session": "" }))).toEqual([401, "no_session"]);
    expect(outcome(await put({ Cookie: "" }))).toEqual([401, "no_session"]);
    expect(visits).toEqual([]);
    expect((await put({})).status).toBe(200);
    expect(visits).toEqual(["PUT /file"]);
  });

  it("is over with the session", async () => {
    const host = await startHost();
    await type(host, service.origin);
    await ask(host.url, "/session", { method: "DELETE", headers: { Origin: host.url, ...bothOf(host) } });
    expect(outcome(await visit(host, service.origin, "media"))).toEqual([403, "not_allowed"]);
    expect(visits).toEqual([]);
  });

  it("says which file hosts are meant with both halves alone", async () => {
    const host = await startHost();
    await type(host, "http://127.0.0.1:4999");
    for (const half of ["Cookie", "X-Safelight-Session"]) {
      expect(outcome(await allow(host.url, service.origin, { [half]: "" }))).toEqual([401, "no_session"]);
    }
    expect(outcome(await visit(host, service.origin, "media"))).toEqual([403, "not_allowed"]);
    expect(visits).toEqual([]);
  });

  it("says nothing about files of this machine where it is the sandbox, or only half of it is here", async () => {
    const host = await startHost();
    expect(outcome(await allow(host.url, service.origin))).toEqual([403, "not_allowed"]);
    const both = { queueBaseUrl: "https://api.example.com", inferenceBaseUrl: service.origin };
    const halves = halvesOf(await askForSession(host.url, { key: "sandbox-key", ...both }));
    expect(outcome(await allow(host.url, `http://localhost:${port}`, halves))).toEqual([403, "not_allowed"]);
  });

  it.each(["http://127.0.0.1:22", "https://api.example.com:25", "http://localhost:6667"])(
    "is no port of another protocol (%s)",
    async (origin) => {
      const host = await startHost();
      for (const use of ["api", "storage"]) {
        const refused = await type(host, origin, use);
        expect(outcome(refused)).toEqual([403, "not_allowed"]);
        expect(refused.body).toContain("No browser connects to port");
      }
    },
  );

  it("stays when others name any number of file hosts", () => {
    const alone = { host: "127.0.0.1", upstreams: undefined, publicOrigin: undefined };
    const policy = createRelayPolicy({ ...alone, access: undefined, trustedProxies: [] });
    const own = { ...A_SESSION, id: "own" };
    const target = readRelayTarget("/relay/media/https/cdn.example.com/a.png") as RelayTarget;
    policy.allow(target.origin, own, "ada", 4173);
    for (const index of times(10_001, (i) => i)) policy.allow(`https://a${index}.example.com`, A_SESSION, "eve", 4173);
    expect(policy.require(target, [own], 4173)).toBe("public");
    expect(() => policy.require(target, [A_SESSION], 4173)).toThrow(/no connection/);
  });
});

it("a host with SAFELIGHT_UPSTREAMS names it in its refusals", async () => {
  const host = await startRelay("https://api.example.com", "https://*.store.example.com");
  onTestFinished(() => host.close());
  for (const answer of [await type(host, service.origin), await visit(host, service.origin)]) {
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
    expect(JSON.parse(answer.body).error.message).toContain("SAFELIGHT_UPSTREAMS");
  }
  expect(visits).toEqual([]);
});

describe("a host that other machines can reach, without SAFELIGHT_UPSTREAMS", () => {
  it("goes nowhere, and its refusal names the setting", async () => {
    const host = await startHost(NAMES, "0.0.0.0");
    for (const origin of [service.origin, "https://api.example.com"]) {
      for (const answer of [await type(host, origin), await visit(host, origin, "media")]) {
        expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
        expect(JSON.parse(answer.body).error.message).toContain("SAFELIGHT_UPSTREAMS");
      }
    }
    expect(JSON.parse((await ask(host.url, "/relay")).body)).toMatchObject({ mode: "off" });
    expect(visits).toEqual([]);
  });
});

describe("a host on loopback that a public origin opens to others, without SAFELIGHT_UPSTREAMS", () => {
  const names = { ...NAMES, "private.example.com": ["10.0.0.1"], "here.example.com": ["127.0.0.1"] };
  const start = () => startHost(names, "127.0.0.1", "https://studio.example.com");

  it.each(["127.0.0.1", "localhost", "[::1]"])("goes to nothing of its own machine (http://%s)", async (name) => {
    const host = await start();
    const origin = `http://${name}:${port}`;
    for (const use of ["api", "storage"]) {
      const refused = await type(host, origin, use);
      expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
      expect(JSON.parse(refused.body).error.message).toContain("SAFELIGHT_UPSTREAMS");
    }
    for (const use of ["api", "media"]) expect((await visit(host, origin, use)).status).toBe(403);
    const put = await ask(host.url, `/relay/upload/http/${name}:${port}/file`, { method: "PUT", body: "bytes" });
    expect(put.status).toBe(403);
    expect(visits).toEqual([]);
  });

  it.each(["https://10.0.0.1", "https://private.example.com", "https://here.example.com"])(
    "goes to no private address (%s)",
    async (place) => {
      const host = await start();
      const origin = `${place}:${port}`;
      await type(host, origin);
      expect((await visit(host, origin)).headers["x-safelight-relay"]).toBe("private_address");
      expect(visits).toEqual([]);
    },
  );

  it("takes a public address that a person types", async () => {
    expect((await type(await start(), "https://api.example.com")).status).toBe(201);
  });
});

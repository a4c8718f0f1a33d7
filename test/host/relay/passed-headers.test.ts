import { createHash } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { StoredAnswer } from "#host/attempts/attempt-store.ts";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { PASSED_HEADERS } from "#host/relay/passed-headers.ts";
import { relayRoutes } from "#host/relay/relay-routes.ts";
import { createSendOnce } from "#host/relay/send-once.ts";
import { PASSED_ON_HEADERS } from "#host/security-headers.ts";
import { openSessions } from "#host/session/open-sessions.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";
import NAMES from "./header-names.json" with { type: "json" };
import { memoryStore, sharedMemory } from "./memory-store.ts";
import { ask, openSession, sendRaw, sessionOf, startRelay, startUpstream, type Upstream } from "./relay-world.ts";

const ALL = [NAMES.known, NAMES.signIn, NAMES.gateways, NAMES.answers].flat().map((name) => name.toLowerCase());

/** What frames a message or is answered before anything passes. `relay-framing.test.ts` has these. */
const FRAMING = ["connection", "content-length", "transfer-encoding", "expect", "host", "trailer", "upgrade"];

type Use = "api" | "upload" | "media";
/** Each way through the relay; `intent` is a submit. */
const WAYS: [string, { use: Use; method: string; path: string; body?: string; isIntent?: true; isStream?: true }][] = [
  ["a read", { use: "api", method: "GET", path: "/apikey/models" }],
  ["a price", { use: "api", method: "POST", path: "/apikey/requests/estimate", body: "{}" }],
  ["a submit", { use: "api", method: "POST", path: "/apikey/requests", body: "{}", isIntent: true }],
  ["text", { use: "api", method: "POST", path: "/v1/messages", body: "{}", isIntent: true, isStream: true }],
  ["text without a name", { use: "api", method: "POST", path: "/v1/responses", body: "{}", isStream: true }],
  ["a deletion", { use: "api", method: "DELETE", path: "/apikey/requests/a/media" }],
  ["an upload", { use: "upload", method: "PUT", path: "/file?signature=1", body: "bytes" }],
  ["a file", { use: "media", method: "GET", path: "/file.png" }],
  ["a file's head", { use: "media", method: "HEAD", path: "/file.png" }],
];

let upstream: Upstream;
let host: RunningServer;
let seen: IncomingHttpHeaders = {};
let answer: { status: number; headers: Record<string, string>; trailers?: Record<string, string> };
let intents = 0;

beforeAll(async () => {
  upstream = await startUpstream((incoming, outgoing) => {
    seen = incoming.headers;
    incoming.resume().on("end", () => {
      outgoing.sendDate = false;
      outgoing.writeHead(answer.status, answer.headers);
      if (answer.trailers) outgoing.addTrailers(answer.trailers);
      outgoing.end(incoming.method === "HEAD" ? undefined : "{}");
    });
  });
  host = await startRelay(upstream.origin);
});
afterAll(async () => {
  await host.close(0);
  await upstream.close();
});

function send({ use, method, path, body, isIntent }: (typeof WAYS)[number][1], headers: Record<string, string> = {}) {
  intents += 1;
  const intent = isIntent ? { "X-Safelight-Intent": `intent-${String(intents).padStart(4, "0")}` } : {};
  const length = body === undefined ? {} : { "Content-Length": String(body.length) };
  const all = { ...length, ...headers, ...intent };
  return ask(host.url, upstream.via(use, path), { method, headers: all, ...(body === undefined ? {} : { body }) });
}

const inGroups = (names: readonly string[]) =>
  Array.from({ length: Math.ceil(names.length / 60) }, (_, at) => names.slice(at * 60, at * 60 + 60));

it("lists what passes", () => {
  expect(PASSED_HEADERS).toEqual({
    toApi: ["accept", "authorization", "content-type", "x-api-key"],
    toStorage: ["accept", "accept-encoding", "content-type", "range", "if-range", "if-none-match", "if-modified-since"],
    fromApi: ["content-type", "date", "age", "retry-after", "x-request-id", "request-id"],
    fromStorage: [
      "content-type",
      "content-encoding",
      "content-length",
      "content-range",
      "accept-ranges",
      "etag",
      "last-modified",
    ],
    fromRefusingStorage: ["retry-after"],
  });
});

it("the sweep has every header that browsers know, and those that sign-in proxies set", () => {
  expect(NAMES.known.length).toBeGreaterThanOrEqual(164);
  expect(NAMES.signIn.length).toBeGreaterThanOrEqual(31);
  for (const names of Object.values(PASSED_HEADERS))
    expect(ALL.concat("x-request-id", "request-id", "x-api-key")).toEqual(expect.arrayContaining([...names]));
});

describe("to the service", () => {
  /** The page's own, which the host looks at; their values are real ones. */
  const OF_THE_GUARD = ["cookie", "origin", ...ALL.filter((name) => /^(sec-fetch|x-safelight)-/.test(name))];

  it.each(WAYS)("nothing passes but what is listed: %s", async (_, way) => {
    answer = { status: 200, headers: {} };
    const swept = ALL.concat("x-api-key", "x-request-id").filter(
      (name) => !FRAMING.concat(OF_THE_GUARD).includes(name),
    );
    const listed: readonly string[] = way.use === "api" ? PASSED_HEADERS.toApi : PASSED_HEADERS.toStorage;
    const passed: string[] = [];
    for (const names of inGroups(swept)) {
      await send(way, { Origin: host.url, ...Object.fromEntries(names.map((name) => [name, `canary ${name}`])) });
      const { host: _name, connection, "user-agent": agent, "content-length": length, ...others } = seen;
      expect([agent, connection]).toEqual(["safelight", expect.stringMatching(/^(close|keep-alive)$/)]);
      expect(length).toBe(way.body === undefined ? undefined : String(way.body.length));
      if (way.use === "api") {
        expect(others["accept-encoding"]).toBe("gzip, deflate, br");
        delete others["accept-encoding"];
        expect(others.authorization).toBe("Bearer sandbox-key");
        if (!names.includes("authorization")) delete others.authorization;
      }
      passed.push(...Object.keys(others));
    }
    // The key is where the page has its place, and not twice.
    const expected = listed.filter((name) => name !== "x-api-key");
    expect(passed.sort()).toEqual([...expected].sort());
  });

  it("a listed header that Connection names as the connection's own does not pass", async () => {
    answer = { status: 200, headers: {} };
    const path = upstream.via("media", "/file.png");
    const lines = [
      "Sec-Fetch-Site: same-origin",
      "Connection: close, Range, X-Other",
      "Range: bytes=0-1",
      "Accept: */*",
    ];
    await sendRaw(host.url, [`GET ${path} HTTP/1.1`, `Host: ${new URL(host.url).host}`, ...lines, "", ""].join("\r\n"));
    expect(seen).toHaveProperty("accept");
    expect(seen).not.toHaveProperty("range");
    expect(seen.connection).not.toMatch(/range/i);
  });

  it("trailers of a request do not pass", async () => {
    let trailers: unknown;
    const service = await startUpstream((incoming, outgoing) => {
      incoming.resume().on("end", () => {
        trailers = incoming.trailers;
        outgoing.end("{}");
      });
    });
    onTestFinished(service.close);
    const relay = await startRelay(service.origin);
    onTestFinished(() => relay.close(0));
    const halves = Object.entries(sessionOf(relay.url)).map(([name, value]) => `${name}: ${value}`);
    const head = [
      `POST ${service.via("api", "/v1/messages")} HTTP/1.1`,
      `Host: ${new URL(relay.url).host}`,
      "Sec-Fetch-Site: same-origin",
      "Connection: close",
      "Transfer-Encoding: chunked",
      "Trailer: X-Remote-User",
      ...halves,
    ];
    const text = await sendRaw(relay.url, `${head.join("\r\n")}\r\n\r\n2\r\n{}\r\n0\r\nX-Remote-User: admin\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(trailers).toEqual({});
  });
});

/** What the host itself says in each answer that it passes on. */
const OWN = [...Object.keys(PASSED_ON_HEADERS), "cache-control"];

describe("back to the page", () => {
  const swept = ALL.concat("request-id", "x-request-id").filter(
    // An encoding is read, not passed on, by whoever redacts the key.
    (name) => !FRAMING.concat("content-encoding", "content-range").includes(name),
  );

  it.each(WAYS)("nothing passes but what is listed: %s", async (_, way) => {
    const listed: readonly string[] = way.use === "api" ? PASSED_HEADERS.fromApi : PASSED_HEADERS.fromStorage;
    const passed = new Set<string>();
    for (const status of [200, 404]) {
      for (const names of inGroups(swept)) {
        const headers = Object.fromEntries(names.map((name) => [name, `canary ${name}`]));
        if (way.isStream) headers["content-type"] = "text/event-stream; canary";
        answer = { status, headers };
        const got = await send(way);
        expect(got.status).toBe(status);
        for (const [name, value] of Object.entries(got.headers)) {
          if (String(value).includes("canary")) passed.add(name);
          else if (name === "date")
            expect([way.use, Date.parse(String(value))]).not.toEqual(["api", expect.anything()]);
          else if (name === "content-type") expect([way.use, value]).toEqual([way.use, "application/octet-stream"]);
          else expect([...OWN, ...FRAMING, "keep-alive"]).toContain(name);
        }
        for (const [name, value] of Object.entries(PASSED_ON_HEADERS)) expect(got.headers[name]).toBe(value);
        const isKept = way.use === "media" && status === 200;
        expect(got.headers["cache-control"]).toBe(isKept ? "private, max-age=3600" : "no-store");
      }
    }
    const decided = [
      "content-encoding",
      "content-length",
      "content-range",
      ...(way.use === "api" ? [] : ["content-type"]),
    ];
    const expected = listed.filter((name) => !decided.includes(name));
    expect([...passed].sort()).toEqual([...expected, ...(way.use === "api" ? [] : ["retry-after"])].sort());
  });

  it("a part of a file and one that has not changed keep what the browser needs, and are the one browser's", async () => {
    const [, file] = WAYS[7] as (typeof WAYS)[number];
    const etag = '"1"';
    answer = { status: 206, headers: { "Content-Range": "bytes 0-1/9", "Content-Length": "2", ETag: etag } };
    const part = await send(file, { Range: "bytes=0-1" });
    expect(part).toMatchObject({
      status: 206,
      headers: { "content-range": "bytes 0-1/9", "content-length": "2", etag },
    });
    answer = { status: 304, headers: { ETag: etag, "Cache-Control": "public, max-age=99999" } };
    const same = await send(file, { "If-None-Match": etag });
    expect(same).toMatchObject({ status: 304, body: "", headers: { etag } });
    for (const { headers } of [part, same]) expect(headers["cache-control"]).toBe("private, max-age=3600");
    answer = { status: 416, headers: { "Content-Range": "bytes */9", "Cache-Control": "public" } };
    const none = await send(file, { Range: "bytes=99-" });
    expect(none.headers).toMatchObject({ "content-range": "bytes */9", "cache-control": "no-store" });
  });

  it.each(WAYS)("neither trailers nor what is said before an answer pass: %s", async (_, way) => {
    answer = {
      status: 200,
      headers: { Trailer: "Clear-Site-Data", "Transfer-Encoding": "chunked", Connection: "close, Date" },
      trailers: { "Clear-Site-Data": '"*"' },
    };
    const { url } = host;
    const trailers = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const session = way.use === "api" ? sessionOf(url) : {};
      const headers = { "Sec-Fetch-Site": "same-origin", ...session };
      const outgoing = request(
        { hostname, port, path: upstream.via(way.use, way.path), method: way.method, headers, agent: false },
        (incoming) => {
          expect(incoming.headers.trailer).toBeUndefined();
          incoming.resume().on("end", () => resolve(incoming.trailers));
        },
      );
      outgoing.on("error", reject);
      outgoing.on("information", () => reject(new Error("The host passed on what is said before an answer.")));
      outgoing.end(way.body);
    });
    expect(trailers).toEqual({});
  });

  it("an answer that an older version has written down loses what no longer passes", async () => {
    const relay = await startWithMemory({
      status: 200,
      headers: {
        "content-type": "application/json",
        "clear-site-data": '"*"',
        "x-accel-redirect": "/etc/passwd",
        "cache-control": "public",
        "x-request-id": "abc",
        "content-length": "999",
        date: "Mon, 02 Jan 2006 15:04:05 GMT",
      },
      body: Buffer.from("{}"),
    });
    const { status, headers, body } = await relay.whatBecame();
    expect([status, body]).toEqual([200, "{}"]);
    expect(headers).toMatchObject({ ...PASSED_ON_HEADERS, "content-type": "application/json", "x-request-id": "abc" });
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-safelight-relay": "first_answer" });
    for (const name of ["clear-site-data", "x-accel-redirect", "date"]) expect(headers).not.toHaveProperty(name);
  });

  it("an answer of a status without meaning that an older version has written down is unknown", async () => {
    const relay = await startWithMemory({ status: 99, headers: {}, body: Buffer.from("{}") });
    const { status, headers } = await relay.whatBecame();
    expect([status, headers["x-safelight-relay"]]).toEqual([409, "outcome_unknown"]);
  });
});

it("the host's own sandbox gets and gives by the same lists", async () => {
  let received: string[] = [];
  const names = ["Clear-Site-Data", "Location", "ETag", "X-Request-Id", "Retry-After", "Access-Control-Allow-Origin"];
  const sandbox = async (request: Request) => {
    received = [...request.headers.keys()];
    return new Response("{}", { headers: Object.fromEntries(names.map((name) => [name, "canary"])) });
  };
  const settings = readHostSettings({ PORT: "0" });
  const own = createHost(settings, undefined, { sandbox });
  const server = await startServer(own.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.close(0);
    await own.close();
  });
  await openSession(server.url);
  const headers = { "X-Remote-User": "admin", "X-Resource-Group": "vip", Accept: "application/json" };
  const got = await ask(server.url, "/relay/api/sandbox/api/v1/queue/apikey/models", { headers });
  expect(received.sort()).toEqual(["accept", "accept-encoding", "authorization", "user-agent"]);
  const passed = Object.entries(got.headers).flatMap(([name, value]) => (value === "canary" ? [name] : []));
  expect(passed.sort()).toEqual(["retry-after", "x-request-id"]);
});

/** A host whose memory has this answer from before. `whatBecame` asks for it. */
async function startWithMemory(stored: StoredAnswer) {
  const settings = readHostSettings({ PORT: "0", SAFELIGHT_UPSTREAMS: upstream.origin });
  const memory = sharedMemory();
  const store = memoryStore(memory, "host-1");
  const id = createHash("sha256").update("Bearer sandbox-key\n\0intent-0001\0").digest("base64url");
  const state = { kind: "answered", answer: stored } as const;
  memory.attempts.set(id, { fingerprint: "", owner: "host-0", run: 1, state });
  const sessions = openSessions(settings, settings.sessionLimits);
  onTestFinished(() => sessions.close());
  const sendOnce = createSendOnce(store, { sleep: async () => {} });
  const relay = relayRoutes(settings, sendOnce, sessions, { isForSession: () => true });
  const server = await startServer(relay.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close(0));
  await openSession(server.url, upstream.origin);
  const headers = { "X-Safelight-Intent": "intent-0001" };
  const path = upstream.via("api", "/apikey/requests");
  return { whatBecame: () => ask(server.url, path, { method: "DELETE", headers }) };
}

describe("a status that means nothing", () => {
  /** A service that answers with bytes of its own, and a host that may reach it. */
  async function startOdd(answer: (socket: Socket) => void) {
    const service = createServer((socket) => {
      socket.once("data", () => answer(socket));
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void service.close());
    const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const relay = await startRelay(origin);
    onTestFinished(() => relay.close(0));
    return { origin, relay };
  }

  const ODD = ["000", "099", "101", "407", "600", "999"];

  it.each(ODD.flatMap((status) => WAYS.map(([name, way]) => [status, name, way] as const)))(
    "%s is told as unknown: %s",
    async (status, _, way) => {
      const text = `HTTP/1.1 ${status} Odd\r\nUpgrade: x\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\n{}`;
      const { origin, relay } = await startOdd((socket) => void socket.write(text));
      const path = `/relay/${way.use}/${origin.replace("://", "/")}${way.path}`;
      const headers: Record<string, string> = way.isIntent ? { "X-Safelight-Intent": "intent-0001" } : {};
      const init = { method: way.method, headers, ...(way.body === undefined ? {} : { body: way.body }) };
      for (const got of [await ask(relay.url, path, init), await ask(relay.url, path, init)]) {
        const expected = [way.isIntent ? 409 : 502, "outcome_unknown"];
        expect([got.status, got.headers["x-safelight-relay"]]).toEqual(expected);
        if (way.method !== "HEAD") expect(JSON.parse(got.body).error.type).toBe("relay_outcome_unknown");
      }
    },
  );

  it.each(["150", "199"])("%s and no more is a lost answer", async (status) => {
    const text = `HTTP/1.1 ${status} Odd\r\nClear-Site-Data: "*"\r\n\r\n`;
    const { origin, relay } = await startOdd((socket) => void socket.end(text));
    const path = `/relay/api/${origin.replace("://", "/")}/apikey/requests`;
    await expect(ask(relay.url, path)).rejects.toThrow();
    for (const [intent, code] of [
      [{}, 504],
      [{ "X-Safelight-Intent": "intent-0001" }, 409],
    ] as const) {
      const got = await ask(relay.url, path, { method: "POST", body: "{}", headers: intent });
      expect([got.status, got.headers["x-safelight-relay"]]).toEqual([code, "outcome_unknown"]);
    }
  });
});

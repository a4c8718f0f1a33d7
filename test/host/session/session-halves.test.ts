import { beforeEach, describe, expect, it } from "vitest";
import { ask, sendRaw } from "../relay/relay-world.ts";
import {
  KEY,
  kindOf,
  NO_SESSION,
  openBrowser,
  type Service,
  type SessionHost,
  startService,
  startSessionHost,
} from "./session-world.ts";

let service: Service;
let host: SessionHost;
let browser: ReturnType<typeof openBrowser>;

beforeEach(async () => {
  service = await startService();
  host = await startSessionHost(service);
  browser = openBrowser(service);
  await browser.connect(host);
});

describe("a session", () => {
  it("puts the key into the studio's request, and returns the answer", async () => {
    expect((await browser.read(host)).body).toBe('{"model_ids":[]}');
    expect(service.seen).toEqual([`GET /q/apikey/models Bearer ${KEY}`]);
  });

  it("has a cookie that no script reads and no other site sends", async () => {
    const [cookie] = (await openBrowser(service).connect(host)).headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^safelight-session-[0-9a-f]+-[\w-]{22}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it("tells the page its shape and account, and nothing of the key but four characters", async () => {
    const { body, headers } = await openBrowser(service).connect(host);
    const told = JSON.parse(body);
    expect(Object.keys(told).sort()).toEqual(["accountId", "endsAtMs", "idleMs", "keyHint", "keyShape", "ticket"]);
    expect(told).toMatchObject({ keyHint: KEY.slice(-4), accountId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(`${body}${JSON.stringify(headers)}`).not.toContain(KEY.slice(0, 8));
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("of the same key has the same account, and of another device another", async () => {
    const accountOf = async (salt: string) => {
      const body = JSON.stringify({ key: KEY, salt, queueBaseUrl: service.origin, inferenceBaseUrl: service.origin });
      const headers = { Origin: host.url, "Content-Type": "application/json" };
      return JSON.parse((await ask(host.url, "/session", { method: "POST", headers, body })).body).accountId;
    };
    expect(await accountOf("a")).toBe(await accountOf("a"));
    expect(await accountOf("a")).not.toBe(await accountOf("b"));
  });
});

describe("a request with less than both halves opens nothing:", () => {
  it.each([
    ["the cookie alone, as another port of the machine receives it", () => ({ Cookie: browser.header() })],
    ["the header alone, as a script could read it", () => ({ "X-Safelight-Session": browser.ticket })],
    [
      "the cookie and its id",
      () => ({ ...browser.headers(), "X-Safelight-Session": browser.ticket.split(".")[0] ?? "" }),
    ],
    [
      "the cookie and an empty half",
      () => ({ ...browser.headers(), "X-Safelight-Session": `${browser.ticket.split(".")[0]}.` }),
    ],
    ["a changed half", () => ({ ...browser.headers(), "X-Safelight-Session": browser.ticket.replace(/.$/, "_") })],
    ["a changed cookie", () => ({ ...browser.headers(), Cookie: browser.header().replace(/.$/, "_") })],
    [
      "the cookie of another name",
      () => ({ ...browser.headers(), Cookie: browser.header().replace("session-", "x-") }),
    ],
    ["neither", () => ({})],
  ])("%s", async (_, headersOf) => {
    const headers = headersOf();
    expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
    await ask(host.url, "/session", { method: "DELETE", headers: { Origin: host.url, ...headers } });
    expect(service.seen).toEqual([]);
    expect((await browser.read(host)).status).toBe(200);
  });

  it("the half of another session", async () => {
    const other = openBrowser(service);
    await other.connect(host);
    const [id] = browser.ticket.split(".");
    const [, half] = other.ticket.split(".");
    expect(kindOf(await browser.read(host, browser.headers({ "X-Safelight-Session": `${id}.${half}` })))).toEqual(
      NO_SESSION,
    );
    const headers = { Cookie: other.header(), "X-Safelight-Session": browser.ticket };
    expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
    expect(service.seen).toEqual([]);
  });

  it("both halves with another user of the access gate", async () => {
    const gated = await startSessionHost(service, {}, { userOf: ({ incoming }) => String(incoming.headers["x-user"]) });
    const hers = openBrowser(service);
    await hers.connect(gated, KEY, { "X-User": "ann" });
    expect((await hers.read(gated, hers.headers({ "X-User": "ann" }))).status).toBe(200);
    expect(kindOf(await hers.read(gated, hers.headers({ "X-User": "bob" })))).toEqual(NO_SESSION);
    const headers = hers.headers({ "X-User": "bob", Origin: gated.url });
    expect(kindOf(await ask(gated.url, "/session", { method: "DELETE", headers }))).toEqual(NO_SESSION);
    expect((await hers.read(gated, hers.headers({ "X-User": "ann" }))).status).toBe(200);
    expect(service.seen.length).toBe(2);
  });
});

describe("what another site sends is refused:", () => {
  const order = () =>
    JSON.stringify({ key: KEY, salt: "", queueBaseUrl: service.origin, inferenceBaseUrl: service.origin });
  it.each([
    ["a form", { Origin: "https://evil.example", "Content-Type": "application/x-www-form-urlencoded" }],
    ["a form as text", { Origin: "https://evil.example", "Content-Type": "text/plain" }],
    ["a fetch", { Origin: "https://evil.example", "Content-Type": "application/json", "Sec-Fetch-Site": "cross-site" }],
    ["another port of the machine", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" }],
    ["a frame without an origin", { Origin: "null" }],
    ["no origin", { "Content-Type": "application/json" }],
    ["a name that was pointed here", { Host: "evil.example", Origin: "http://evil.example" }],
  ])("%s", async (_, headers) => {
    for (const method of ["POST", "DELETE"]) {
      const sent = { "Content-Type": "application/json", ...browser.headers(), ...headers };
      const answer = await ask(host.url, "/session", {
        method,
        headers: sent,
        ...(method === "POST" ? { body: order() } : {}),
      });
      expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    }
    expect((await browser.read(host)).status).toBe(200);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
    "a body as %s, from whatever page",
    async (type) => {
      const headers = { Origin: host.url, "Content-Type": type };
      const answer = await ask(host.url, "/session", { method: "POST", headers, body: order() });
      expect(kindOf(answer)).toEqual([400, "not_a_target"]);
    },
  );

  it.each([
    "{",
    "[]",
    "{}",
    '{"key":"a b","salt":"","queueBaseUrl":"https://x.example","inferenceBaseUrl":"https://x.example"}',
    '{"key":"a\\nb","salt":"","queueBaseUrl":"https://x.example","inferenceBaseUrl":"https://x.example"}',
    `{"key":"${"k".repeat(1001)}","salt":"","queueBaseUrl":"https://x.example","inferenceBaseUrl":"https://x.example"}`,
    '{"key":"sk-1","salt":"","queueBaseUrl":"javascript:alert(1)","inferenceBaseUrl":"https://x.example"}',
    '{"key":"sk-1","salt":"","queueBaseUrl":"https://me:pw@x.example","inferenceBaseUrl":"https://x.example"}',
    `{"key":"sk-1","salt":"","queueBaseUrl":"https://x.example/${"a".repeat(300)}","inferenceBaseUrl":"https://x.example"}`,
  ])("an order that cannot be used: %s", async (body) => {
    const headers = { Origin: host.url, "Content-Type": "application/json" };
    const answer = await ask(host.url, "/session", { method: "POST", headers, body });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([400, undefined]);
  });

  it("a body of unknown or great length", async () => {
    const head = `POST /session HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nOrigin: ${host.url}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const chunked = await sendRaw(host.url, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    expect(chunked).toMatch(/^HTTP\/1\.1 400 /);
    const large = await sendRaw(host.url, `${head}Content-Length: 10000\r\n\r\n${"x".repeat(10_000)}`);
    expect(large).toMatch(/^HTTP\/1\.1 413 /);
  });
});

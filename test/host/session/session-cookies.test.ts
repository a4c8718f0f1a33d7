import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { askForSession } from "../relay/relay-world.ts";
import { KEY, kindOf, openBrowser, SECRET, type Service, startService, startSessionHost } from "./session-world.ts";

const SEALED = { SAFELIGHT_SESSION_SECRET: SECRET };
const HOUR = 3_600_000;

let service: Service;
let browser: ReturnType<typeof openBrowser>;
beforeEach(async () => {
  service = await startService();
  browser = openBrowser(service);
});

describe.each([
  ["in memory", {}, 24],
  // Each takes half a kilobyte, and all of them 10 kB at most.
  ["sealed", SEALED, 10],
])("the cookies of a browser, %s", (_, environment, least) => {
  it("are bounded, and one that was unused for an hour makes room", async () => {
    let atMs = 0;
    const host = await startSessionHost(service, environment, { nowMs: () => atMs });
    await browser.connect(host, `${KEY}-0`);
    const oldest = browser.headers();
    atMs = HOUR / 2;
    let open = 1;
    while ((await browser.connect(host, `${KEY}-${open}`)).status === 201) open += 1;
    expect(open).toBeGreaterThanOrEqual(least);
    expect(open).toBeLessThanOrEqual(24);
    const refused = await browser.connect(host, `${KEY}-${open}`);
    expect(kindOf(refused)).toEqual([409, "too_many_sessions"]);
    expect(refused.body).toContain(`${open} open connections`);
    atMs = HOUR;
    expect((await browser.connect(host, `${KEY}-${open}`)).status).toBe(201);
    expect(browser.cookies.size).toBe(open);
    const gone = await browser.read(host, oldest);
    expect([gone.status, gone.body]).toEqual([401, expect.stringContaining("was replaced by another connection")]);
    expect((await browser.connect(host, `${KEY}-another`)).status).toBe(409);
  });

  it("lose what has ended when another is set, and keep those of another studio of the machine", async () => {
    const [host, neighbour] = [
      await startSessionHost(service, environment),
      await startSessionHost(service, { SAFELIGHT_SESSION_SECRET: `${SECRET} of another` }),
    ];
    await browser.connect(neighbour);
    const [theirs] = browser.cookies.keys();
    await browser.connect(host);
    const [, dead] = browser.cookies.keys();
    const kept = new Map(browser.cookies);
    await browser.forget(host);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    await browser.connect(host);
    expect(browser.cookies.has(theirs ?? "")).toBe(true);
    expect(browser.cookies.has(dead ?? "")).toBe(false);
    expect(browser.cookies.size).toBe(2);
  });
});

describe("long keys", () => {
  it("leave room in the headers of a request, and each cookie is one that browsers take", async () => {
    const host = await startSessionHost(service, SEALED);
    const order = { key: "", queueBaseUrl: service.origin.padEnd(300, "/a"), inferenceBaseUrl: service.origin };
    let opened = 0;
    for (let turn = 0; turn < 7; turn += 1) {
      const key = `${'"'.repeat(999)}${turn}`;
      const headers = browser.cookies.size > 0 ? { Cookie: browser.header() } : {};
      const answer = browser.keep(await askForSession(host.url, { ...order, key }, headers));
      if (answer.status === 201) opened += 1;
      else expect(kindOf(answer)).toEqual([409, "too_many_sessions"]);
    }
    expect(opened).toBeGreaterThanOrEqual(2);
    for (const [name, value] of browser.cookies) expect(name.length + value.length).toBeLessThan(4096);
    // Of the 16 kB that Node takes.
    expect(browser.header().length).toBeLessThan(11_000);
  });

  it("of 1000 characters may be open four times side by side", async () => {
    const host = await startSessionHost(service, SEALED);
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await browser.connect(host, `${"k".repeat(999)}${turn}`)).status).toBe(201);
    }
    expect((await browser.read(host)).status).toBe(200);
  });
});

describe("under a public name with https", () => {
  it.each([
    ["a proxy that keeps the name", { Host: "studio.example.com" }],
    ["a proxy that names the host by its address", {}],
  ])("the cookie is for this origin only: behind %s", async (_, named) => {
    const host = { ...named, "X-Remote-User": "ada" };
    const publicOrigin = "https://studio.example.com";
    const settings = readHostSettings({
      PORT: "0",
      SAFELIGHT_UPSTREAMS: service.origin,
      SAFELIGHT_PUBLIC_ORIGIN: publicOrigin,
      SAFELIGHT_ACCESS: "header:X-Remote-User",
      SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1",
      ...SEALED,
    });
    const all = createHost(settings, PAGE_FOLDER);
    const server = await startServer(all.fetch, { host: "127.0.0.1", port: 0 });
    onTestFinished(async () => {
      await server.close(0);
      await all.close();
    });
    const answer = await browser.connect(server, KEY, { Origin: publicOrigin, ...host });
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-safelight-session-.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    expect((await browser.read(server, browser.headers(host))).status).toBe(200);
  });
});

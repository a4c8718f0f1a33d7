import { beforeEach, describe, expect, it } from "vitest";
import { createMemorySessions, randomToken, type Session, SharedMap } from "#host/session/session.ts";
import {
  KEY,
  kindOf,
  NO_SESSION,
  openBrowser,
  SECRET,
  type Service,
  startService,
  startSessionHost,
} from "./session-world.ts";

const userOf = ({ incoming }: { incoming: { headers: Record<string, unknown> } }) =>
  incoming.headers["x-user"] as string;

let service: Service;
beforeEach(async () => {
  service = await startService();
});

const made = (): Session => ({
  id: randomToken(16),
  key: KEY,
  queueBaseUrl: "",
  inferenceBaseUrl: "",
  user: undefined,
  member: undefined,
  halfDigest: "",
  openedAtMs: 0,
  usedAtMs: 0,
});

describe("10,000 sessions of one member", () => {
  it("push out none of another", async () => {
    const host = await startSessionHost(service, {}, { userOf });
    const ada = openBrowser(service);
    await ada.connect(host, KEY, { "X-User": "ada" });
    const order = { key: "k", queueBaseUrl: `${service.origin}/q`, inferenceBaseUrl: service.origin };
    const asked = { headers: {}, isHttps: false, port: Number(new URL(host.url).port), user: "eve" };
    for (let n = 0; n < 10_100; n += 1) await host.sessions.open(order, asked);
    expect((await ada.read(host, ada.headers({ "X-User": "ada" }))).status).toBe(200);
  });

  it("push out none that was used, whoever opened them", async () => {
    const store = createMemorySessions();
    const used = made();
    const cookie = await store.put(used, "all");
    await store.touch(used, 1);
    for (let n = 0; n < 20_000; n += 1) await store.put(made(), "all");
    expect(await store.get(used.id, cookie)).toBeDefined();
  });

  it("under thousands of sign-ins push out none that was used", async () => {
    const store = createMemorySessions();
    const used = made();
    const cookie = await store.put(used, "ada");
    await store.touch(used, 1);
    for (let n = 0; n < 20_000; n += 1) await store.put(made(), `sign-in ${n}`);
    expect(await store.get(used.id, cookie)).toBeDefined();
  });
});

it("a map that many share takes from whoever has the most, the first of theirs", () => {
  const map = new SharedMap<number>(4);
  map.set("a1", 1, "ada");
  for (const n of [1, 2, 3, 4, 5]) map.set(`e${n}`, n, "eve");
  expect([...map].map(([id]) => id)).toEqual(["a1", "e3", "e4", "e5"]);
  map.delete("e3");
  map.set("a1", 2, "ada");
  map.set("a2", 3, "ada");
  map.set("a3", 3, "ada");
  expect([...map].map(([id]) => id)).toEqual(["e4", "e5", "a2", "a3"]);
});

describe.each([
  ["in memory", {}],
  ["sealed", { SAFELIGHT_SESSION_SECRET: SECRET }],
])("a session %s", (_, environment) => {
  it("holds the member's name as the gate gave it, and shows it nowhere", async () => {
    const host = await startSessionHost(service, environment, { userOf });
    const browser = openBrowser(service);
    const opened = await browser.connect(host, KEY, { "X-User": "ada@example.com" });
    expect(JSON.stringify([opened.headers, opened.body])).not.toContain("ada");
    const headers = browser.headers({ "X-User": "ada@example.com" });
    expect((await browser.read(host, headers)).status).toBe(200);
    const asked = {
      headers: { cookie: browser.header(), "x-safelight-session": browser.ticket },
      isHttps: false,
      port: Number(new URL(host.url).port),
      user: "ada@example.com",
    };
    const { session, release } = await host.sessions.require(asked);
    release();
    expect(session.member).toBe("ada@example.com");
  });

  it("whose time is over is over, though the clock goes back", async () => {
    let atMs = 1_000_000;
    const host = await startSessionHost(service, environment, { nowMs: () => atMs });
    const browser = openBrowser(service);
    await browser.connect(host);
    const headers = browser.headers();
    atMs += 13 * 3_600_000;
    expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
    atMs -= 12 * 3_600_000;
    expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
  });
});
